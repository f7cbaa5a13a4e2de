/* A convex quadratic problem in stages, as in linear optimal control with a piecewise signal:
 *
 *     minimise  sum_k z_k'H z_k/2,   z_k = (w_k, u_k),   so that   w_0 is given,   w_{k+1} = F_k z_k + g_k,
 *     lower <= a'z_k <= upper  for each row,   a'z_k = b  for each equality.
 *
 * Method: Mehrotra's primal-dual interior point method. Each iteration solves the problem without rows by a Riccati
 * recursion and the equalities by their small Schur complement. Its time grows linearly with the number of stages. */
#ifndef CONTROL_PATTERN_STAGES_H
#define CONTROL_PATTERN_STAGES_H

#include <stdbool.h>

/* A row of stage k. At k = `stages`, behind the last segment, it has no part of u. */
typedef struct StageRow {
  int stage;
  double lower, upper; /* equal values: an equality; may be infinite */
} StageRow;

typedef struct Stages {
  int stages, w, u; /* segments; entries of w and of u; z = w + u */
  const double **F; /* [stages] borrowed [w][z] */
  double *g;        /* [stages][w] */
  double *H;        /* [z][z], the same for all stages; positive definite in u */
  double *start;    /* [w] w_0 */
  int n_rows;       /* rows in order of stages */
  StageRow *row;    /* [rows_most] */
  double *a;        /* [rows_most][z] */
  int rows_most;
  double *control; /* [stages][u] answer */
  double *states;  /* [stages + 1][w] motion of the answer */
  double *work;
  long work_size;
} Stages;

/* Allocates a problem. Returns false when out of memory; clear it then, too. */
bool stages_init(Stages *stages, int n, int w, int u, int rows_most);
void stages_clear(Stages *stages);

/* Returns a zeroed row, [z], to be filled. Rows must be added in order of stages. */
double *stages_add_row(Stages *stages, int stage, double lower, double upper);

/* Returns the minimum. INFINITY: the rows contradict each other, no answer was found, or the minimum was proven to
 * exceed `enough`, which is known sooner (INFINITY: no limit). NAN: out of memory. */
double stages_solve(Stages *stages, double enough);

#endif
