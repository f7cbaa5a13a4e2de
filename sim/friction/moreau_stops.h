/* Stops (sim/joint/stops.h) in a step of the Moreau-Jean scheme. What would pass an end within a step meets it in that step,
 *
 *     E v+ + dt C lambda = b + dt r,    v+_i >= g_i,  r_i >= 0,  one of them an equality           (lower ends; else mirrored)
 *
 * With x, v before the step and x_f, v_f behind it without the end, the end is met after the part s of the step, at the speed v_c,
 *
 *     s = (end - x)/(x_f - x),    v_c = v + s (v_f - v),    x+ = end + (1-s) dt v+
 *     g = max(0, -e min(v_c, 0) + (1-s) (v_f - v + dt c (lambda_f - 1)/E_ii))
 *
 * so that g is the speed with which it comes back and goes on for the rest of the step, with friction the other way. A rigid end is never passed, and what rests at
 * one is there, by the bit. An elastic end of stiffness k pushes with k (end - x_theta), x_theta = theta x+ + (1-theta) x. The problem is that of friction with bounds on v+, convex, and has one solution: it is found by which
 * of them hold, each time with the friction problem of the others. */
#ifndef SIM_FRICTION_MOREAU_STOPS_H
#define SIM_FRICTION_MOREAU_STOPS_H

#include "sim/friction/form.h"
#include "sim/friction/stops_trace.h"
#include "sim/law/lane_vector.h"

typedef struct MoreauStops MoreauStops;

/* x_theta, at which an elastic end pushes. */
LANE_INLINE Simd moreau_stops_middle(double theta, Simd x, Simd next) { return x + theta * (next - x); }

/* What a workspace of a model with stops has: work->own. SIM_OK, SIM_NO_MEMORY. */
SimStatus moreau_stops_equip(const SimModel *model, SimWorkspace *work);

/* What a step has made of x, v, lambda, slip without stops becomes that with them; sets work->reaction. b: of the step; x, v:
 * before it; [d] each. SIM_OK, SIM_NOT_CONVERGED, SIM_NON_FINITE. */
SimStatus moreau_stops_step(const SimModel *model, SimWorkspace *work, const double *b, const double *x,
                            const double *v);

/* Counts the impacts of the step that has been solved, which are of those dofs that the ends hold. */
void moreau_stops_count(const SimModel *model, SimWorkspace *work);

/* How the last step came about, of a workspace with derivatives. */
const StopsTrace *moreau_stops_trace(const SimWorkspace *work);

/* The energies of the stops in a step: to work->energy what impacts take by their law, what f does where an end has moved x on, and,
 * in numerical, the rest: what the steps make of impacts and of elastic ends. x, v: before
 * the step; x becomes what it would have been if x+ were x + dt (theta v+ + (1-theta) v). */
void moreau_stops_watch(const SimModel *model, SimWorkspace *work, const StepForce *f, double *x, const double *v);

#endif
