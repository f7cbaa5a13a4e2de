/* A problem's motion by several schemes at ever smaller steps, against the event-exact one. */
#ifndef SRC_STUDY_CONVERGENCE_H
#define SRC_STUDY_CONVERGENCE_H

#include "src/base/diagnostics.h"
#include "src/base/options.h"
#include "src/run/motion_difference.h"
#include "src/study/orders.h"

enum { CONVERGENCE_QUANTITIES = 5, CONVERGENCE_SCHEMES_MAX = 7, CONVERGENCE_DEFAULT_LEVELS = 5 };

/* An error that is measured. */
typedef struct ConvergenceQuantity {
  const char *name, *unit; /* of a table's column */
  size_t member;           /* of MotionDifference, a double */
} ConvergenceQuantity;

/* Those of a kind of model: [CONVERGENCE_QUANTITIES]. */
const ConvergenceQuantity *convergence_quantities(SimKind kind);

/* One scheme at one step. */
typedef struct ConvergenceLevel {
  long steps;
  double step; /* s */
  double error[CONVERGENCE_QUANTITIES];
  long n_events;
  double microseconds; /* a run */
} ConvergenceLevel;

typedef struct Convergence {
  const Options *options;   /* borrowed, as the next two */
  Diagnostics *diagnostics; /* where mistakes are put */
  double *control;          /* [variables] that of all motions; owned; NULL: 0 */
  const char *own;          /* the scheme of the file, whose keys are kept */
  double end;               /* s */
  long steps;               /* of the file */
  SimKind kind;
  int n_schemes, n_levels;
  const char *schemes[CONVERGENCE_SCHEMES_MAX];
  ConvergenceLevel levels[CONVERGENCE_SCHEMES_MAX][ORDER_LEVELS_MAX];
  double order[CONVERGENCE_SCHEMES_MAX][CONVERGENCE_QUANTITIES]; /* NAN where an error is not above zero */
  long n_events;                                                 /* of the event-exact motion */
  double microseconds;                                           /* a run of it */
} Convergence;

/* To be cleared. Finds what options->argument, with its settings, asks for: options->control, the schemes of options->schemes (NULL: all that serve the model),
 * and options->levels (0: CONVERGENCE_DEFAULT_LEVELS) steps, the file's and halvings of it. Returns 0, or EXIT_USAGE or EXIT_INTERNAL after
 * telling: the file has mistakes, there is no event-exact motion of its model, or a scheme does not serve it. */
int convergence_prepare(Convergence *convergence, const Options *options, Diagnostics *diagnostics);

/* Fills levels, order, n_events and microseconds of one prepared. Orders are those of means over several neighbouring grids: see
 * OrderStudy. Returns 0, or EXIT_USAGE, EXIT_UNSOLVED, EXIT_INTERNAL after telling. */
int convergence_measure(Convergence *convergence);

void convergence_clear(Convergence *convergence);

#endif
