/* SPDX-License-Identifier: BSD-2-Clause */
/* Stops (sim/joint/stops.h) in a step of the Moreau-Jean scheme. `end` is the position of a stop. A dof that would pass
 * an end within a step satisfies in that step (for lower ends; upper ends are mirrored)
 *
 *   E v+ + dt C lambda = b + dt r, v+_i >= g_i, r_i >= 0, with equality in v+_i = g_i or in r_i = 0
 *
 * r is the reaction. Let x, v be the state before the step, and x_f, v_f the state after it without the stop. The end
 * is reached after the fraction s of the step with velocity v_c,
 *
 *   s = (end - x)/(x_f - x), v_c = v + s (v_f - v), x+ = end + (1-s) dt v+
 *   g = max(0, -e min(v_c, 0) + (1-s) (v_f - v + dt c (lambda_f - 1)/E_ii))
 *
 * with the coefficient of restitution e, and lambda_f of the step without the stop. So g is the rebound speed,
 * continued for the rest of the step with reversed friction. A rigid end is never passed, and a dof that rests at one
 * has exactly its position. An elastic stop of stiffness k pushes with k (end - x_theta), x_theta = theta x+ +
 * (1-theta) x. The result is the friction problem with bounds on v+. It is convex and has one solution. An active-set
 * iteration finds the bounds that hold, and solves the friction problem of the other dofs each time. */
#ifndef SIM_FRICTION_MOREAU_STOPS_H
#define SIM_FRICTION_MOREAU_STOPS_H

#include "sim/friction/form.h"
#include "sim/friction/stops_trace.h"
#include "sim/law/lane_vector.h"

typedef struct MoreauStops MoreauStops;

/* Returns x_theta = theta x+ + (1-theta) x, the position that determines the force of an elastic stop. */
LANE_INLINE Simd moreau_stops_middle(double theta, Simd x, Simd next) { return x + theta * (next - x); }

/* The step that stops correct. The pointers in this struct are borrowed until the next step. */
typedef struct StopsStep {
  const DenseSolver *solver;   /* solver of the step without stops, with E and dt C */
  bool varies;                 /* whether E or C may differ from those of the previous step */
  double theta, ahead, behind; /* theta: weight of the step's end; ahead, behind: factors in s in the new position x+ =
                                * x + ahead v+ + behind v */
  const double *b, *x, *v;     /* [d] right side; state before the step */
} StopsStep;

/* Creates the data of stops of a workspace. plain: the solver of its steps, or another one of the same d. Returns
 * SIM_OK or SIM_NO_MEMORY; the result must be destroyed in any case. */
SimStatus moreau_stops_create(const DenseSolver *plain, MoreauStops **stops);
void moreau_stops_destroy(void *stops); /* may be NULL */

/* Corrects x, v, lambda, slip of a step that was solved without stops, and sets work->reaction. Returns SIM_OK,
 * SIM_NOT_CONVERGED or SIM_NON_FINITE. */
SimStatus moreau_stops_step(MoreauStops *stops, const SimModel *model, SimWorkspace *work, const StopsStep *step);
/* Corrects the state at t = 0 in the same way (moreau_start.h). There the positions x do not change, and v+ is the
 * change of the velocity, which is bounded for a dof that rests at a rigid stop. step->ahead and step->behind are 0. */
SimStatus moreau_stops_start(MoreauStops *stops, const SimModel *model, SimWorkspace *work, const StopsStep *step);

/* Adds the impacts of the solved step to work->tally: one for each dof that moved towards a stop and is held by it. */
void moreau_stops_count(const MoreauStops *stops, const SimModel *model, SimWorkspace *work);
/* Returns the energy that dof i lost in the step by the law of impact, in J. */
double moreau_stops_loss(const MoreauStops *stops, const SimModel *model, const SimWorkspace *work, int i);

/* Returns the trace of the last step, if the workspace has derivatives. */
const StopsTrace *moreau_stops_trace(const MoreauStops *stops);

#endif
