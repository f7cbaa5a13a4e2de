/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/law/friction_force.h"

void friction_add_drop(const SimProblem *p, double factor, const double *v, double *b) {
  for (int i = 0; i < p->count && friction_drops(p); i++) b[i] += friction_drop_of(p, factor, i, v[i]);
}

double friction_drop_of(const SimProblem *p, double factor, int i, double s) {
  return friction_weighed_drop(p, p->system.gearbox.present, factor, i, s);
}

double friction_drop_slope(const SimProblem *p, int i, double s) {
  const SimSystem *q = &p->system;
  double slope;
  if (q->stribeck == SIM_STRIBECK_TABLE) {
    const FrictionCurve curve = friction_curve(&q->table, i);
    slope = friction_curve_slope(&curve, s);
  } else {
    slope = friction_gamma_slope(q->stribeck, q->stribeck_beta[i], q->stribeck_epsilon[i], q->stribeck_exponent, s);
  }
  return friction_threshold(p, i, s) * slope + gearbox_drop_slope(p, i, s);
}

double friction_shown_lambda(double friction, double bias, double mu) {
  if (bias == 0 || fabs(mu) == 1) return mu;
  double force = friction * mu + bias, c = friction + bias * friction_sign(force);
  return c > 0 ? friction_project(force / c) : 0;
}

double sim_problem_threshold(const SimProblem *p, int i) { return friction_level(p, i); }

double friction_force_of(const SimProblem *p, int i, double v, double lambda) {
  double c = friction_level(p, i) + friction_bias(p, i) * friction_sign(lambda);
  return c * lambda - (friction_drops(p) ? friction_drop(p, i, v) : 0);
}
