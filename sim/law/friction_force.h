/* SPDX-License-Identifier: BSD-2-Clause */
/* Friction forces on a dof from a problem's arrays: the Stribeck term, and the terms of a gear box (gearbox.h),
 *
 *   C_e lambda - drop(w) + load, C_e = c + level, drop(w) = c gamma(w) + gear box's drop(w)
 *
 * level and load are those of the gear box. friction_level returns C_e. friction_force_of returns the whole sum except
 * the load, which is part of SimWorkspace.control_force. */
#ifndef SIM_FRICTION_FORCE_H
#define SIM_FRICTION_FORCE_H

#include "sim/law/friction_law.h"
#include "sim/law/friction_table.h"
#include "sim/law/gearbox.h"

/* Returns C_e of dof i, in N. */
static inline double friction_level(const SimProblem *p, int i) { return p->friction[i] + gearbox_level(p, i); }

/* Returns the threshold c_i for the direction of the velocity s, in N. */
LANE_INLINE Simd friction_threshold(const SimProblem *p, int i, Simd s) {
  return p->by_direction ? p->friction[i] + p->friction_bias[i] * friction_sign(s) : simd_of(p->friction[i]);
}

/* Returns bias_i in N: the friction force for lambda = 0, which is half the difference of the thresholds of both
 * directions. */
static inline double friction_bias(const SimProblem *p, int i) { return p->by_direction ? p->friction_bias[i] : 0; }

/* Returns gamma_i(s). */
LANE_INLINE Simd friction_gamma_of(const SimProblem *p, int i, Simd s) {
  const SimSystem *q = &p->system;
  if (q->stribeck == SIM_STRIBECK_TABLE) {
    const FrictionCurve curve = friction_curve(&q->table, i);
    return simd_each_of(friction_curve_gamma, &curve, s);
  }
  return friction_gamma(q->stribeck, q->stribeck_beta[i], q->stribeck_epsilon[i], q->stribeck_exponent, s);
}

/* Returns factor c_i gamma(s), in N for factor 1. */
LANE_INLINE Simd friction_stribeck(const SimProblem *p, double factor, int i, Simd s) {
  return factor * friction_threshold(p, i, s) * friction_gamma_of(p, i, s);
}

/* Returns lambda_i for observers: friction mu + bias, the friction force in N, divided by the threshold of its
 * direction. mu: multiplier in [-1, 1] that the solver has found for the mean threshold `friction`. */
double friction_shown_lambda(double friction, double bias, double mu);

/* Returns the friction force of dof i, in N, without the load of a gear box. lambda: multiplier in [-1, 1], as
 * observers receive it. */
double friction_force_of(const SimProblem *problem, int i, double v, double lambda);

/* Adds factor drop(v), the decrease of friction with speed, to b; v, b: [count]. */
void friction_add_drop(const SimProblem *problem, double factor, const double *v, double *b);

/* Returns factor drop(s) of dof i at the velocity s, in N for factor 1. */
double friction_drop_of(const SimProblem *problem, double factor, int i, double s);

/* Returns the derivative drop'(s) of dof i at the velocity s, in N s/m. */
double friction_drop_slope(const SimProblem *problem, int i, double s);

/* Whether the problem has friction that decreases with speed, or a gear box. */
static inline bool friction_drops(const SimProblem *p) {
  return p->system.stribeck != SIM_STRIBECK_NONE || p->system.gearbox.present;
}

/* Returns factor drop(w) of dof i; also for lanes. geared: whether there is a gear box. */
LANE_INLINE Simd friction_weighed_drop(const SimProblem *p, bool geared, double factor, int i, Simd w) {
  Simd sum = friction_stribeck(p, factor, i, w);
  if (geared) sum += factor * gearbox_drop(p, i, w);
  return sum;
}

/* Returns drop(w), the decrease of friction of dof i at the velocity w, in N; also for lanes. */
LANE_INLINE Simd friction_drop(const SimProblem *p, int i, Simd w) {
  return friction_weighed_drop(p, p->system.gearbox.present, 1, i, w);
}

/* Returns C_e mu + bias - drop(v), the friction force of dof i, in N, from a solver's multiplier mu, without a gear
 * box's load. */
static inline double friction_resistance(const SimProblem *p, int i, double v, double mu) {
  double force = friction_level(p, i) * mu + friction_bias(p, i);
  return friction_drops(p) ? force - friction_drop_of(p, 1, i, v) : force;
}

#endif
