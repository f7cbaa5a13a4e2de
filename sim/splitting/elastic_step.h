/* The frictionless half of the splitting schemes, M X'' + D X' + A X = 0 over dt (Shiau-Glowinski (2.10), (5.1)-(5.3)).
 *
 * difference: Q substeps tau = dt/Q of the three-level scheme
 *
 *     M (X+ - 2X + X-)/tau^2 + D (X+ - X-)/(2 tau) + A (alpha X+ + (1-2alpha) X + alpha X-) = 0,   X^1 - X^{-1} = 2 tau V,
 *
 * V = (X^{Q+1} - X^{Q-1})/(2 tau), written for the acceleration a = (X+ - 2X + X-)/tau^2 and the velocity at half
 * substeps h = (X - X-)/tau, which does not difference positions, with K = M + alpha tau^2 A:
 *
 *     K a^0 = -(A X^0 + D V),   h^{1/2} = V + tau/2 a^0
 *     X^q = X^{q-1} + tau h^{q-1/2},   (K + tau/2 D) a^q = -(A X^q + D h^{q-1/2}),   h^{q+1/2} = h^{q-1/2} + tau a^q
 *     V = h^{Q-1/2} + tau/2 a^Q
 *
 * exact: by the eigenvectors A phi = omega^2 M phi, Phi'M Phi = I; D = 0. */
#ifndef SIM_ELASTIC_STEP_H
#define SIM_ELASTIC_STEP_H

#include "sim/core/model.h"

typedef struct ElasticStep {
  int d;
  bool damped;
  int substeps; /* Q; 0: exact */
  double tau;   /* dt/Q, or dt when exact */
  double *room; /* owner of all below */
  /* difference */
  double *inertia; /* [d][d] K */
  double *first;   /* [d][d] K^-1 */
  double *inverse; /* [d][d] (K + tau/2 D)^-1 */
  /* exact: the changes over dt, X -> X + dt V + Phi (turn p + lag r), V -> V + Phi (kick p + turn r), with p = Phi'M X,
   * r = Phi'M V; so that what has no stiffness drifts with V to the bit */
  double *modes;   /* [k][d] phi_k */
  double *project; /* [k][d] phi_k'M */
  double *turn;    /* [k] cos(omega dt) - 1 */
  double *lag;     /* [k] sin(omega dt)/omega - dt */
  double *kick;    /* [k] -omega sin(omega dt) */
} ElasticStep;

enum { ELASTIC_STEP_SCRATCH = 4 }; /* vectors [d] */

/* SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM when a factorisation fails. */
SimStatus elastic_step_init(ElasticStep *step, const SimProblem *problem);
void elastic_step_clear(ElasticStep *step);

/* Moves work->x and work->v by dt; adds to work->energy if watched. scratch: [ELASTIC_STEP_SCRATCH][d]. */
void elastic_step_run(const ElasticStep *step, const SimProblem *problem, SimWorkspace *work, double *scratch);

#endif
