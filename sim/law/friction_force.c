#include "sim/law/friction_force.h"
void sim_add_stribeck(const SimProblem *p, double factor, const double *v, double *b) {
  if (p->stribeck == SIM_STRIBECK_NONE) return;
  for (int i = 0; i < p->count; i++) b[i] += friction_stribeck_force(p, factor, i, v[i]);
}
double sim_problem_threshold(const SimProblem *p, int i) {
  const SimGearbox *g = &p->gearbox;
  return p->friction[i] + (g->present ? fabs(g->k[i]) * (g->b[i] - g->a[i]) / 2 : 0);
}

double friction_gear_load(const SimProblem *p, int i) {
  const SimGearbox *g = &p->gearbox;
  return g->present ? g->k[i] * (g->a[i] + g->b[i]) / 2 : 0;
}

double friction_drop(const SimProblem *p, int i, double w) {
  const SimGearbox *g = &p->gearbox;
  double sum = p->friction[i] * friction_stribeck(p->stribeck, p->stribeck_beta[i], p->stribeck_epsilon[i], w);
  if (g->present)
    sum += g->k[i] * (g->b[i] - g->a[i]) / 2 * friction_stribeck(g->law, g->beta[i], g->epsilon[i], g->delta[i] * w);
  return sum;
}

double sim_friction_force(const SimProblem *p, int i, double v, double lambda) {
  bool drops = p->stribeck != SIM_STRIBECK_NONE || p->gearbox.present;
  return sim_problem_threshold(p, i) * lambda - (drops ? friction_drop(p, i, v) : 0);
}
