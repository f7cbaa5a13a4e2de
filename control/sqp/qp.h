/* The quadratic problem of a step of SQP:
 *
 *     minimise  z'H z/2 - g'z + sum_j weight_j |b_j + a_j'z|_j     so that    lower <= z <= upper,  |z_k - z_{k-1}| <= rise
 *
 * |r|_j is |r| of an equality, max(0, r) of an inequality: a row that cannot be met costs its weight, so that there always is an
 * answer, and its multiplier is no larger than that. H is symmetric positive definite and banded. The last variables may be tops: each
 * row is less one of them at most, and H is diagonal there.
 *
 * A primal-dual interior point method after Mehrotra: slacks s and multipliers of all inequalities stay positive, and each iteration
 * solves a linear system in z and the rows' multipliers (kkt.h). */
#ifndef CONTROL_QP_H
#define CONTROL_QP_H

#include <stdbool.h>

enum { CTL_QP_SIDES = 4 }; /* z <= upper, lower <= z, z_k - z_{k-1} <= rise, the other way round */

typedef struct CtlQp {
  int n, m;              /* variables; rows in use */
  int tops;              /* of the variables, the last ones */
  int rows_most;         /* m at most */
  int apart;             /* z_k and z_{k-1} are so many variables apart */
  int band;              /* H_ij = 0 for |i - j| > band >= apart */
  double *H;             /* [n][band + 1] H_ij at [i][band + j - i], j <= i; owned by the struct, as all */
  double *g;             /* [n] */
  double *lower, *upper; /* [n] may be infinite */
  double *rise;          /* [n] to the variable `apart` before; of the first to 0; INFINITY: any */
  double *rows;          /* [m][n - tops] */
  double *b, *weight;    /* [m] */
  bool *equality;        /* [m] */
  int *top;              /* [m] the top, from 0, that a row is less; -1, as at first: none; then of all of them */

  double *z;      /* [n] the answer, inside the bounds */
  double *y;      /* [m] its multipliers: H z - g + A'y + .. = 0 */
  int iterations; /* of the last solution */
  /* The working set (working_set.c). Its rows have as much room again behind rows, b, weight, y and equality. */
  int *chosen;     /* [m] the row in all of each of its rows */
  bool *is_chosen; /* [m] whether a row is in it */
  double *work;
} CtlQp;

/* Returns false when out of memory; to be cleared, too. */
bool ctl_qp_init(CtlQp *qp, int n, int tops, int rows_most, int apart, int band);
void ctl_qp_clear(CtlQp *qp);

/* out = H z, [n] each: the gradient of z'H z/2. */
void ctl_qp_multiply(const CtlQp *qp, const double *z, double *out);

/* From z, which may be anything. Returns false when no answer was found to round-off's square root (a number is not finite). */
bool ctl_qp_solve(CtlQp *qp);

/* Likewise, with all rows at once: ctl_qp_solve calls it with few rows. */
bool ctl_qp_solve_rows(CtlQp *qp);

#endif
