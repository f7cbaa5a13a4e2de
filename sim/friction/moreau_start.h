/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of the Moreau-Jean scheme at t = 0. The steps of the scheme define the friction multipliers lambda from t_1
 * on. At t = 0 lambda_i is sign(v0_i) for a dof that moves. For dofs at rest lambda and the accelerations a of all dofs
 * are the solution of
 *
 *   M a + C lambda = load, lambda_i in sgn(a_i) for dofs at rest, load = f + B u + C gamma(v0) - D v0 - A x0,
 *
 * where C are the thresholds and load contains the forces. A dof that rests at a rigid stop can only move away from it.
 * This is the friction problem of a step with another matrix. */
#ifndef SIM_FRICTION_MOREAU_START_H
#define SIM_FRICTION_MOREAU_START_H

#include "sim/friction/moreau_stops.h"

typedef struct MoreauStart {
  /* Solver with the matrix M and the thresholds of dofs at rest times the step; NULL: M is diagonal, so that each dof
   * is solved alone. A dof without mass moves immediately, which acts on the others: with such dofs the matrix is E of
   * a step instead of M. */
  const FrictionSolver *solver;
  MoreauStops *stops;  /* the stops; NULL: there are none; borrowed, as are the arrays */
  const double *level; /* [count] thresholds C_e at t = 0, in N */
  double *load;        /* [count] load in N; used as scratch */
} MoreauStart;

/* Sets x, v, lambda, slip and the reactions of stops at t = 0. Collective. Returns SIM_OK, SIM_NOT_CONVERGED or
 * SIM_NON_FINITE. */
SimStatus moreau_start(const SimModel *model, SimWorkspace *work, const MoreauStart *start);

#endif
