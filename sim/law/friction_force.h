/* Friction's forces on a dof, from a problem's arrays. */
#ifndef SIM_FRICTION_FORCE_H
#define SIM_FRICTION_FORCE_H

#include "sim/law/friction_law.h"

/* factor c_i gamma(s) */
static inline double friction_stribeck_force(const SimProblem *p, double factor, int i, double s) {
  return factor * p->friction[i] * friction_stribeck(p->stribeck, p->stribeck_beta[i], p->stribeck_epsilon[i], s);
}
void sim_add_stribeck(const SimProblem *problem, double factor, const double *v, double *b);
double friction_gear_load(const SimProblem *problem, int i);
double friction_drop(const SimProblem *p, int i, double w);
#endif
