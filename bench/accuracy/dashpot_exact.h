/* SPDX-License-Identifier: BSD-2-Clause */
/* Independent solution for the mass with a dash-pot in Gotika's thesis: fourth-order Runge-Kutta on each smooth branch,
 * and bisection for the times between branches (end of slip, end of stick, impact, release). It holds for the monotone
 * laws of the dash-pot, and shares no code with sim/. */
#ifndef BENCH_DASHPOT_EXACT_H
#define BENCH_DASHPOT_EXACT_H

#include "sim/internal.h"

#include <math.h>

/* Returns the force f1 of Gotika (6.1a). */
static inline double dashpot_f1(int i, double t) {
  (void)i;
  return t <= 1 + 1e-9 ? 10 * sin(5 * 3.14159265358979323846 * t) : 0;
}

static inline double dashpot_no_push(int i, double t) {
  (void)i;
  (void)t;
  return 0;
}

typedef struct DashpotExact {
  SimDashpotLaw law;
  double (*force)(int i, double t);
  double f_crit, position, stiffness; /* data of the support; stiffness 0: there is no support */
  double t, x, v;
  int slip;
  bool contact;
} DashpotExact;

/* Returns f_d in the direction of motion. For the cubic law, Newton's method solves u^2 (u - 1) = speed. */
static inline double dashpot_exact_force(const DashpotExact *s, double speed) {
  double u = 1 + cbrt(fabs(speed));
  switch (s->law) {
  case SIM_VISCOUS: return speed;
  case SIM_BINGHAM: return 1 + speed;
  case SIM_BINGHAM_CUBIC:
    for (int i = 0; i < 30; i++) u -= (u * u * (u - 1) - speed) / (3 * u * u - 2 * u);
    return u;
  case SIM_COULOMB: return 1;
  case SIM_BINGHAM_NONMONOTONE: break;
  }
  return NAN;
}

static inline double dashpot_exact_load(const DashpotExact *s, double t, double x) {
  return s->force(0, t) - 100 * x - (s->contact ? s->stiffness * (x - s->position) : 0);
}

static inline double dashpot_exact_acceleration(const DashpotExact *s, double t, double x, double v) {
  return dashpot_exact_load(s, t, x) - s->slip * dashpot_exact_force(s, s->slip * v);
}

/* Advances by h on the current branch. */
static inline DashpotExact dashpot_exact_step(DashpotExact s, double h) {
  if (s.slip) {
    double a1 = dashpot_exact_acceleration(&s, s.t, s.x, s.v), v2 = s.v + h / 2 * a1;
    double a2 = dashpot_exact_acceleration(&s, s.t + h / 2, s.x + h / 2 * s.v, v2), v3 = s.v + h / 2 * a2;
    double a3 = dashpot_exact_acceleration(&s, s.t + h / 2, s.x + h / 2 * v2, v3), v4 = s.v + h * a3;
    double a4 = dashpot_exact_acceleration(&s, s.t + h, s.x + h * v3, v4);
    s.x += h / 6 * (s.v + 2 * v2 + 2 * v3 + v4);
    s.v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  s.t += h;
  return s;
}

/* Returns 0 while the branch holds; 1 after stick or slip has ended; 2 after contact has ended or begun. */
static inline int dashpot_exact_end(const DashpotExact *s) {
  bool deep = s->x > s->position;
  if (s->slip ? s->slip * s->v < 0 : fabs(dashpot_exact_load(s, s->t, s->x)) > s->f_crit) return 1;
  return s->stiffness > 0 && s->slip && deep != s->contact && (s->v > 0) == deep ? 2 : 0;
}

/* Returns the force of the dash-pot. At rest it equals the load. */
static inline double dashpot_exact_f_d(const DashpotExact *s) {
  return s->slip ? s->slip * dashpot_exact_force(s, s->slip * s->v) : dashpot_exact_load(s, s->t, s->x);
}

static inline void dashpot_exact_to(DashpotExact *s, double end) {
  while (end - s->t > 1e-15) {
    double whole = end - s->t, low = 0, high = whole;
    DashpotExact next = dashpot_exact_step(*s, whole);
    if (!dashpot_exact_end(&next)) {
      *s = next;
      return;
    }
    for (int i = 0; i < 60; i++) {
      double h = low + (high - low) / 2;
      next = dashpot_exact_step(*s, h);
      if (dashpot_exact_end(&next))
        high = h;
      else
        low = h;
    }
    *s = dashpot_exact_step(*s, high);
    if (dashpot_exact_end(s) == 2) {
      s->contact = !s->contact;
    } else {
      double load = dashpot_exact_load(s, s->t, s->x);
      bool stuck = s->slip && fabs(load) <= s->f_crit;
      s->v = 0;
      s->slip = stuck ? 0 : load > 0 ? 1 : -1;
    }
  }
  s->t = end;
}

static inline DashpotExact dashpot_exact_start(SimDashpotLaw law, double (*force)(int i, double t), double x0) {
  DashpotExact s = {.law = law, .force = force, .f_crit = law == SIM_VISCOUS ? 0 : 1, .x = x0};
  double load = dashpot_exact_load(&s, 0, x0);
  if (fabs(load) > s.f_crit) s.slip = load > 0 ? 1 : -1;
  return s;
}

#endif
