/* The Moreau-Jean scheme's step around its solve, dof by dof: for one rollout (moreau.c, whose operators make the products of
 * the right side) and for lanes
 * (sim/lanes/moreau.h), where a mask's lanes alone may go on. */
#ifndef SIM_FRICTION_MOREAU_STEP_H
#define SIM_FRICTION_MOREAU_STEP_H

#include "sim/friction/moreau.h"
#include "sim/operator/lane_multiply.h"

/* [d] each */
typedef struct MoreauRows {
  LaneVector *x;          /* before the step, then after it */
  LaneVector *v, *before; /* v+ and v */
} MoreauRows;

/* b = load + (M - theta (1-theta) dt^2 A) v - dt A x where these, carry and stiffness [d][d], are dense; load: dt (f_theta + B u + C gamma(v)).
 * operator_combine does it for any storage. */
LANE_INLINE Simd moreau_right(int d, const LaneNumber *carry, const LaneNumber *stiffness, MoreauRows at, int v, int i,
                              Simd load) {
  return lane_difference(d, carry, at.before, stiffness, at.x, v, i, load);
}

/* x+ of the lanes of a mask; NULL: of all. */
LANE_INLINE void moreau_move(const FormPlan *plan, MoreauRows at, int v, int i, const SimdMask *mask) {
  Simd x = at.x[i].v[v], next = x + (plan->form.ahead * at.v[i].v[v] + plan->form.behind * at.before[i].v[v]);
  at.x[i].v[v] = simd_moved(mask, next, x);
}

#endif
