/* A convex quadratic problem in stages, as a linear motion has it that a piecewise signal drives:
 *
 *     minimise  sum_k z_k'H z_k/2,   z_k = (w_k, u_k),   so that   w_0 is given,   w_{k+1} = F_k z_k + g_k,
 *     lower <= a'z_k <= upper  for each row,   a'z_k = b  for each equality.
 *
 * A primal-dual interior point method (Mehrotra). Each iteration solves the problem without its rows by a Riccati recursion and the
 * equalities by their small Schur complement: its time grows linearly with the number of stages. */
#ifndef CONTROL_PATTERN_STAGES_H
#define CONTROL_PATTERN_STAGES_H

#include <stdbool.h>

/* A row of stage k: of stage `stages`, behind the last segment, it has no part of u. */
typedef struct StageRow {
  int stage;
  double lower, upper; /* equal: an equality; either may be infinite */
} StageRow;

typedef struct Stages {
  int stages, w, u; /* segments; entries of w and of u; z = w + u */
  const double **F; /* [stages] borrowed [w][z] */
  double *g;        /* [stages][w] */
  double *H;        /* [z][z], the same of all stages; positive definite in u */
  double *start;    /* [w] w_0 */
  int n_rows;       /* in order of stages */
  StageRow *row;    /* [rows_most] */
  double *a;        /* [rows_most][z] */
  int rows_most;
  double *control; /* [stages][u] the answer */
  double *states;  /* [stages + 1][w] and its motion */
  double *work;
  long work_size;
} Stages;

/* Returns false when out of memory; to be cleared, too. */
bool stages_init(Stages *stages, int n, int w, int u, int rows_most);
void stages_clear(Stages *stages);

/* A row to be filled, [z], zeroed, not of an earlier stage than the last one. */
double *stages_add_row(Stages *stages, int stage, double lower, double upper);

/* Returns the least sum; INFINITY where it is found to be more than `enough` (INFINITY: none is), which is sooner known, where the rows contradict each other, or no answer was found; NAN when out of memory. */
double stages_solve(Stages *stages, double enough);

#endif
