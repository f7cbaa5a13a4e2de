/* What any two motions of the same system have to do with each other, and what one of them, simulated, tells of the other: README.md.
 * Controls are w = L'u here, with J(u) = |w|^2 = u'L L'u. */
#ifndef CONTROL_CERTIFY_BOUND_H
#define CONTROL_CERTIFY_BOUND_H

#include "control/base/bytes.h"
#include "control/certify.h"

enum {
  BOUND_N = CTL_CERTIFY_VARIABLES,
  BOUND_D = 64,    /* degrees of freedom: as many as event has room for */
  BOUND_FORMS = 64 /* at most */
};

/* One inequality that every two motions meet, once what is not given of x_T, v_T has been minimised away. With m the difference of
 * the given entries, dw that of controls:
 *
 *     m'S m/2 - dw'G m - dw'H dw/2 <= 0                                                                       (5)
 *
 * [m][m], [n][m], [n][n]; owned by the bound, in one block with the last two. */
typedef struct BoundForm {
  double *S, *G;
  double H[BOUND_N][BOUND_N];
  double above[BOUND_N]; /* a diagonal matrix with dw'H dw <= its form */
  double off[BOUND_N];   /* sum_i off_i |G_ki|: what the allowed misses and errors may add to the slope */
  double *rounded;       /* [m] r with |m'dS m| <= sum_i r_i m_i^2 for what round-off may have made of S */
  double *slope_rounded; /* [n][m] likewise of G, entry by entry */
} BoundForm;

struct CtlBound {
  int n, m, d;
  double L[BOUND_N][BOUND_N]; /* lower triangle */
  double lower[BOUND_N],
      upper[BOUND_N]; /* of w, by the ball |w|^2 <= effort and, where the weight is diagonal, by u's bounds */
  int *given;         /* [m] entries of (x, v) */
  double *target;     /* [m] */
  double *errors;     /* [2][d] of simulations */
  double *off;        /* [m] how far a control that meets the target may seem off: accept and errors */
  double near;        /* part of the whole: the size of boxes that accept does not tell apart, roughly */
  double *work;       /* [2][m]; one process, one thread */
  BoundForm *forms;
  int n_forms;
};

/* What one motion tells of all controls w that meet the target, by one form, with dw = w - at:
 *
 *     slope'dw + dw'H dw/2 + sum_k off_k |dw_k| >= depth                                                      (6) */
typedef struct Cut {
  double at[BOUND_N], slope[BOUND_N], depth;
  int form;
} Cut;

/* Numbers of S, G and what round-off may have made of them. */
static inline size_t bound_form_numbers(const CtlBound *bound) {
  size_t m = (size_t)bound->m, n = (size_t)bound->n;
  return m * (m + n) + m + n * m;
}

/* m'S m/2 less what entries of m that are off by off_i may take from it, and what round-off may have added; slope = G m. */
double bound_depth(const CtlBound *bound, const BoundForm *form, const double *m, double slope[BOUND_N]);

/* The next of bound->forms, of which there is room for BOUND_FORMS: S, G zero; it counts when n_forms does. SIM_OK or SIM_NO_MEMORY. */
SimStatus bound_add_form(CtlBound *bound, BoundForm **form);

/* u = L'^-1 w, and back. */
void bound_to_control(const CtlBound *bound, const double w[BOUND_N], double *control);
void bound_from_control(const CtlBound *bound, const double *control, double w[BOUND_N]);

/* The largest miss of a motion that ends at x, v, [d] each, as a part of how far off a control that meets the target may seem. */
double bound_miss(const CtlBound *bound, const double *x, const double *v);

/* Of the motion of `at` that ends at x, v: [d]. */
Cut bound_cut(const CtlBound *bound, int form, const double at[BOUND_N], const double *x, const double *v);

#endif
