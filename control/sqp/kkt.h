/* SPDX-License-Identifier: BSD-2-Clause */
/* Linear system of an iteration of the interior point method in qp.c. The unknowns are the changes dz of the variables
 * and dy of the multipliers of the m rows:
 *
 *   K dz + A'dy = p, A dz - Delta dy = -c, K = H + G'diag(lambda/s)G, Delta > 0 diagonal
 *
 * G are the bounds, with multipliers lambda and slacks s. There are two ways to solve it. Solution by rows, for few
 * rows: K is banded, because variables are coupled to those of adjacent segments only, and is factored, K = U'U. With V
 * = U'^-1 A', the Schur complement of K is a system of m equations:
 *
 *   (V'V + Delta) dy = c + V'q, U'q = p, U dz = q - V dy
 *
 * It takes m^2 n operations besides the n band^2 of the factors, so the time grows linearly with the segments. Solution
 * by columns, for many rows, with or without tops: (K + A'W A) dz = p - A'W c, W = Delta^-1. Without tops it is used
 * for inequalities, or more rows than can be solved by rows, since equalities make W so large that K is lost in the sum.
 * A top is a variable that rows only subtract (qp.h). Each row subtracts at most one top t, and K_tt = k_t is diagonal.
 * The tops are eliminated by means of a_t, the mean of their rows weighted by W. The remaining system for the n - tops
 * other variables u has the matrix
 *
 *   K_uu + sum_t { sum_j W_j (a_j - a_t)(a_j - a_t)' + w_t k_t/(k_t + w_t) a_t a_t' }, w_t = sum_j W_j
 *
 * It takes m (n - tops)^2 operations instead of m^2 (n - tops) for the solution by rows. An objective that is a mean
 * over scenarios has one top for each scenario. */
#ifndef CONTROL_KKT_H
#define CONTROL_KKT_H

#include "control/sqp/qp.h"

#include <stddef.h>

typedef struct CtlKkt {
  double *K;     /* [n][band + 1] the matrix K, stored like H */
  double *delta; /* [m] diagonal of Delta */
  bool by_columns;
  double *solved; /* solution by rows: V [wide][m]; solution by columns: workspace [m + tops][wide], factors of the sum
                   * for K_uu above; wide = n - tops */
  double *schur;  /* factored matrix of the system that is solved. By rows: V'V + Delta [m][m]; by columns: the sum
                   * above for K_uu [wide][wide] */
  double *mean;   /* [tops][wide] weighted mean a_t of the rows of each top */
  double *sum;    /* [tops] sum w_t of the weights W_j of the rows of each top */
  double *pull;   /* [tops] sum of W_j c_j over the rows j of each top */
  double *dz, *dy, *p, *c; /* [n], [m], [n], [m] workspace of the iterative refinement */
} CtlKkt;

/* ctl_kkt_size returns the size of all arrays above, in doubles. The caller allocates them, and ctl_kkt_lay_out sets
 * the pointers. */
size_t ctl_kkt_size(const CtlQp *qp);
void ctl_kkt_lay_out(CtlKkt *kkt, const CtlQp *qp, double *from);

/* Factors the system from K and delta. Overwrites K. Returns false if the system is singular. */
bool ctl_kkt_factor(CtlKkt *kkt, const CtlQp *qp);

/* Solves the system. dz: [n] p on entry, the solution on return; dy: [m] the solution. The right-hand side of the
 * rows is c = c[0] - c[1] + c[2] plus A K^-1 p. The order of summation is fixed, because round-off decides the side
 * at a kink, where most answers lie. */
void ctl_kkt_solve(const CtlKkt *kkt, const CtlQp *qp, const double *const c[3], double *dz, double *dy);

/* Computes out = M z, [n] each, for a symmetric banded matrix M that is stored like H. */
void ctl_kkt_multiply(const CtlQp *qp, const double *matrix, const double *z, double *out);

/* ctl_kkt_row_times returns a_j'z for row a_j of the problem. ctl_kkt_row_add adds y a_j to out. */
double ctl_kkt_row_times(const CtlQp *qp, int j, const double *z);
void ctl_kkt_row_add(const CtlQp *qp, int j, double y, double *out);

#endif
