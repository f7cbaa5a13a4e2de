/* SPDX-License-Identifier: BSD-2-Clause */
/* The friction part of the splitting schemes: substeps of length tau that change the velocity V only, with x fixed
 * (Shiau-Glowinski (3.13)-(3.14); Glowinski et al. (19)-(22); with a gear box their (27)). W_old and W are the
 * velocities before and after a substep:
 *
 *   M (W - W_old) + tau (C_e lambda - drop(W_old)) = tau (f + B u - load), lambda_i in sgn(W_i),
 *   C_e = c + |k| (b-a)/2, load = k (a+b)/2, drop(w) = c gamma(w) + k (b-a)/2 gamma_gb(delta w),
 *
 * that is M W + tau C_e lambda = b: k and delta have the same sign, so that k sgn(delta w) = |k| sgn w. With the smooth
 * law, lambda_i = W_i / sqrt(eta^2 + W_i^2) instead. Without a gear box C_e = c, load = 0.
 *
 * Dofs without mass (massless_step.h) have W = 0. */
#ifndef SIM_FRICTION_SUBSTEP_H
#define SIM_FRICTION_SUBSTEP_H

#include "sim/core/model.h"
#include "sim/law/lane_vector.h"

typedef struct FrictionSubstep {
  double tau;          /* length of a substep, in s */
  const double *light; /* [d] 1 for dofs without mass, else 0; NULL: all dofs have mass. Borrowed */
  bool closed;         /* whether each W_i is computed in closed form: M is diagonal and the solver is exact */
  DenseSolver solver;  /* solver of M W + tau C_e lambda = b */
} FrictionSubstep;

enum { FRICTION_SUBSTEP_SCRATCH = 2 }; /* number of scratch vectors [d] */

/* Initialises a substep: factors M, with 1 on the diagonal for dofs without mass. Returns SIM_OK, SIM_NO_MEMORY or
 * SIM_BAD_PROBLEM. */
SimStatus friction_substep_init(FrictionSubstep *substep, const SimProblem *problem, const double *light, double tau);
void friction_substep_clear(FrictionSubstep *substep);

/* Returns W_i for a diagonal M and lambda in sgn(w): 0 if |b_i| <= q_i = tau C_e, otherwise (b_i - q_i
 * sign(b_i))/M_ii. */
LANE_INLINE Simd friction_substep_closed(const DenseSolver *s, int i, Simd b) {
  Simd held = simd_between(b, simd_of(-s->threshold[i]), simd_of(s->threshold[i]));
  return (b - held) * s->mobility[i];
}

/* Performs n substeps on work->v from time t on, in s. f: [n][d], the force of each substep. lambda: [d] multiplier of
 * the previous substep on entry, of the last one on return; the multiplier of each substep is added to work->lambda.
 * work->slip: set by the last substep. Adds energies to work->energy if work->watched. scratch:
 * [FRICTION_SUBSTEP_SCRATCH][d]. Returns SIM_OK, SIM_NOT_CONVERGED or SIM_NON_FINITE. */
SimStatus friction_substep_run(const FrictionSubstep *substep, const SimModel *model, SimWorkspace *work, double t,
                               const double *f, int n, double *lambda, double *scratch);

#endif
