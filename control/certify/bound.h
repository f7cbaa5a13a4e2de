/* SPDX-License-Identifier: BSD-2-Clause */
/* Inequalities (forms) between any two motions of a system, and the cut that one simulated motion gives. A cut is a
 * condition that all controls which meet the target satisfy. README.md has the theory. Controls are scaled, w = L'u,
 * so that J(u) = |w|^2 = u'L L'u. */
#ifndef CONTROL_CERTIFY_BOUND_H
#define CONTROL_CERTIFY_BOUND_H

#include "control/base/bytes.h"
#include "control/certify.h"

enum {
  BOUND_N = CTL_CERTIFY_VARIABLES,
  BOUND_D = 64,    /* maximum number of degrees of freedom, which is that of the scheme event */
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
  double off[BOUND_N];   /* off_k = sum_i off_i |G_ki|, with off_i of CtlBound: by how much misses within `accept`
                          * and simulation errors may change entry k of the slope G m */
  double *rounded;       /* [m] numbers r that bound the effect of dS, the round-off of S: |m'dS m| <= sum_i r_i
                          * m_i^2 */
  double *slope_rounded; /* [n][m] bounds of the round-off of the entries of G */
} BoundForm;

struct CtlBound {
  int n, m, d;
  double L[BOUND_N][BOUND_N]; /* lower triangular Cholesky factor L of the matrix of the effort, J(u) = u'L L'u */
  double lower[BOUND_N],
      /* limits of w. They follow from the ball |w|^2 <= effort and, for a diagonal weight, from the bounds of u */
      upper[BOUND_N];
  int *given;     /* [m] indices in (x, v) of the entries that have a target */
  double *target; /* [m] */
  double *errors; /* [2][d] error bounds of x(T) and v(T) of simulations */
  double *off;    /* [m] largest difference from the target that a simulation may show although the control meets the
                * target: the tolerance `accept` plus errors of the simulation */
  double near;    /* relative size of boxes below which it usually cannot be decided whether a control meets the target,
                * because of the tolerance `accept` */
  double *work;   /* [2][m] workspace, for one process and one thread */
  BoundForm *forms;
  int n_forms;
};

/* Cut by one form and one motion, that of the control `at`. All controls w that meet the target satisfy, with dw = w -
 * at,
 *
 *     slope'dw + dw'H dw/2 + sum_k off_k |dw_k| >= depth                                                      (6) */
typedef struct Cut {
  double at[BOUND_N], slope[BOUND_N], depth;
  int form;
} Cut;

/* Returns the number of doubles in the matrices S and G of a form and in the bounds of their round-off. */
static inline size_t bound_form_numbers(const CtlBound *bound) {
  size_t m = (size_t)bound->m, n = (size_t)bound->n;
  return m * (m + n) + m + n * m;
}

/* Returns m'S m/2, where m is the miss of the target, minus bounds of the effects of round-off and of errors in m,
 * which are at most off_i. slope: set to G m. */
double bound_depth(const CtlBound *bound, const BoundForm *form, const double *m, double slope[BOUND_N]);

/* Returns the next form of bound->forms, which has room for BOUND_FORMS, with S and G zero. The caller increments
 * n_forms. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus bound_add_form(CtlBound *bound, BoundForm **form);

/* Computes the control u = L'^-1 w from the scaled control w. The next function computes the inverse, w = L'u. */
void bound_to_control(const CtlBound *bound, const double w[BOUND_N], double *control);

/* Returns the largest miss of a final state x, v [d], relative to the largest miss that a simulation may show for a
 * control that meets the target. */
double bound_miss(const CtlBound *bound, const double *x, const double *v);

/* Returns the cut that the motion of control `at` gives, with final state x, v [d]. */
Cut bound_cut(const CtlBound *bound, int form, const double at[BOUND_N], const double *x, const double *v);

#endif
