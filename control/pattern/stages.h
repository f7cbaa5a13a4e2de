/* SPDX-License-Identifier: BSD-2-Clause */
/* A convex quadratic problem in stages, as in linear optimal control with a piecewise signal. Stage k has a state w_k
 * and a control u_k:
 *
 *   minimise sum_k z_k'H z_k/2, z_k = (w_k, u_k), with given w_0, subject to w_{k+1} = F_k z_k + g_k,
 *   lower <= a'z_k <= upper for each inequality, a'z_k = b for each equality.
 *
 * Inequalities and equalities are called rows. Method: Mehrotra's primal-dual interior-point method. Each iteration
 * solves a linear system: a Riccati recursion solves it without the equalities, and a small Schur complement takes the
 * equalities into account. The time is proportional to the number of stages. */
#ifndef CONTROL_PATTERN_STAGES_H
#define CONTROL_PATTERN_STAGES_H

#include <stdbool.h>

/* A row of stage k: a constraint on a'z_k. If k is the number of stages, the row is for the final state, and its
 * coefficients for u are not used. */
typedef struct StageRow {
  int stage;
  double lower, upper; /* limits of a'z; if they are equal, the row is an equality; they may be infinite */
} StageRow;

typedef struct Stages {
  int stages, w, u; /* number of stages; number of entries of the state (w), of the control (u), and of both together
                     * (z = w + u) */
  const double **F; /* [stages] borrowed matrices [w][z] of the transitions */
  double *g;        /* [stages][w] vectors g_k, the constant parts of the transitions w_{k+1} = F_k z_k + g_k */
  double *H;        /* [z][z] matrix of the cost z'H z/2, the same for all stages; positive definite in u */
  double *start;    /* [w] given state w_0 of the first stage */
  int n_rows;       /* number of rows, which are in order of stages */
  StageRow *row;    /* [rows_most] rows: stages and limits */
  double *a;        /* [rows_most][z] coefficients a of each row */
  int rows_most;
  double *control; /* [stages][u] controls u_k of the solution */
  double *states;  /* [stages + 1][w] states w_k of the solution */
  double *work;
  long work_size;
} Stages;

/* Allocates a problem. Returns false when out of memory; the problem must be cleared then, too. */
bool stages_init(Stages *stages, int n, int w, int u, int rows_most);
void stages_clear(Stages *stages);

/* Adds a row to a stage and returns its coefficients a [z], all zero, which the caller fills. Rows must be added in the
 * order of stages. */
double *stages_add_row(Stages *stages, int stage, double lower, double upper);

/* Returns the minimum, or INFINITY if the rows contradict each other, if no solution was found, or if the minimum was
 * proven to exceed `enough` (which takes less time; INFINITY: no limit). Returns NAN when out of memory. */
double stages_solve(Stages *stages, double enough);

#endif
