/* A problem in numbers of size 1, for the matrices of a bound: time in parts of T, x, v, u in parts of X, V, U, J in parts of `effort`. Scales are
 * powers of two, so that they round nothing. u: with B^-1 f, where f varies (force.h). Of all motions with J <= effort, at all times
 *
 *     |x_i| <= 1,  |v_i| <= 1,  |lambda_i| <= 1,  and  int u_j^2 dt <= `brief`                                   (3)
 *
 * the first two by the energy: |v|_M <= |v0|_M + |x0|_A + int |f|_M^-1 dt + sqrt(T kappa effort), kappa the trace of N^-1 B'M^-1 B. */
#ifndef CONTROL_BOUND_MOTION_H
#define CONTROL_BOUND_MOTION_H

#include "control/bound/force.h"

typedef struct BoundMotion {
  int d, m, rubbing,
      dropping;          /* degrees of freedom, entries of u, dof with friction, with friction that drops with speed */
  const SimProblem *sim; /* borrowed */
  int y;                 /* entries of (1, x, v, u, lambda, g) */
  double end, effort;
  int *contact;          /* [d] which lambda; -1: none */
  int *drop;             /* [d] which g: friction is C (lambda - g) then, g = gamma(v); -1: none */
  double *force;         /* [d] f, N, where it is constant; else 0: force.h, drift.h */
  double *X, *V, *U;     /* [d], [d], [m] */
  double *rate;          /* [d][y] v_i' */
  double *rate_off;      /* [d][y] by how much its entries may be off */
  double *weight;        /* [m][m] N */
  double *from, *to;     /* [2d] x, v at 0 and at the end; NAN: free */
  double *lower, *upper; /* [m] of u; -INFINITY, INFINITY: none */
} BoundMotion;

/* Entries of (1, x, v, u, lambda, g). */
static inline int bound_x(int i) { return 1 + i; }
static inline int bound_v(const BoundMotion *motion, int i) { return 1 + motion->d + i; }
static inline int bound_u(const BoundMotion *motion, int j) { return 1 + 2 * motion->d + j; }
static inline int bound_lambda(const BoundMotion *motion, int i) {
  return 1 + 2 * motion->d + motion->m + motion->contact[i];
}

static inline int bound_drop(const BoundMotion *motion, int i) {
  return 1 + 2 * motion->d + motion->m + motion->rubbing + motion->drop[i];
}

/* x_i' = bound_pace v_i. */
static inline double bound_pace(const BoundMotion *motion, int i) { return motion->end * motion->V[i] / motion->X[i]; }

/* Where dof with friction are at rest, sign[i] = 0, and others move: v_i' of these, and of those the lambda_i with which v_i' = 0, as rows on
 * (1, x, v of what moves, u) with what their entries may be off, [d][n] each, zero at first. SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM: part of M is too
 * ill-conditioned. */
SimStatus bound_motion_pattern(const BoundMotion *motion, const int *sign, int n, double *rate, double *rate_off,
                               double *lambda, double *lambda_off);

/* Of a problem that ctl_lower_bound_check takes. SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM: M or N is too ill-conditioned. */
SimStatus bound_motion_create(const CtlProblem *problem, const SimProblem *sim, const BoundForce *force, double effort,
                              double brief, BoundMotion *motion);
void bound_motion_clear(BoundMotion *motion);

#endif
