/* SPDX-License-Identifier: BSD-2-Clause */
/* Stops: x_i stays between two ends, lower_i <= x_i <= upper_i. A rigid stop pushes with a reaction r_i,
 *
 *   M x'' + D x' + A x + C (lambda - gamma) = f + B u + r, r_i >= 0 at a lower end, <= 0 at an upper one, else 0
 *
 * A dof that hits a stop with velocity v rebounds by the law of Newton and Moreau, with the coefficient of restitution
 * e. With S the set of dofs in contact (mirrored at an upper end),
 *
 *   M (v+ - v) = p, p_i >= 0, v+_i >= e_i max(-v_i, 0), with equality in one of both; p_i = 0 outside S
 *
 * Friction is bounded and has no effect in an impact: a dof that sticks starts to move if M couples it to the dof that
 * hits a stop. If a stop and friction hold a dof together, friction takes as much as it can and the stop the rest:
 * |lambda| <= 1, and r_i = 0 as long as friction alone suffices. An elastic stop of stiffness k pushes with r_i = k
 * (lower_i - x_i) beyond its end.
 *
 * These functions are the equations of one end of one dof, for all schemes. side: -1 for a lower end, 1 for an upper
 * end. Each scheme has its own method for ends of several dofs. */
#ifndef SIM_JOINT_STOPS_H
#define SIM_JOINT_STOPS_H

#include "sim/law/lane_vector.h"
#include "sim/operator/check.h"

#include <float.h>
#include <math.h>

/* Returns the end that the position x of dof i is beyond: -1 the lower, 1 the upper; 0: none. */
static inline int stops_passed(const SimStops *stops, int i, double x) {
  return x < stops->lower[i] ? -1 : x > stops->upper[i];
}

/* Returns the lanes in which the position x of dof i is beyond an end. */
LANE_INLINE SimdMask stops_passed_in(const SimStops *stops, int i, Simd x) {
  return simd_either(simd_below(x, simd_of(stops->lower[i])), simd_below(simd_of(stops->upper[i]), x));
}

/* Returns the end at which the position x = y + shift of dof i is: -1 the lower, 1 the upper; 0: none. With a moving
 * surface (shift != 0) a difference by the rounding error of the sum is allowed. With shift = 0 the position must equal
 * that of an end exactly. */
static inline int stops_touched(const SimStops *stops, int i, double y, double shift) {
  double x = y + shift, rounded = shift != 0 ? 4 * DBL_EPSILON * (fabs(y) + fabs(shift)) : 0;
  return fabs(x - stops->lower[i]) <= rounded ? -1 : fabs(x - stops->upper[i]) <= rounded;
}

/* Returns the position, in m, of the end of dof i on a side, -1 or 1; NAN: there is no end on this side. */
static inline double stops_end(const SimStops *stops, int i, int side) {
  return side < 0 ? stops->lower[i] : stops->upper[i];
}

static inline bool stops_rigid(const SimStops *stops, int i) { return isnan(stops->stiffness[i]); }

/* Elastic ends ----------------------------------------------------------------------------------------------------- */

/* Returns the side of the elastic end that pushes dof i at the position x; 0: no elastic end pushes. */
static inline int stops_pressed(const SimStops *stops, int i, double x) {
  return stops_rigid(stops, i) ? 0 : stops_passed(stops, i, x);
}

/* Returns the stiffness -dr_i/dx_i of the elastic stop on a side, in N/m, where r_i is its force; 0 for side 0. */
static inline double stops_slope(const SimStops *stops, int i, int side) { return side ? stops->stiffness[i] : 0; }

/* Returns the force of the elastic end on a side at the position x, in N; 0 for side 0. */
static inline double stops_push_of(const SimStops *stops, int i, int side, double x) {
  return side ? stops->stiffness[i] * (stops_end(stops, i, side) - x) : 0;
}

/* Returns coefficient `order` of the elastic end's force as a series, in N. x: the same coefficient of the position. */
static inline double stops_push_term(const SimStops *stops, int i, int side, int order, double x) {
  return order ? -stops_slope(stops, i, side) * x : stops_push_of(stops, i, side, x);
}

/* Returns the energy stored in an elastic end at the position x, in J; 0 for a rigid end. */
static inline double stops_stored(const SimStops *stops, int i, double x) {
  int side = stops_passed(stops, i, x);
  double beyond = side ? x - stops_end(stops, i, side) : 0;
  return stops_rigid(stops, i) ? 0 : stops->stiffness[i] * beyond * beyond / 2;
}

/* Returns the force of an elastic end at the position x, in N; 0 for a rigid end. */
static inline double stops_push(const SimStops *stops, int i, double x) {
  return stops_push_of(stops, i, stops_pressed(stops, i, x), x);
}

/* Returns the mean of the force of an elastic end over the path from x to next, in N. The work of this mean force is
 * exactly the change of the stored energy. */
static inline double stops_mean_push(const SimStops *stops, int i, double x, double next) {
  if (stops_passed(stops, i, x) == stops_passed(stops, i, next)) return stops_push(stops, i, (x + next) / 2);
  return (stops_stored(stops, i, x) - stops_stored(stops, i, next)) / (next - x);
}

/* Rigid ends ------------------------------------------------------------------------------------------------------- */

/* Returns -e v, in m/s, the smallest velocity away from the end that a dof has after an impact. before: velocity v
 * before the impact; e: coefficient of restitution, or 0 for a dof that a scheme brings to rest. */
static inline double stops_rebound(double e, double before) { return -e * before; }

/* Returns whether the assumed state of an end is wrong. held true: the end is assumed to determine the velocity v+ of
 * the dof after the step. Then `pull` is the force or impulse toward the end that would be needed to hold the dof, and
 * friction can bear up to `bears` of it. held false: the dof is assumed to be free, and `passes` is the excess of v+
 * beyond its bound, in the same unit. doubt: rounding error. */
static inline bool stops_wrong(bool held, double pull, double bears, double passes, double doubt) {
  return held ? !(pull <= bears + doubt) : passes > doubt;
}

/* Returns the reaction or impulse of an end that holds a dof. left: friction force minus the sum of the other forces.
 * The end must balance this difference, but can only push. */
static inline double stops_reaction(int side, double left) {
  return -side * fmax(0, -side * left) + 0.0 /* + 0.0
                                                                                                         * replaces -0
                                                                                                         * by 0 */
      ;
}

/* Returns the energy lost in an impact, in J, from the impulse on the dof and from its velocities before and after the
 * impact. */
static inline double stops_loss(double impulse, double before, double after) { return -impulse * (before + after) / 2; }

#endif
