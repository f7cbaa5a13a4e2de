/* The centred scheme's step around its solve, dof by dof: for one rollout (centered.c, whose operators make the products of the
 * right side) and for lanes
 * (sim/lanes/centered.h), where a mask's lanes alone may go on. */
#ifndef SIM_FRICTION_CENTERED_STEP_H
#define SIM_FRICTION_CENTERED_STEP_H

#include "sim/friction/centered.h"
#include "sim/operator/lane_multiply.h"

/* [d] each */
typedef struct CenteredRows {
  LaneVector *before, *now; /* x^{n-1}, x^n; after the step x^n, x^{n+1} */
  LaneVector *difference;   /* x^n - x^{n-1} */
  LaneVector *w;            /* x^{n+1} - x^{n-1} */
  LaneVector *speed;        /* v^n = w/(2 dt), that gamma is taken at next; NULL: nobody asks */
} CenteredRows;

LANE_INLINE void centered_difference(CenteredRows at, int v, int i) {
  at.difference[i].v[v] = at.now[i].v[v] - at.before[i].v[v];
}

/* b = load + 2 K (x - x-) - dt^2 A x where these, inertia and stiffness [d][d], are dense; load: dt^2 (f + B u + C gamma). operator_combine does it
 * for any storage. */
LANE_INLINE Simd centered_right(int d, const LaneNumber *inertia, const LaneNumber *stiffness, CenteredRows at, int v,
                                int i, Simd load) {
  return lane_difference(d, inertia, at.difference, stiffness, at.now, v, i, load);
}

/* What w makes of the levels of the lanes of a mask; NULL: of all. */
LANE_INLINE void centered_move(const FormPlan *plan, CenteredRows at, int v, int i, const SimdMask *mask) {
  Simd now = at.now[i].v[v], next = at.before[i].v[v] + at.w[i].v[v];
  at.before[i].v[v] = simd_moved(mask, now, at.before[i].v[v]);
  at.now[i].v[v] = simd_moved(mask, next, now);
  if (at.speed) at.speed[i].v[v] = simd_moved(mask, plan->form.rate * at.w[i].v[v], at.speed[i].v[v]);
}

#endif
