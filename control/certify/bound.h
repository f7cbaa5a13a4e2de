/* SPDX-License-Identifier: BSD-2-Clause */
/* Inequalities (called forms) between any two motions of a system, and the cut that one simulated motion gives. A cut
 * is a condition that all controls which meet the target satisfy. README.md has the theory. Controls are scaled, w =
 * L'u, so that J(u) = |w|^2 = u'L L'u. */
#ifndef CONTROL_CERTIFY_BOUND_H
#define CONTROL_CERTIFY_BOUND_H

#include "control/base/bytes.h"
#include "control/certify.h"

enum {
  BOUND_N = CTL_CERTIFY_VARIABLES,
  BOUND_D = 64,    /* maximum number of degrees of freedom, equal to that of the scheme `event` */
  BOUND_FORMS = 64 /* maximum number of inequalities */
};

/* One inequality between any two motions, minimised over the entries of the final state that have no target. With the
 * difference m of the other entries, those with a target, and the difference dw of the scaled controls:
 *
 *   m'S m/2 - dw'G m - dw'H dw/2 <= 0                                                                            (5)
 *
 * S [m][m], G [n][m], H [n][n]; owned by the bound, in one allocation with the last two fields. */
typedef struct BoundForm {
  double *S, *G;
  double H[BOUND_N][BOUND_N];
  double above[BOUND_N]; /* diagonal matrix D with dw'H dw <= dw'D dw */
  double off[BOUND_N];   /* off_k = sum_i off_i |G_ki|, with off_i of CtlBound: by how much errors of the final state,
                          * from the tolerance `accept` and from the simulation, may change entry k of the slope G m */
  double *rounded;       /* [m] numbers r that bound the effect of the round-off dS of S: |m'dS m| <= sum_i r_i m_i^2 */
  double *slope_rounded; /* [n][m] bounds of the round-off of the entries of G */
} BoundForm;

struct CtlBound {
  int n, m, d;
  double L[BOUND_N][BOUND_N]; /* lower triangular Cholesky factor L of the matrix of the effort, J(u) = u'L L'u */
  double lower[BOUND_N],
      /* limits of w. They follow from the ball |w|^2 <= effort and, if the weight is diagonal, from the bounds of u */
      upper[BOUND_N];
  int *given;     /* [m] indices in (x, v) of the entries that have a target */
  double *target; /* [m] values of the target for these entries */
  double *errors; /* [2][d] error bounds of x(T) and v(T) of simulations */
  double *off;    /* [m] largest difference from the target that a simulation may show although the control meets the
                   * target: the tolerance of `accept` plus the error of the simulation */
  double near;    /* size of boxes, relative to the box of all controls, below which it usually cannot be decided
                   * whether a control meets the target, because of the tolerance `accept` */
  double *work;   /* [2][m] workspace, for one process and one thread */
  BoundForm *forms;
  int n_forms;
};

/* Cut by form number `form` and by one motion, the motion of the control `at`. All controls w that meet the target
 * satisfy, with dw = w - at and off_k of the form,
 *
 *   slope'dw + dw'H dw/2 + sum_k off_k |dw_k| >= depth                                                           (6) */
typedef struct Cut {
  double at[BOUND_N], slope[BOUND_N], depth;
  int form;
} Cut;

/* Returns the number of doubles in the matrices S and G of a form and in the bounds of their round-off. */
static inline size_t bound_form_numbers(const CtlBound *bound) {
  size_t m = (size_t)bound->m, n = (size_t)bound->n;
  return m * (m + n) + m + n * m;
}

/* Returns m'S m/2, where m is the difference of a final state from the target, minus bounds of the effects of round-off
 * and of errors in m, which are at most off_i. slope: set to G m. */
double bound_depth(const CtlBound *bound, const BoundForm *form, const double *m, double slope[BOUND_N]);

/* Sets *form to the next unused form of bound->forms, an array of BOUND_FORMS, with S and G zero. The caller then
 * increments n_forms. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus bound_add_form(CtlBound *bound, BoundForm **form);

/* Computes the control u = L'^-1 w from the scaled control w. */
void bound_to_control(const CtlBound *bound, const double w[BOUND_N], double *control);

/* Returns the largest difference of a final state x, v [d] from the target, relative to the largest difference that a
 * simulation may show for a control that meets the target. */
double bound_miss(const CtlBound *bound, const double *x, const double *v);

/* Returns the cut that inequality number `form` gives with the motion of the control `at`. x, v [d]: final state of
 * this motion. */
Cut bound_cut(const CtlBound *bound, int form, const double at[BOUND_N], const double *x, const double *v);

#endif
