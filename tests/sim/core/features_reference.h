/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes the motion of features_model.h by small steps that treat all features at once. They are implicit in friction
 * and of first order, and share no code with the schemes except the friction laws. */
#ifndef TESTS_FEATURES_REFERENCE_H
#define TESTS_FEATURES_REFERENCE_H

#include "tests/sim/core/features_model.h"

#include "sim/law/friction_law.h"
#include "sim/law/friction_table.h"

enum { REFERENCE_STEPS = 20000 };

typedef struct Reference {
  unsigned with;
  SimStribeck law;
  double exponent;
  FrictionCurve curve; /* curve of a friction table */
} Reference;

static inline bool is_with(const Reference *r, Feature feature) { return r->with >> feature & 1; }

static inline double reference_gamma(const Reference *r, int i, double s) {
  if (is_massless(r->with, i)) return 0;
  if (r->law == SIM_STRIBECK_TABLE) return friction_curve_gamma(&r->curve, s);
  return friction_gamma(r->law, BETA, EPSILON, r->exponent, s);
}

/* Returns the threshold in a direction, 1 or -1. */
static inline double reference_threshold(const Reference *r, int i, int direction, double t, const double *x) {
  double e = x[1] - x[0], rise = is_with(r, WITH_RISE) && i == 0 ? 6 * fabs(e + 0.4) + 8 * e * e : 0;
  if (is_with(r, WITH_COURSES)) return rise + model_course(is_with(r, WITH_BIAS) && direction < 0 ? 1 : 0, t);
  return rise + FRICTION[i] + (is_with(r, WITH_BIAS) ? direction * BIAS[i] : 0);
}

/* Returns all forces except the set-valued part of friction, N. y: the velocity at which friction acts. */
static inline double reference_force(const Reference *r, int i, double t, const double *x, const double *v, double w) {
  const double *u = CONTROL + (is_with(r, WITH_SIGNAL) && t >= MODEL_END / 2 ? 2 : 0);
  double y = v[i] - w, sum = model_force(i, t) + u[i];
  int direction = y > 0 ? 1 : -1;
  for (int j = 0; j < 2; j++) {
    sum -= STIFFNESS[2 * i + j] * x[j];
    if (is_with(r, WITH_DAMPING)) sum -= damper_of(r->with, 2 * i + j) * v[j];
    if (is_with(r, WITH_SKEW)) sum -= (i < j ? SKEW : i > j ? -SKEW : 0) * v[j];
  }
  if (is_with(r, WITH_VISCOUS)) sum -= drag_of(r->with, i) * y;
  if (is_with(r, WITH_ANCHORS)) sum -= anchor_law(i, x[i]);
  if (is_with(r, WITH_LINKS)) sum += (i == 0 ? 1 : -1) * link_law(0, x[1] - x[0]);
  if (is_with(r, WITH_ELASTIC) && i == elastic_dof(r->with) && x[i] < LOWER[i])
    sum += END_STIFFNESS * (LOWER[i] - x[i]);
  if (is_with(r, WITH_ELASTIC) && i == elastic_dof(r->with) && x[i] > UPPER[i])
    sum += END_STIFFNESS * (UPPER[i] - x[i]);
  if (r->law != SIM_STRIBECK_NONE) sum += reference_threshold(r, i, direction, t, x) * reference_gamma(r, i, y);
  if (is_with(r, WITH_SMOOTH)) sum -= reference_threshold(r, i, direction, t, x) * y / sqrt(ETA * ETA + y * y);
  if (!is_with(r, WITH_GEARBOX)) return sum;
  double gear = friction_gamma(SIM_STRIBECK_SQRT, beta_of(r->with, i, GEAR_BETA), GEAR_EPSILON, 0, v[i]),
         half = (GEAR_B - GEAR_A) / 2;
  if (is_with(r, WITH_SMOOTH)) gear -= y / sqrt(ETA * ETA + y * y);
  return sum - GEAR_K[i] * ((GEAR_A + GEAR_B) / 2 - half * gear);
}

/* Returns the largest force that friction can balance in this direction, N. */
static inline double reference_level(const Reference *r, int i, int direction, double t, const double *x) {
  if (is_with(r, WITH_SMOOTH)) return 0;
  return reference_threshold(r, i, direction, t, x) +
         (is_with(r, WITH_GEARBOX) ? GEAR_K[i] * (GEAR_B - GEAR_A) / 2 : 0);
}

/* Returns whether a massless dof is still pushed in the direction `way` when it is at the position w + way y. w: its
 * position a time h ago, moved with its surface. */
static inline bool reference_drives(const Reference *r, double t, double h, double w, double from, int way, double y,
                                    double *x, double *v) {
  v[1] = w + way * y;
  x[1] = from + h * v[1];
  return way * reference_force(r, 1, t, x, v, w) > reference_level(r, 1, way, t, x);
}

/* Makes a step of a massless dof to t: finds by bisection the v at which the total force is zero, or w if friction
 * balances the force. */
static inline void reference_balance(const Reference *r, double t, double h, double w, double *x, double *v) {
  double from = x[1], low = 0, high = 1e-3;
  int way = 0;
  for (int side = -1; side <= 1; side += 2)
    if (reference_drives(r, t, h, w, from, side, 1e-12, x, v)) way = side;
  while (way && reference_drives(r, t, h, w, from, way, high, x, v)) high *= 2;
  for (int k = 0; k < 60 && way; k++) {
    double y = (low + high) / 2;
    if (reference_drives(r, t, h, w, from, way, y, x, v))
      low = y;
    else
      high = y;
  }
  v[1] = w + way * low;
  x[1] = from + h * v[1];
}

/* Computes x(T), v(T) [2] of the model with these features, after a small change of its start. */
static inline void reference_run(unsigned with, double *x, double *v) {
  Reference r = {.with = with};
  SimProblem table;
  double h = MODEL_END / REFERENCE_STEPS;
  r.law = law_of(with, &r.exponent);
  assert_true(model_fill(&table, "moreau", 1, 1u << WITH_TABLE, (Shift){0}));
  r.curve = friction_curve(&table.system.table, 0);
  for (int i = 0; i < 2; i++) {
    x[i] = START_X[i];
    v[i] = start_speed(with, i);
  }
  for (int n = 0; n < REFERENCE_STEPS; n++) {
    double t = n * h, force[2], w = is_with(&r, WITH_SURFACE) ? model_surface(0, t) : 0,
           next_w = is_with(&r, WITH_SURFACE) ? model_surface(0, t + h) : 0;
    for (int i = 0; i < 2; i++) force[i] = reference_force(&r, i, t + h / 2, x, v, w);
    for (int i = 0; i < (with >> WITH_MASSLESS & 1 ? 1 : 2); i++) {
      double before = v[i], forward = h / MASS[i] * reference_level(&r, i, 1, t + h, x),
             backward = h / MASS[i] * reference_level(&r, i, -1, t + h, x);
      double y = v[i] + h / MASS[i] * force[i] - next_w;
      y = y > forward ? y - forward : y < -backward ? y + backward : 0;
      v[i] = y + next_w;
      x[i] += h / 2 * (before + v[i]);
      bool rigid = is_with(&r, WITH_RIGID) && i == 0;
      if (rigid && ((x[i] < LOWER[i] && v[i] < 0) || (x[i] > UPPER[i] && v[i] > 0))) {
        x[i] = x[i] < LOWER[i] ? LOWER[i] : UPPER[i];
        v[i] *= -RESTITUTION;
      }
    }
    if (with >> WITH_MASSLESS & 1) reference_balance(&r, t + h, h, next_w, x, v);
  }
  sim_problem_clear(&table);
}

#endif
