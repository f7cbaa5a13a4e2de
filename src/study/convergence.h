/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures the errors of several schemes for smaller and smaller time steps. An error is a difference from the exact
 * motion, which the scheme `event` computes. */
#ifndef SRC_STUDY_CONVERGENCE_H
#define SRC_STUDY_CONVERGENCE_H

#include "src/base/text_table.h"
#include "src/file/sections/file.h"
#include "src/results/results.h"
#include "src/run/motion_difference.h"
#include "src/study/orders.h"

enum { CONVERGENCE_QUANTITIES = 5, CONVERGENCE_SCHEMES_MAX = 7, CONVERGENCE_DEFAULT_LEVELS = 5 };

/* A kind of error that is measured. */
typedef struct ConvergenceQuantity {
  const char *name, *unit; /* name and unit, for the head of a column */
  size_t member;           /* offset in MotionDifference of the error, a double */
} ConvergenceQuantity;

/* Returns the kinds of error [CONVERGENCE_QUANTITIES] for a kind of model. */
const ConvergenceQuantity *convergence_quantities(SimKind kind);

/* Result of one scheme with one step. */
typedef struct ConvergenceLevel {
  long steps;
  double step; /* time step in s */
  double error[CONVERGENCE_QUANTITIES];
  long n_events;
  double microseconds; /* processor time of a run, us */
} ConvergenceLevel;

typedef struct Convergence {
  const Options *options;   /* borrowed, as is the next member */
  Diagnostics *diagnostics; /* receives errors */
  Problem problem;          /* the problem in the file; owned */
  double *control;          /* [variables] control of all motions; owned; NULL: 0 */
  int n_schemes, n_levels;
  const char *schemes[CONVERGENCE_SCHEMES_MAX];
  ConvergenceLevel levels[CONVERGENCE_SCHEMES_MAX][ORDER_LEVELS_MAX];
  /* order of each scheme and error; NAN if some error is not above zero */
  double order[CONVERGENCE_SCHEMES_MAX][CONVERGENCE_QUANTITIES];
  long n_events;       /* number of events of the exact motion */
  double microseconds; /* processor time of the exact motion, us */
} Convergence;

/* Reads the file in the options. Finds the control, the schemes (options->schemes; NULL: all that support the model),
 * and the steps. These are the step of the file and options->levels - 1 halvings of it; if levels is 0,
 * CONVERGENCE_DEFAULT_LEVELS - 1 halvings. Returns 0; or EXIT_USAGE or EXIT_INTERNAL after reporting that the file has
 * errors, its model has no exact motion, or a scheme does not support the model. The caller calls convergence_clear in
 * each case. */
int convergence_prepare(Convergence *convergence, const Options *options, Diagnostics *diagnostics);

/* Measures the members levels, order, n_events and microseconds. The orders are computed from mean errors over several
 * neighbouring grids (OrderStudy). Returns 0; or EXIT_USAGE, EXIT_UNSOLVED or EXIT_INTERNAL after reporting an
 * error. */
int convergence_measure(Convergence *convergence);

void convergence_clear(Convergence *convergence);

/* Prints the errors, and then the orders. Like the next function, returns 0, or EXIT_INTERNAL after reporting an error.
 * Defined in convergence_print.c. */
int convergence_print(const Convergence *convergence, TextTableForm form, FILE *out, Diagnostics *diagnostics);
/* Writes convergence.csv and orders.csv. */
int convergence_write(const Convergence *convergence, const Results *results);

/* Draws the errors over the step, with a curve for each scheme, as figures/convergence.svg and .png. Returns 0;
 * EXIT_USAGE if gnuplot is not installed; or EXIT_INTERNAL after reporting an error. Defined in
 * convergence_figure.c. */
int convergence_draw(const Convergence *convergence, const Results *results);

#endif
