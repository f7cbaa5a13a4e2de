/* Inequalities between any two motions of a system, and the cut that one simulated motion gives: README.md. Controls
 * are scaled, w = L'u, so that J(u) = |w|^2 = u'L L'u. */
#ifndef CONTROL_CERTIFY_BOUND_H
#define CONTROL_CERTIFY_BOUND_H

#include "control/base/bytes.h"
#include "control/certify.h"

enum {
  BOUND_N = CTL_CERTIFY_VARIABLES,
  BOUND_D = 64,    /* maximum degrees of freedom, that of event */
  BOUND_FORMS = 64 /* maximum number of inequalities */
};

/* One inequality for any two motions, with the free entries of x_T, v_T minimised away. With m the difference of the
 * given entries and dw that of the controls:
 *
 *     m'S m/2 - dw'G m - dw'H dw/2 <= 0                                                                       (5)
 *
 * S [m][m], G [n][m], H [n][n]; owned by the bound, in one block with the last two fields. */
typedef struct BoundForm {
  double *S, *G;
  double H[BOUND_N][BOUND_N];
  double above[BOUND_N]; /* diagonal matrix D with dw'H dw <= dw'D dw */
  double off[BOUND_N];   /* sum_i off_i |G_ki|: effect of accepted misses and errors on the slope */
  double *rounded;       /* [m] r with |m'dS m| <= sum_i r_i m_i^2, dS the round-off of S */
  double *slope_rounded; /* [n][m] bounds of the round-off of G, entry by entry */
} BoundForm;

struct CtlBound {
  int n, m, d;
  double L[BOUND_N][BOUND_N]; /* lower triangle of the Cholesky factor of J */
  double lower[BOUND_N],
      upper[BOUND_N]; /* limits of w, by the ball |w|^2 <= effort and, for a diagonal weight, by u's bounds */
  int *given;         /* [m] indices of the given entries in (x, v) */
  double *target;     /* [m] */
  double *errors;     /* [2][d] error bounds of simulations */
  double *off;        /* [m] largest apparent miss of a control that meets the target: accept plus errors */
  double near;        /* relative size of boxes that `accept` cannot distinguish, approximately */
  double *work;       /* [2][m] workspace; one process, one thread */
  BoundForm *forms;
  int n_forms;
};

/* Cut by one motion and one form: all controls w that meet the target satisfy, with dw = w - at,
 *
 *     slope'dw + dw'H dw/2 + sum_k off_k |dw_k| >= depth                                                      (6) */
typedef struct Cut {
  double at[BOUND_N], slope[BOUND_N], depth;
  int form;
} Cut;

/* Number of doubles in S, G and the bounds of their rounding errors. */
static inline size_t bound_form_numbers(const CtlBound *bound) {
  size_t m = (size_t)bound->m, n = (size_t)bound->n;
  return m * (m + n) + m + n * m;
}

/* Returns m'S m/2 minus the effects of errors off_i of m and of round-off; slope = G m. */
double bound_depth(const CtlBound *bound, const BoundForm *form, const double *m, double slope[BOUND_N]);

/* Returns the next of bound->forms (room for BOUND_FORMS) with S, G zero. The caller increments n_forms. SIM_OK or
 * SIM_NO_MEMORY. */
SimStatus bound_add_form(CtlBound *bound, BoundForm **form);

/* u = L'^-1 w, and its inverse. */
void bound_to_control(const CtlBound *bound, const double w[BOUND_N], double *control);

/* Largest miss of a final state x, v [d], relative to the largest apparent miss of a control that meets the target. */
double bound_miss(const CtlBound *bound, const double *x, const double *v);

/* The cut by the motion of control `at` with final state x, v [d]. */
Cut bound_cut(const CtlBound *bound, int form, const double at[BOUND_N], const double *x, const double *v);

#endif
