/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that the energy balance of every scheme closes, with every feature that it supports and every pair of them. */
#include "tests/sim/chain/chain.h"
#include "tests/sim/core/closure.h"
#include "tests/sim/dashpot/dashpot.h"
#include "tests/sim/friction/springs.h"

/* Friction --------------------------------------------------------------------------------------------------------- */

typedef enum Feature {
  PLAIN,
  SPARSE,
  DAMPED,
  COUPLED, /* M is not diagonal */
  SIGNAL,
  RAMP,
  SQRT,
  EXPONENTIAL,
  TABLE,
  DIRECTION,
  THRESHOLDS,
  SURFACE,
  VISCOUS,
  GEAR,
  ANCHORS,
  LINKS,
  RIGID,
  ELASTIC,
  REGULARIZED,
  SMOOTH,
  FIXED_POINT,
  THETA,
  EXACT_ELASTICITY,
  FEATURES
} Feature;
static const char *const names[FEATURES] = {
    "plain", "sparse",    "damped",      "coupled", "signal",      "ramp",  "sqrt",    "exponential",
    "table", "direction", "c(t)",        "surface", "viscous",     "gear",  "anchors", "links",
    "rigid", "elastic",   "regularized", "smooth",  "fixed_point", "theta", "exact"};

static double pushing(int i, double t) { return 6 * sin(2.3 * t + i) + 1; }
static double shaking(int i, double t) { return 0.6 * sin(2.5 * t) + 0.3 * (i + 1) * cos(1.3 * t); }
static double course(int i, double t) { return 1.5 + 0.2 * i + sin(1.7 * t); }

static FixtureSource speeds = {shaking, D}, courses = {course, 2 * D};

static void fill_rows(double dense[D][D], SimMatrix *m) {
  long n = 0;
  assert_int_equal(sim_matrix_alloc(m, D, (long)D * D), SIM_OK);
  for (int i = 0; i < D; i++) {
    for (int j = 0; j < D; j++) {
      if (dense[i][j] == 0) continue;
      m->column[n] = j;
      m->value[n++] = dense[i][j];
    }
    m->start[i + 1] = (int)n;
  }
}

static void fill_matrices(SimProblem *p, bool coupled, bool damped) {
  double mass[D][D] = {{1.2, 0, 0}, {0, 0.8, 0}, {0, 0, 2}};
  double stiffness[D][D] = {{30, -20, 0}, {-20, 45, -25}, {0, -25, 30}}, damping[D][D] = {{0}};
  for (int i = 0; i + 1 < D && coupled; i++) mass[i][i + 1] = mass[i + 1][i] = 0.3;
  for (int i = 0; i < D && damped; i++)
    for (int j = 0; j < D; j++) damping[i][j] = 0.02 * stiffness[i][j] + 0.1 * mass[i][j];
  if (p->system.storage == SIM_SPARSE) {
    fill_rows(mass, &p->system.sparse.mass);
    fill_rows(stiffness, &p->system.sparse.stiffness);
    if (damped) fill_rows(damping, &p->system.sparse.damping);
    return;
  }
  memcpy(p->system.mass, mass, sizeof mass);
  memcpy(p->system.stiffness, stiffness, sizeof stiffness);
  memcpy(p->system.damping, damping, sizeof damping);
}

static void set_law(SimProblem *p, SimStribeck law) {
  p->system.stribeck = law;
  p->system.stribeck_exponent = 2;
  for (int i = 0; i < D; i++) {
    p->system.stribeck_beta[i] = 0.4;
    p->system.stribeck_epsilon[i] = 0.5;
  }
}

static void set_gear(SimProblem *p) {
  SimGearbox *g = &p->system.gearbox;
  g->present = true;
  g->law = SIM_STRIBECK_SQRT;
  for (int i = 0; i < D; i++) {
    g->delta[i] = g->k[i] = i - 1;
    g->a[i] = g->beta[i] = g->epsilon[i] = 0.5;
    g->b[i] = 1.5;
  }
}

static void set_stops(SimProblem *p, double stiffness, double restitution) {
  p->stops.present = true;
  for (int i = 0; i < D; i++) {
    p->stops.lower[i] = i == 1 ? NAN : -0.3;
    p->stops.upper[i] = i == 1 ? 0.25 : NAN;
    p->stops.stiffness[i] = stiffness;
    p->stops.restitution[i] = restitution;
  }
}

/* Adds a feature; returns whether the problem supports it. */
static bool set_feature(SimProblem *p, Feature feature) {
  static const double viscous[D] = {0.7, 0, 0.4}, speed[] = {0.1, 0.5, 1, 3}, friction[] = {2, 1.5, 1.2, 1.6};
  const SimLoad velocity = {.context = &speeds, .at = fixture_force_at},
                thresholds = {.context = &courses, .at = fixture_force_at};
  double where;
  long bad;
  switch (feature) {
  case RAMP: set_law(p, SIM_STRIBECK_RAMP); return true;
  case SQRT: set_law(p, SIM_STRIBECK_SQRT); return true;
  case EXPONENTIAL: set_law(p, SIM_STRIBECK_EXPONENTIAL); return true;
  case TABLE: return stiction_problem_set_friction_table(p, 4, 1, speed, friction, &bad) == SIM_OK;
  case DIRECTION:
    p->by_direction = true;
    for (int i = 0; i < D; i++) p->friction_bias[i] = 0.3 * (1 - i);
    return true;
  case THRESHOLDS: return stiction_problem_set_thresholds(p, D, &thresholds, 0, NULL, &where) == SIM_OK;
  case SURFACE: return stiction_problem_set_surface(p, D, &velocity, 0, NULL, &where) == SIM_OK;
  case VISCOUS: return sim_problem_set_viscous(p, viscous) == SIM_OK;
  case GEAR: return p->system.storage == SIM_DENSE && (set_gear(p), true);
  case ANCHORS: return springs_set(p, SIM_ANCHORS, false, springs_kinked, 20, &where) == SIM_OK;
  case LINKS: return springs_set(p, SIM_LINKS, false, springs_kinked, 20, &where) == SIM_OK;
  case RIGID: return p->system.storage == SIM_DENSE && (set_stops(p, NAN, 0.5), true);
  case ELASTIC: return p->system.storage == SIM_DENSE && (set_stops(p, 400, 0), true);
  case REGULARIZED: return sim_problem_choose(p, "multiplier", "regularized") == SIM_OK;
  case SMOOTH:
    return sim_problem_choose(p, "multiplier", "smooth") == SIM_OK && sim_problem_set(p, "eta", 0.05) == SIM_OK;
  case FIXED_POINT:
    return sim_problem_choose(p, "solver", "fixed_point") == SIM_OK && sim_problem_set(p, "tolerance", 1e-3) == SIM_OK;
  case THETA: return sim_problem_set(p, "theta", 0.7) == SIM_OK;
  case EXACT_ELASTICITY: return sim_problem_choose(p, "elastic", "exact") == SIM_OK;
  default: return true; /* the feature is a property of the system itself, not set here */
  }
}

static bool make(SimProblem *p, const char *scheme, Feature a, Feature b) {
  bool sparse = a == SPARSE || b == SPARSE, done = true;
  if (sparse)
    assert_int_equal(sim_problem_init_sparse(p, NULL, D, 0, D, D), SIM_OK);
  else
    assert_int_equal(sim_problem_init(p, SIM_FRICTION, D, D), SIM_OK);
  fixture_time(p, 3, 300);
  fixture_scheme(p, scheme);
  fill_matrices(p, a == COUPLED || b == COUPLED, a == DAMPED || b == DAMPED);
  if (a == SIGNAL || b == SIGNAL) {
    p->signal = SIM_PIECEWISE_LINEAR;
    p->segments = SEGMENTS;
  }
  for (int i = 0; i < D; i++) {
    p->friction[i] = 1.5 + 0.5 * i;
    p->x0[i] = 0.2 * (i - 1);
    p->v0[i] = 0.8 - 0.5 * i;
  }
  const Feature both[] = {b, a}; /* thresholds that depend on time are set last, as they use the other data */
  for (int k = 0; k < (a == b ? 1 : 2); k++) done = done && set_feature(p, both[k]);
  return done;
}

static void every_pair_closes(void **state) {
  (void)state;
  static const char *const schemes[] = {"moreau", "centered", "lie", "strang", "event"};
  const double control[D * SEGMENTS] = {1, -2, 0.5, 3, 1, -1, -2, 0, 1, 2, -3, 1};
  long ran = 0, driven = 0, wrong = 0;
  for (int s = 0; s < 5; s++)
    for (Feature a = PLAIN; a < FEATURES; a++)
      for (Feature b = PLAIN; b <= a; b++) {
        SimProblem p;
        SimFinal final;
        bool event = s == 4, made = make(&p, schemes[s], a, b);
        if (!made) {
          sim_problem_clear(&p);
          continue;
        }
        ClosureWatch w = closure_run(&p, pushing, control, &final, &made);
        if (!made) continue;
        ran++;
        /* damping at a moving surface occurs in both parts of the scheme */
        bool drags = s > 1 && s < 4 && a == VISCOUS && b == SURFACE;
        bool closes = final.status == SIM_OK && w.error < (event ? 1e-8 : 1e-11) && final.closure.error <= w.error;
        if (closes && (drags || w.fell < 1e-12)) {
          driven += w.given_back > 0 && a == FIXED_POINT && s == 0;
          continue;
        }
        wrong++;
        print_message("%s, %s, %s: %s; open by %g, dissipation falls by %g\n", schemes[s], names[a], names[b],
                      stiction_status_text(final.status), w.error, w.fell);
      }
  assert_int_equal(wrong, 0);
  assert_true(ran > 500);
  assert_true(driven > 0);
}

/* Other kinds ------------------------------------------------------------------------------------------------------ */

static double swinging(int i, double t) { return 1.5 * sin(1.9 * t) * (i + 1) / 2; }

static void chains_close(void **state) {
  (void)state;
  static const char *const schemes[] = {"implicit_euler", "symplectic", "increment", "event"};
  const double control[5] = {0.3, -0.2, 0.4, 0, 0.1};
  long ran = 0;
  for (int s = 0; s < 4; s++)
    for (SimChainCase which = SIM_CHAIN_DYNAMICAL; which <= SIM_CHAIN_QUASISTATIC; which++)
      for (SimChainEnd end = SIM_END_CLAMPED; end <= SIM_END_DISPLACEMENT; end++) {
        SimProblem p;
        SimFinal final;
        bool made;
        chain_init(&p, 4, which, end, schemes[s]);
        fixture_time(&p, 6, 600);
        for (int i = 0; i < 4; i++) p.friction[i] = 0.2 + 0.1 * i;
        if (s < 3) {
          assert_int_equal(sim_problem_alloc_force(&p), SIM_OK);
          for (int i = 0; i < 4; i++) chain_add_force(&p, i, 0.5 + 0.4 * i, 1.9);
          chain_add_end(&p, 0.7, 1.1);
        }
        ClosureWatch w = closure_run(&p, swinging, control, &final, &made);
        if (!made) continue;
        ran++;
        if (final.status != SIM_OK || !(w.error < 1e-9))
          fail_msg("%s, case %d, end %d: %s; open by %g", schemes[s], which, end, stiction_status_text(final.status),
                   w.error);
      }
  assert_true(ran > 20);
}

static void dashpots_close(void **state) {
  (void)state;
  static const char *const schemes[] = {"backward_euler", "event"};
  long ran = 0;
  for (int s = 0; s < 2; s++)
    for (int support = 0; support < 2; support++)
      for (SimDashpotLaw law = 0; sim_dashpot_law_takes(law, "gamma"); law++) {
        SimProblem p;
        SimFinal final;
        bool made;
        const double u = 0.5;
        dashpot_problem(&p, law, 3, 600);
        fixture_scheme(&p, schemes[s]);
        if (support) dashpot_support(&p, 0.01, 400);
        ClosureWatch w = closure_run(&p, pushing, &u, &final, &made);
        if (!made) continue;
        ran++;
        if (final.status != SIM_OK || !(w.error < 1e-9))
          fail_msg("%s, law %d: %s; open by %g", schemes[s], (int)law, stiction_status_text(final.status), w.error);
      }
  assert_true(ran >= 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_pair_closes), cmocka_unit_test(chains_close),
                                     cmocka_unit_test(dashpots_close)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
