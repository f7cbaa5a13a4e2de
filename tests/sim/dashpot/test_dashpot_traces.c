/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares backward Euler for the smooth, the cubic and the non-monotone law, step by step, with another
 * implementation. It finds the force of each step by bisection of the law as written in the thesis, in long double. */
#include "tests/sim/dashpot/dashpot.h"

#include <stdio.h>

static const long double g = 0.8L, stiffness = 100; /* m = 1; f_crit = 1 except for the viscous law */

/* Returns v for a force f > f_crit. */
static long double speed(SimDashpotLaw law, long double f) {
  switch (law) {
  case SIM_VISCOUS: return g * f;
  case SIM_BINGHAM: return g * (f - 1);
  case SIM_BINGHAM_CUBIC: return g * f * f * (f - 1);
  case SIM_BINGHAM_NONMONOTONE: return g * (1 + (f * f - 4) * (f * f - 9) / 10) * (f - 1);
  case SIM_COULOMB: break;
  }
  return NAN;
}

/* Returns the slope of the law, dv/df. */
static long double rise(SimDashpotLaw law, long double f) {
  switch (law) {
  case SIM_VISCOUS:
  case SIM_BINGHAM: return g;
  case SIM_BINGHAM_CUBIC: return g * (3 * f * f - 2 * f);
  case SIM_BINGHAM_NONMONOTONE:
    return g * (1 + (f * f - 4) * (f * f - 9) / 10 + (f - 1) * (4 * f * f * f - 26 * f) / 10);
  case SIM_COULOMB: break;
  }
  return NAN;
}

/* The line v = c (a - f) of a time step. Also the forces between which speed + c f is monotone: f_crit, the folds, and
 * a large value. */
typedef struct Line {
  SimDashpotLaw law;
  long double c, f_crit, turn[6];
  int n_turns;
} Line;

static Line line_of_step(SimDashpotLaw law, double dt, long double k) {
  enum { TEETH = 100000 };
  Line line = {.law = law, .c = dt / (1 + k * dt * dt), .f_crit = law == SIM_VISCOUS ? 0 : 1};
  line.turn[line.n_turns++] = line.f_crit;
  for (int i = 0; i < TEETH; i++) {
    long double low = line.f_crit + 9.L * i / TEETH, high = line.f_crit + 9.L * (i + 1) / TEETH;
    bool rises = rise(law, low) + line.c > 0;
    if (rises == (rise(law, high) + line.c > 0)) continue;
    for (int k2 = 0; k2 < 80; k2++) {
      long double middle = (low + high) / 2;
      if ((rise(law, middle) + line.c > 0) == rises)
        low = middle;
      else
        high = middle;
    }
    line.turn[line.n_turns++] = low;
  }
  line.turn[line.n_turns++] = 1e6L;
  return line;
}

/* Returns all forces at which the law intersects v = c (a - f). */
static int meetings(const Line *line, long double a, long double *force) {
  int n = 0;
  for (int i = 0; i + 1 < line->n_turns; i++) {
    long double low = line->turn[i], high = line->turn[i + 1];
    bool below = speed(line->law, low) < line->c * (a - low);
    if (below == (speed(line->law, high) < line->c * (a - high))) continue;
    for (int k = 0; k < 100; k++) {
      long double middle = (low + high) / 2;
      if ((speed(line->law, middle) < line->c * (a - middle)) == below)
        low = middle;
      else
        high = middle;
    }
    force[n++] = low;
  }
  return n;
}

typedef struct Trace {
  SimDashpotLaw law;
  SimSelection selection;
  FixtureForce *force;
  double x0, support, dt; /* support: stiffness of a support at 0.05; 0: none */
  long double x, v, f_d;
  Line apart, touching;
  int contacts, choices, sticks;
} Trace;

/* Computes v+ and f_d of one step on a line; ft: the force of the dash-pot that would hold the mass. */
static long double respond(Trace *t, const Line *line, long double ft) {
  long double a = fabsl(ft), force[6], best = -1, s = ft < 0 ? -1 : 1, v = 0;
  if (a <= line->f_crit) {
    t->f_d = ft;
    return 0;
  }
  int n = meetings(line, a, force);
  assert_true(n >= 1);
  t->choices += n > 1;
  for (int i = 0; i < n; i++) {
    long double w = s * line->c * (a - force[i]);
    long double merit = t->selection == SIM_MAX_DISSIPATION ? force[i] * fabsl(w) : 1 / (1 + fabsl(w - t->v));
    if (merit <= best) continue;
    best = merit;
    v = w;
    t->f_d = s * force[i];
  }
  return v;
}

static void advance(Trace *t, double now) {
  long double dt = t->dt, f = t->force(0, now);
  long double v = respond(t, &t->apart, t->v / dt + f - stiffness * t->x);
  if (t->support > 0 && t->x + dt * v > 0.05L) {
    t->contacts++;
    v = respond(t, &t->touching, t->v / dt + f + t->support * 0.05L - (stiffness + t->support) * t->x);
  }
  t->sticks += v == 0;
  t->v = v;
  t->x += dt * v;
}

static void compare(const char *name, Trace t) {
  SimProblem p;
  dashpot_problem(&p, t.law, 3, 3000);
  p.dashpot.g = (double)g;
  p.dashpot.selection = t.selection;
  p.x0[0] = t.x0;
  if (t.support > 0) dashpot_support(&p, 0.05, t.support);
  t.dt = p.step;
  t.x = t.x0;
  t.apart = line_of_step(t.law, t.dt, stiffness);
  t.touching = line_of_step(t.law, t.dt, stiffness + t.support);
  assert_int_equal(t.apart.n_turns, t.law == SIM_BINGHAM_NONMONOTONE ? 4 : 2);
  DashpotRow *rows = dashpot_run(&p, t.force, 0);
  /* The force that stops a mass includes m v/dt, so round-off of v is divided by dt. */
  double worst[3] = {0}, worst_stop = 0;
  for (int n = 1; n <= 3000; n++) {
    bool moving = t.v != 0;
    advance(&t, rows[n].t);
    bool stops = moving && t.v == 0;
    worst[0] = fixture_max(worst[0], fabs((double)(rows[n].x - t.x)));
    worst[1] = fixture_max(worst[1], fabs((double)(rows[n].v - t.v)));
    double *f_d = stops ? &worst_stop : &worst[2];
    *f_d = fixture_max(*f_d, fabs((double)(rows[n].f_d - t.f_d)));
    assert_int_equal(rows[n].slip == 0, t.v == 0);
  }
  print_message("%-40s off by %.1e %.1e %.1e; %d contacts, %d choices, %d stuck\n", name, worst[0], worst[1], worst[2],
                t.contacts, t.choices, t.sticks);
  for (int i = 0; i < 3; i++) assert_true(worst[i] < 1e-12);
  assert_true(worst_stop < 1e-11);
  assert_true(t.support == 0 || t.contacts > 10);
  assert_true(t.law != SIM_BINGHAM_NONMONOTONE || t.choices > 10);
  assert_true(t.law == SIM_VISCOUS ? t.sticks == 0 : t.sticks > 0);
  free(rows);
}

static void traces(void **state) {
  (void)state;
  static const struct {
    const char *name;
    SimDashpotLaw law;
    SimSelection selection;
  } laws[] = {{"viscous", SIM_VISCOUS, 0},
              {"bingham", SIM_BINGHAM, 0},
              {"bingham_cubic", SIM_BINGHAM_CUBIC, 0},
              {"nonmonotone, nearest_velocity", SIM_BINGHAM_NONMONOTONE, SIM_NEAREST_VELOCITY},
              {"nonmonotone, max_dissipation", SIM_BINGHAM_NONMONOTONE, SIM_MAX_DISSIPATION}};
  for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
    Trace t = {.law = laws[k].law, .selection = laws[k].selection, .force = dashpot_f1};
    char name[80];
    snprintf(name, sizeof name, "%s, f1", laws[k].name);
    compare(name, t);
    t.support = 100;
    snprintf(name, sizeof name, "%s, f1, support", laws[k].name);
    compare(name, t);
    t.support = 0;
    t.x0 = 0.5;
    t.force = fixture_no_force;
    snprintf(name, sizeof name, "%s, free", laws[k].name);
    compare(name, t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(traces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
