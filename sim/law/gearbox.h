/* SPDX-License-Identifier: BSD-2-Clause */
/* The gear box of a joint (SimGearbox), by its efficiency, which depends on speed and load. SimGearbox (sim/kinds.h)
 * defines a, b, k, delta and gamma_gb:
 *
 *   level = |k| (b-a)/2, load = k (a+b)/2, drop(w) = k (b-a)/2 gamma_gb(delta w)
 *
 * level is added to the threshold, load to the force, and drop to the decrease of friction with speed. Features and
 * checks of a gear box are in sim/joint/gearbox.c. */
#ifndef SIM_LAW_GEARBOX_H
#define SIM_LAW_GEARBOX_H

#include "sim/law/friction_law.h"

/* Returns `level` of dof i, the gear box's part of the threshold, in N; 0 without a gear box. */
static inline double gearbox_level(const SimProblem *p, int i) {
  const SimGearbox *g = &p->system.gearbox;
  return g->present ? fabs(g->k[i]) * (g->b[i] - g->a[i]) / 2 : 0;
}

/* Returns `load` of dof i, the gear box's part of the load, in N; 0 without a gear box. */
static inline double gearbox_load(const SimProblem *p, int i) {
  const SimGearbox *g = &p->system.gearbox;
  return g->present ? g->k[i] * (g->a[i] + g->b[i]) / 2 : 0;
}

/* Returns drop(w) of dof i, in N; the problem must have a gear box. */
LANE_INLINE Simd gearbox_drop(const SimProblem *p, int i, Simd w) {
  const SimGearbox *g = &p->system.gearbox;
  return g->k[i] * (g->b[i] - g->a[i]) / 2 *
         friction_gamma(g->law, g->beta[i], g->epsilon[i], g->exponent, g->delta[i] * w);
}

/* Returns drop'(w) of dof i, in N s/m; 0 without a gear box. */
static inline double gearbox_drop_slope(const SimProblem *p, int i, double w) {
  const SimGearbox *g = &p->system.gearbox;
  return g->present ? g->k[i] * (g->b[i] - g->a[i]) / 2 * g->delta[i] *
                          friction_gamma_slope(g->law, g->beta[i], g->epsilon[i], g->exponent, g->delta[i] * w)
                    : 0;
}

#endif
