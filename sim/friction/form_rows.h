/* SPDX-License-Identifier: BSD-2-Clause */
/* Parts of a step before and after its friction problem is solved, one dof after another. They are used by a single
 * rollout (form_step.c, where operators compute the matrix products of the right side) and by vector lanes
 * (sim/lanes/form.h), where only the lanes in a mask change. differences: form->differences, a constant known to the
 * compiler. */
#ifndef SIM_FRICTION_FORM_ROWS_H
#define SIM_FRICTION_FORM_ROWS_H

#include "sim/friction/form_springs.h"
#include "sim/operator/lane_multiply.h"

/* Vectors [d] of a step: position `base`, to which w is added; position x before the step; y (velocity, or difference
 * of positions, before the step); the unknown w. */
typedef struct FormRows {
  LaneVector *base, *x, *y, *w;
  LaneVector *speed; /* velocity at which gamma is evaluated; for differences v of the previous step; NULL: gamma is
                      * 0 */
} FormRows;

/* Computes entry i of y (velocity, or difference of positions, before the step) in the lanes of a mask; NULL: in all
 * lanes. */
LANE_INLINE void form_enter(bool differences, FormRows at, int v, int i, const SimdMask *mask) {
  if (differences)
    at.y[i].v[v] = at.x[i].v[v] - at.base[i].v[v];
  else
    at.y[i].v[v] = simd_moved(mask, at.w[i].v[v], at.y[i].v[v]);
}

/* Returns entry i of b = load + carry K y - pull A x for dense matrices [d][d]; load: entry i of force (f + B u + C
 * gamma(v)). operator_combine does this for any storage. */
LANE_INLINE Simd form_right(int d, const LaneNumber *carry, const LaneNumber *pull, FormRows at, int v, int i,
                            Simd load) {
  return lane_difference(d, carry, at.y, pull, at.x, v, i, load);
}

/* Returns entry i of x+, the position after the step, for a scheme with velocities. */
LANE_INLINE Simd form_place(const StepForm *form, FormRows at, int v, int i) {
  return at.x[i].v[v] + (form->ahead * at.w[i].v[v] + form->behind * at.y[i].v[v]);
}

/* Updates entry i of the vectors by the solution w in the lanes of a mask; NULL: in all lanes. */
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

/* Positions, [d] each, between which springs with a law act in a step: from and to are the ends of their path for w =
 * 0, and about is the x in the term A x. */
typedef struct FormWay {
  LaneVector *from, *to, *about;
} FormWay;

/* Sets entry i of these positions. The path starts from base for differences, from x for velocities. path: displacement
 * W of moving surfaces, as the laws act on x = y + W; NULL: no surface moves. */
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
