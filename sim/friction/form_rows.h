/* A step of a StepForm around its solve, dof by dof: for one rollout (form_step.c, whose operators make the products of the
 * right side) and for lanes (sim/lanes/form.h), where a mask's lanes alone may go on. differences: form->differences, which
 * the compiler is to know. */
#ifndef SIM_FRICTION_FORM_ROWS_H
#define SIM_FRICTION_FORM_ROWS_H

#include "sim/friction/form_springs.h"
#include "sim/operator/lane_multiply.h"

/* [d] each, as in FormLevels */
typedef struct FormRows {
  LaneVector *base, *x, *y, *w;
  LaneVector *speed; /* that gamma is taken at; of differences v, behind the step; NULL: there is no gamma */
} FormRows;

/* y of the lanes of a mask; NULL: of all. */
LANE_INLINE void form_enter(bool differences, FormRows at, int v, int i, const SimdMask *mask) {
  if (differences)
    at.y[i].v[v] = at.x[i].v[v] - at.base[i].v[v];
  else
    at.y[i].v[v] = simd_moved(mask, at.w[i].v[v], at.y[i].v[v]);
}

/* b = load + carry K y - pull A x where these two matrices are dense, [d][d]; load: force (f + B u + C gamma(v)).
 * operator_combine does it for any storage. */
LANE_INLINE Simd form_right(int d, const LaneNumber *carry, const LaneNumber *pull, FormRows at, int v, int i,
                            Simd load) {
  return lane_difference(d, carry, at.y, pull, at.x, v, i, load);
}

/* x+ of velocities. */
LANE_INLINE Simd form_place(const StepForm *form, FormRows at, int v, int i) {
  return at.x[i].v[v] + (form->ahead * at.w[i].v[v] + form->behind * at.y[i].v[v]);
}

/* What w makes of the levels of the lanes of a mask; NULL: of all. */
LANE_INLINE void form_move(bool differences, const StepForm *form, FormRows at, int v, int i, const SimdMask *mask) {
  Simd x = at.x[i].v[v], w = at.w[i].v[v];
  if (!differences) {
    at.x[i].v[v] = simd_moved(mask, form_place(form, at, v, i), x);
    return;
  }
  Simd next = at.base[i].v[v] + w;
  at.base[i].v[v] = simd_moved(mask, x, at.base[i].v[v]);
  at.x[i].v[v] = simd_moved(mask, next, x);
  if (at.speed) at.speed[i].v[v] = simd_moved(mask, form->rate * w, at.speed[i].v[v]);
}

/* Where springs with a law are in a step, [d] each: the ends of their way for w = 0, and x of A x. */
typedef struct FormWay {
  LaneVector *from, *to, *about;
} FormWay;

/* Of differences they go from base, of velocities from x. path: where surfaces move the laws go by x = y + W; NULL: none moves. */
LANE_INLINE void form_way(bool differences, const StepForm *form, const SpringPath *path, FormRows at, FormWay way,
                          int v, int i) {
  Simd from = differences ? at.base[i].v[v] : at.x[i].v[v], to = from, about = at.x[i].v[v];
  if (!differences) to += form->behind * at.y[i].v[v];
  if (path) form_springs_show(form, path, i, &from, &to, &about);
  way.from[i].v[v] = from;
  way.to[i].v[v] = to;
  way.about[i].v[v] = about;
}

#endif
