/* Errors of several schemes at ever smaller steps, with respect to the event-exact motion. */
#ifndef SRC_STUDY_CONVERGENCE_H
#define SRC_STUDY_CONVERGENCE_H

#include "src/base/text_table.h"
#include "src/file/sections/file.h"
#include "src/results/results.h"
#include "src/run/motion_difference.h"
#include "src/study/orders.h"

enum { CONVERGENCE_QUANTITIES = 5, CONVERGENCE_SCHEMES_MAX = 7, CONVERGENCE_DEFAULT_LEVELS = 5 };

/* An error that is measured. */
typedef struct ConvergenceQuantity {
  const char *name, *unit; /* of a column */
  size_t member;           /* of MotionDifference, a double */
} ConvergenceQuantity;

/* Returns the quantities of a kind of model, [CONVERGENCE_QUANTITIES]. */
const ConvergenceQuantity *convergence_quantities(SimKind kind);

/* One scheme with one step. */
typedef struct ConvergenceLevel {
  long steps;
  double step; /* s */
  double error[CONVERGENCE_QUANTITIES];
  long n_events;
  double microseconds; /* processor time of a run */
} ConvergenceLevel;

typedef struct Convergence {
  const Options *options;   /* borrowed, like the next */
  Diagnostics *diagnostics; /* for errors */
  Problem problem;          /* of the file; owned */
  double *control;          /* [variables] of all motions; owned; NULL: 0 */
  int n_schemes, n_levels;
  const char *schemes[CONVERGENCE_SCHEMES_MAX];
  ConvergenceLevel levels[CONVERGENCE_SCHEMES_MAX][ORDER_LEVELS_MAX];
  double order[CONVERGENCE_SCHEMES_MAX][CONVERGENCE_QUANTITIES]; /* NAN if an error is not above zero */
  long n_events;                                                 /* of the event-exact motion */
  double microseconds;                                           /* processor time of its run */
} Convergence;

/* Reads the file of the options, and finds its control, the schemes (options->schemes; NULL: all that take the model) and the steps: the file's
 * and options->levels - 1 halvings (0: CONVERGENCE_DEFAULT_LEVELS). Returns 0; or EXIT_USAGE or EXIT_INTERNAL after reporting: the file has errors, its
 * model has no event-exact motion, or a scheme does not take it. convergence_clear follows in each case. */
int convergence_prepare(Convergence *convergence, const Options *options, Diagnostics *diagnostics);

/* Fills levels, order, n_events and microseconds. Orders are those of means over several neighbouring grids (OrderStudy). Returns 0, or
 * EXIT_USAGE, EXIT_UNSOLVED or EXIT_INTERNAL after reporting. */
int convergence_measure(Convergence *convergence);

void convergence_clear(Convergence *convergence);

/* convergence_print.c: prints the errors, then the orders. Returns 0, or EXIT_INTERNAL after reporting, like the
 * next function. */
int convergence_print(const Convergence *convergence, TextTableForm form, FILE *out, Diagnostics *diagnostics);
/* Writes convergence.csv and orders.csv. */
int convergence_write(const Convergence *convergence, const Results *results);

/* convergence_figure.c: draws errors over the step, a curve for each scheme, as figures/convergence.svg and .png. Returns 0, EXIT_USAGE (no gnuplot)
 * or EXIT_INTERNAL after reporting. */
int convergence_draw(const Convergence *convergence, const Results *results);

#endif
