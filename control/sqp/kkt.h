/* The linear system of an iteration of qp.c, in what z and the rows' multipliers change by:
 *
 *     K dz + A'dy = p,    A dz - Delta dy = -c,    K = H + G'diag(lambda/s)G,    Delta > 0 diagonal
 *
 * By rows: K is banded in time and factored, K = U'U. With V = U'^-1 A', the Schur complement of K is a system of the m rows:
 *
 *     (V'V + Delta) dy = c + V'q,    U'q = p,    U dz = q - V dy
 *
 * It takes m^2 n operations beside n band^2 of the factors, so that time grows linearly with the segments. That is the way of few rows.
 * By columns: (K + A'W A) dz = p - A'W c, W = Delta^-1. Each row has one top t at most, and K_tt is diagonal: of the tops' columns
 * nothing is left but their rows' mean a_t, weighted by W, and
 *
 *     K_uu + sum_t { sum_j W_j (a_j - a_t)(a_j - a_t)' + w_t k_t/(k_t + w_t) a_t a_t' },    w_t = sum_j W_j,
 *
 * is a system of the n - tops other columns. It takes m (n - tops)^2 operations where the rows take m^2 (n - tops), and is the way of
 * many: a mean of scenarios has a top for each of them. */
#ifndef CONTROL_KKT_H
#define CONTROL_KKT_H

#include "control/sqp/qp.h"

#include <stddef.h>

typedef struct CtlKkt {
  double *K;     /* [n][band + 1] laid out as H */
  double *delta; /* [m] */
  bool by_columns;
  double *solved;          /* by rows [wide][m] V; by columns [m + tops][wide] what the sum above is made of */
  double *schur;           /* by rows [m][m], by columns [wide][wide]: that system, factored */
  double *mean;            /* [tops][wide] a_t */
  double *sum;             /* [tops] w_t */
  double *pull;            /* [tops] sum_j W_j c_j */
  double *dz, *dy, *p, *c; /* [n], [m], [n], [m] of a correction */
} CtlKkt;

/* Numbers of the arrays above; lays them out from there on. */
size_t ctl_kkt_size(const CtlQp *qp);
void ctl_kkt_lay_out(CtlKkt *kkt, const CtlQp *qp, double *from);

/* Once K and delta are filled. Returns false when it is singular. K is spent. */
bool ctl_kkt_factor(CtlKkt *kkt, const CtlQp *qp);

/* dz: [n] p, in its place the answer; dy: [m]. c = c[0] - c[1] + c[2], of which A K^-1 p is the first term: the order is kept, for an answer
 * at a kink, as most are, lies to the side that round-off decides. */
void ctl_kkt_solve(const CtlKkt *kkt, const CtlQp *qp, const double *const c[3], double *dz, double *dy);

/* out = M z, [n] each, of a matrix laid out as H. */
void ctl_kkt_multiply(const CtlQp *qp, const double *matrix, const double *z, double *out);

/* a_j'z; out += y a_j. */
double ctl_kkt_row_times(const CtlQp *qp, int j, const double *z);
void ctl_kkt_row_add(const CtlQp *qp, int j, double y, double *out);

#endif
