/* SPDX-License-Identifier: BSD-2-Clause */
/* The quadratic problem of an SQP step:
 *
 *   minimise z'H z/2 - g'z + sum_j weight_j |b_j + a_j'z|_j so that lower <= z <= upper, |z_k - z_{k-1}| <= rise
 *
 * |r|_j is |r| for an equality and max(0, r) for an inequality. A row j that cannot be satisfied costs its weight times
 * the violation, so a solution always exists and multipliers do not exceed the weights. H is symmetric positive
 * definite and banded. The last variables may be tops: each row subtracts at most one of them, and H is diagonal there.
 * Method: Mehrotra's primal-dual interior point method. Slacks s and multipliers of all inequalities stay positive.
 * Each iteration solves a linear system in z and the rows' multipliers (kkt.h). */
#ifndef CONTROL_QP_H
#define CONTROL_QP_H

#include <stdbool.h>

enum { CTL_QP_SIDES = 4 }; /* kinds of bounds: z <= upper, lower <= z, z_k - z_{k-1} <= rise, z_{k-1} - z_k <= rise */

typedef struct CtlQp {
  int n, m;              /* number of variables; number of rows in use */
  int tops;              /* number of tops: the last variables, which rows only subtract (kkt.h) */
  int rows_most;         /* maximum number of rows */
  int apart;             /* difference of the indices in z of z_k and z_{k-1}: number of variables per segment */
  int band;              /* bandwidth of H: H_ij = 0 for |i - j| > band, and band >= apart */
  double *H;             /* [n][band + 1] H_ij at [i][band + j - i], j <= i; owned, like all arrays */
  double *g;             /* [n] vector g of the linear term -g'z of the objective */
  double *lower, *upper; /* [n] bounds of z; they may be infinite */
  /* [n] limit of the change from the variable `apart` before it, or from 0 for the first `apart` variables; INFINITY:
   * no limit */
  double *rise;
  double *rows;       /* [m][n - tops] coefficients a_j of the rows */
  double *b, *weight; /* [m] each: constants b_j and weights of the rows */
  bool *equality;     /* [m] whether the row is an equality */
  /* [m] index, from 0, of the top that the row subtracts; -1 (default): none. Entries for the rows of the working set
   * follow. */
  int *top;

  double *z;      /* [n] answer, which is inside the bounds */
  double *y;      /* [m] multipliers of the rows. In the gradient of the Lagrangian they appear as H z - g + A'y + .. */
  int iterations; /* number of iterations of the last solve */
  /* Data of working_set.c. The rows of the working set are stored behind all rows in the arrays rows, b, weight, y and
   * equality. */
  int *chosen;     /* [m] original index of each row of the working set */
  bool *is_chosen; /* [m] whether a row is in the working set */
  double *work;
} CtlQp;

/* Allocates a problem. Returns false when out of memory; clear the problem also then. */
bool ctl_qp_init(CtlQp *qp, int n, int tops, int rows_most, int apart, int band);
void ctl_qp_clear(CtlQp *qp);

/* Computes out = H z, [n] each. This is the gradient of z'H z/2. */
void ctl_qp_multiply(const CtlQp *qp, const double *z, double *out);

/* Solves the problem; any z is allowed on entry. Returns false if a number is not finite or if the answer is less
 * accurate than ACCEPTABLE_TOLERANCE. */
bool ctl_qp_solve(CtlQp *qp);

/* Solves the problem with all rows at once. If there are few rows, ctl_qp_solve calls this function. It returns false
 * in the same cases as ctl_qp_solve. */
bool ctl_qp_solve_rows(CtlQp *qp);

#endif
