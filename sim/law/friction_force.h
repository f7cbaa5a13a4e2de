/* Friction's forces on a dof, from a problem's arrays: Stribeck's term, and what a gear box adds,
 *
 *     C_e lambda - drop(w) + load,   C_e = c + |k| (b-a)/2,   load = k (a+b)/2,
 *     drop(w) = c gamma(w) + k (b-a)/2 gamma_gb(delta w)
 *
 * (sim_problem_threshold is C_e, sim_friction_force the whole but for the load). */
#ifndef SIM_FRICTION_FORCE_H
#define SIM_FRICTION_FORCE_H

#include "sim/law/friction_law.h"

/* factor c_i gamma(s) */
LANE_INLINE Simd friction_stribeck(const SimProblem *p, double factor, int i, Simd s) {
  return factor * p->friction[i] *
         friction_gamma(p->system.stribeck, p->system.stribeck_beta[i], p->system.stribeck_epsilon[i], s);
}

/* C gamma(v), added with a factor: b += factor C gamma(v). v, b: [d] */
void sim_add_stribeck(const SimProblem *problem, double factor, const double *v, double *b);

/* c_i gamma'(s), N s/m */
double friction_stribeck_slope(const SimProblem *problem, int i, double s);

/* Whether drop is anything but 0. */
static inline bool friction_drops(const SimProblem *p) {
  return p->system.stribeck != SIM_STRIBECK_NONE || p->system.gearbox.present;
}

/* drop(w) of dof i, N */
LANE_INLINE Simd friction_drop(const SimProblem *p, int i, Simd w) {
  const SimGearbox *g = &p->system.gearbox;
  Simd sum = friction_stribeck(p, 1, i, w);
  if (g->present)
    sum += g->k[i] * (g->b[i] - g->a[i]) / 2 * friction_gamma(g->law, g->beta[i], g->epsilon[i], g->delta[i] * w);
  return sum;
}

/* load of dof i, N; 0 without a gear box. */
static inline double friction_gear_load(const SimProblem *p, int i) {
  const SimGearbox *g = &p->system.gearbox;
  return g->present ? g->k[i] * (g->a[i] + g->b[i]) / 2 : 0;
}

#endif
