#include "sim/law/friction_force.h"

void sim_add_stribeck(const SimProblem *p, double factor, const double *v, double *b) {
  if (p->system.stribeck == SIM_STRIBECK_NONE) return;
  for (int i = 0; i < p->count; i++) b[i] += friction_stribeck(p, factor, i, v[i]);
}

double sim_problem_threshold(const SimProblem *p, int i) {
  const SimGearbox *g = &p->system.gearbox;
  return p->friction[i] + (g->present ? fabs(g->k[i]) * (g->b[i] - g->a[i]) / 2 : 0);
}

double sim_friction_force(const SimProblem *p, int i, double v, double lambda) {
  return sim_problem_threshold(p, i) * lambda - (friction_drops(p) ? friction_drop(p, i, v) : 0);
}
