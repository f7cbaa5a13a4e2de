/* SPDX-License-Identifier: BSD-2-Clause */
/* The problem, scaled to numbers of size 1 for the matrices of a bound. Time is scaled by the final time T, positions
 * x, velocities v and controls u by X, V, U, and the cost J by `effort`. X, V, U are powers of two, so that scaling
 * does not round. u includes B^-1 f if the force f varies (force.h). For all motions with J <= effort, at all times
 *
 *   |x_i| <= 1, |v_i| <= 1, |lambda_i| <= 1, and int u_j^2 dt <= `brief`                                        (3)
 *
 * where `brief` is a fraction of the total time (bound_mesh_brief). The limits of x and v follow from the energy: |v|_M
 * <= |v0|_M + |x0|_A + int |f|_{M^-1} dt + sqrt(T kappa effort), with the norm |a|_M = sqrt(a'M a) and the trace kappa
 * of N^-1 B'M^-1 B. */
#ifndef CONTROL_BOUND_MOTION_H
#define CONTROL_BOUND_MOTION_H

#include "control/bound/force.h"

typedef struct BoundMotion {
  int d, m, rubbing,
      /* d: number of dof. m: number of entries of u. rubbing: number of dof with friction. dropping: number of dof
       * with friction that drops with speed. */
      dropping;
  const SimProblem *sim; /* borrowed */
  int y;                 /* size of the vector (1, x, v, u, lambda, g), where g = gamma(v) is the drop of friction with
                          * speed v */
  double end, effort;
  int *contact;          /* [d] for each dof the index of its friction in lambda; -1: the dof has no friction */
  int *drop;             /* [d] for each dof the index of its drop of friction in g; -1: its friction does not drop */
  double *force;         /* [d] force f, in N, if it is constant; otherwise 0, and force.h or drift.h describes the
                          * force */
  double *X, *V, *U;     /* [d], [d], [m] scales of x, v and u, powers of two */
  double *rate;          /* [d][y] rows that give the scaled accelerations v_i' from the vector (1, x, v, u, lambda,
                          * g) */
  double *rate_off;      /* [d][y] error bounds of the entries of `rate` */
  double *weight;        /* [m][m] weight N of u.u in the cost J, scaled */
  double *from, *to;     /* [2d] x and v at the start; [2d] x and v at the target, NAN: the entry is free */
  double *lower, *upper; /* [m] bounds of the control u; -INFINITY, INFINITY: no bound */
} BoundMotion;

/* These functions return the indices of entries of x, v, u, lambda and g in the vector (1, x, v, u, lambda, g). */
static inline int bound_x(int i) { return 1 + i; }
static inline int bound_v(const BoundMotion *motion, int i) { return 1 + motion->d + i; }
static inline int bound_u(const BoundMotion *motion, int j) { return 1 + 2 * motion->d + j; }
static inline int bound_lambda(const BoundMotion *motion, int i) {
  return 1 + 2 * motion->d + motion->m + motion->contact[i];
}

static inline int bound_drop(const BoundMotion *motion, int i) {
  return 1 + 2 * motion->d + motion->m + motion->rubbing + motion->drop[i];
}

/* Returns the factor in the scaled equation x_i' = factor v_i. */
static inline double bound_pace(const BoundMotion *motion, int i) { return motion->end * motion->V[i] / motion->X[i]; }

/* Solves the equation of motion for one pattern of signs. Dofs with sign[i] = 0 are at rest, the others move. Computes
 * v_i' of the moving dofs, and lambda_i of the resting dofs from v_i' = 0. The results are linear functions of the
 * vector (1, x, v of the moving dofs, u): coefficients and their error bounds, [d][n] each, which must be zero on
 * entry. Returns SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM if the mass matrix of the moving dofs is too
 * ill-conditioned. */
SimStatus bound_motion_pattern(const BoundMotion *motion, const int *sign, int n, double *rate, double *rate_off,
                               double *lambda, double *lambda_off);

/* Scales a problem that ctl_lower_bound_check accepts. brief: see (3) above. Returns SIM_OK, SIM_NO_MEMORY, or
 * SIM_BAD_PROBLEM if the mass matrix M or the weight N is too ill-conditioned. */
SimStatus bound_motion_create(const CtlProblem *problem, const SimProblem *sim, const BoundForce *force, double effort,
                              double brief, BoundMotion *motion);
void bound_motion_clear(BoundMotion *motion);

#endif
