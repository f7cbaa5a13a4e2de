#include "sim/law/friction_force.h"

void sim_add_stribeck(const SimProblem *p, double factor, const double *v, double *b) {
  if (p->system.stribeck == SIM_STRIBECK_NONE) return;
  for (int i = 0; i < p->count; i++) b[i] += friction_stribeck(p, factor, i, v[i]);
}

double friction_stribeck_of(const SimProblem *p, double factor, int i, double s) {
  return friction_stribeck(p, factor, i, s);
}

double friction_stribeck_slope(const SimProblem *p, int i, double s) {
  double beta = p->system.stribeck_beta[i], epsilon = p->system.stribeck_epsilon[i],
         exponent = p->system.stribeck_exponent;
#define FRICTION_SLOPE(law, name, sentence, gamma, slope)                                                              \
  case law: return friction_threshold(p, i, s) * (slope);
  switch (p->system.stribeck) {
    SIM_STRIBECK_LAWS(FRICTION_SLOPE)
  case SIM_STRIBECK_TABLE: {
    const FrictionCurve curve = friction_curve(&p->system.table, i);
    return friction_threshold(p, i, s) * friction_curve_slope(&curve, s);
  }
  case SIM_STRIBECK_NONE: break;
  }
#undef FRICTION_SLOPE
  return 0;
}

double friction_told(double friction, double bias, double mu) {
  if (bias == 0 || fabs(mu) == 1) return mu;
  double force = friction * mu + bias, c = friction + bias * friction_sign(force);
  return c > 0 ? friction_project(force / c) : 0;
}

double sim_problem_threshold(const SimProblem *p, int i) {
  const SimGearbox *g = &p->system.gearbox;
  return p->friction[i] + (g->present ? fabs(g->k[i]) * (g->b[i] - g->a[i]) / 2 : 0);
}

double friction_force_of(const SimProblem *p, int i, double v, double lambda) {
  double c = p->by_direction ? friction_threshold(p, i, lambda) : sim_problem_threshold(p, i);
  return c * lambda - (friction_drops(p) ? friction_drop(p, i, v) : 0);
}
