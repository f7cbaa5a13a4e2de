/* SPDX-License-Identifier: BSD-2-Clause */
/* The frictionless half of the splitting schemes, M X'' + D X' + A X = 0 over dt (Shiau-Glowinski (2.10), (5.1)-(5.3)).
 *
 * Choice `difference`: Q substeps tau = dt/Q of the three-level scheme
 *
 *     M (X+ - 2X + X-)/tau^2 + D (X+ - X-)/(2 tau) + A (alpha X+ + (1-2alpha) X + alpha X-) = 0,
 *     X^1 - X^{-1} = 2 tau V,
 *
 * V = (X^{Q+1} - X^{Q-1})/(2 tau), written for the acceleration a = (X+ - 2X + X-)/tau^2 and the velocity at half
 * substeps h = (X - X-)/tau, which avoids differences of positions, with K = M + alpha tau^2 A:
 *
 *     K a^0 = -(A X^0 + D V),   h^{1/2} = V + tau/2 a^0
 *     X^q = X^{q-1} + tau h^{q-1/2},   (K + tau/2 D) a^q = -(A X^q + D h^{q-1/2}),   h^{q+1/2} = h^{q-1/2} + tau a^q
 *     V = h^{Q-1/2} + tau/2 a^Q
 *
 * Dofs without mass P (massless_step.h) have V = 0 and a = 0; their X^q belongs to X^q of the other dofs M. So K
 * contains A_MM - S instead of A_MM, S = A_MP A_PP^-1 A_PM: alpha adds no inertia for massless dofs that follow without
 * friction.
 *
 * Choice `exact`: by the eigenvectors A phi = omega^2 M phi, Phi'M Phi = I; requires D = 0 and no dofs without mass. */
#ifndef SIM_ELASTIC_STEP_H
#define SIM_ELASTIC_STEP_H

#include "sim/core/model.h"
#include "sim/operator/lane_multiply.h"

typedef struct ElasticStep {
  int d;
  bool damped;
  int substeps; /* Q; 0: exact */
  double tau;   /* length of a substep: dt/Q; for the choice `exact` dt */
  double *room; /* memory of all arrays below; owned */
  /* matrices for the choice `difference` of the key scheme.elastic: */
  double *inertia; /* [d][d] K = M + alpha tau^2 A, the mass matrix with a part for stability */
  double *first;   /* [d][d] K^-1 */
  double *inverse; /* [d][d] (K + tau/2 D)^-1 */
  /* for the choice `exact`: the changes over dt, X -> X + dt V + Phi (turn p + lag r), V -> V + Phi (kick p + turn r),
   * with p = Phi'M X, r = Phi'M V; in this form dofs without stiffness move exactly by dt V */
  double *modes;   /* [k][d] phi_k */
  double *project; /* [k][d] phi_k'M */
  double *turn;    /* [k] cos(omega dt) - 1 */
  double *lag;     /* [k] sin(omega dt)/omega - dt */
  double *kick;    /* [k] -omega sin(omega dt) */
} ElasticStep;

/* State vectors, [d] each, of one rollout or of several lanes. v is the velocity V at the ends of a step; within the
 * step it is h, the velocity at half substeps. */
typedef struct ElasticRows {
  LaneVector *x, *v;
  LaneVector *a, *force; /* acceleration a; scratch */
} ElasticRows;

/* Computes the acceleration a = -inverse (A x + D v). */
LANE_INLINE void elastic_accelerate(int d, const ElasticStep *step, const SimProblem *p, const double *inverse,
                                    ElasticRows at) {
  lane_multiply(d, p->system.stiffness, at.x, at.force);
  if (step->damped) {
    lane_multiply(d, p->system.damping, at.v, at.a);
    for (int i = 0; i < d; i++) EACH(v) at.force[i].v[v] += at.a[i].v[v];
  }
  lane_multiply(d, inverse, at.force, at.a);
  LANE_UNROLL for (int i = 0; i < d; i++) EACH(v) at.a[i].v[v] = -at.a[i].v[v];
}

/* Adds reach a to the velocity v: the effect of the acceleration a over the time reach, in s. */
LANE_INLINE void elastic_kick(int d, double reach, ElasticRows at) {
  LANE_UNROLL for (int i = 0; i < d; i++) EACH(v) at.v[i].v[v] += reach * at.a[i].v[v];
}

/* For the choice `difference`: computes X^q and a^q from h^{q-1/2}. The caller then adds tau a to the velocity
 * (elastic_kick), or tau/2 a after the last substep. */
LANE_INLINE void elastic_drift(int d, const ElasticStep *step, const SimProblem *p, ElasticRows at) {
  LANE_UNROLL for (int i = 0; i < d; i++) EACH(v) at.x[i].v[v] += step->tau * at.v[i].v[v];
  elastic_accelerate(d, step, p, step->inverse, at);
}

/* For the choice `exact`: performs the whole step. */
LANE_INLINE void elastic_exact(int d, const ElasticStep *step, ElasticRows at) {
  lane_multiply(d, step->project, at.x, at.a);
  lane_multiply(d, step->project, at.v, at.force);
  LANE_UNROLL for (int i = 0; i < d; i++) EACH(v) at.x[i].v[v] += step->tau * at.v[i].v[v];
  for (int k = 0; k < d; k++) {
    EACH(v) {
      Simd moved = step->turn[k] * at.a[k].v[v] + step->lag[k] * at.force[k].v[v];
      Simd kicked = step->kick[k] * at.a[k].v[v] + step->turn[k] * at.force[k].v[v];
      LANE_UNROLL for (int i = 0; i < d; i++) {
        at.x[i].v[v] += step->modes[k * d + i] * moved;
        at.v[i].v[v] += step->modes[k * d + i] * kicked;
      }
    }
  }
}

enum { ELASTIC_STEP_SCRATCH = 3 }; /* number of scratch vectors [d] */

/* Initialises the elastic step of a problem. light: [d] 1 for dofs without mass, else 0; NULL: all dofs have mass.
 * Returns SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM if a factorisation failed. */
SimStatus elastic_step_init(ElasticStep *step, const SimProblem *problem, const double *light);
void elastic_step_clear(ElasticStep *step);

/* Advances work->x and work->v by the time dt. If work->watched, adds the energies to work->energy. scratch:
 * [ELASTIC_STEP_SCRATCH][d]. */
void elastic_step_run(const ElasticStep *step, const SimModel *model, SimWorkspace *work, double *scratch);

#endif
