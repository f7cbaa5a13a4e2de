/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that combinations that dofs without mass do not support are refused. */
#include "tests/sim/friction/massless.h"

typedef struct Reported {
  int many;
  char key[64];
} Reported;

static void listen(void *context, const char *key, const char *text) {
  Reported *reported = context;
  (void)text;
  if (!reported->many++) snprintf(reported->key, sizeof reported->key, "%s", key);
}

static void refused(SimProblem *p, const char *key) {
  Reported reported = {0};
  const SimReport report = {&reported, listen};
  assert_int_equal(stiction_problem_finalize(p, &report), SIM_BAD_PROBLEM);
  assert_string_equal(reported.key, key);
  sim_problem_clear(p);
}

/* Gain of a threshold that rises with the force in the slider's own spring. */
static double gain;
static double rise_by_force(int i, double e) {
  (void)i;
  return gain * SPRING[1] * fabs(e);
}

static void a_threshold_that_outruns_its_spring_is_refused(void **state) {
  const double kink = 0;
  FixtureSource law = {rise_by_force, 1};
  SimLoad load = {.at = fixture_force_at, .context = &law};
  (void)state;
  for (int s = 0; s < STEPPING; s++)
    for (int k = 0; k < 2; k++) {
      SimProblem p;
      double where;
      gain = k ? 1.01 : 0.8;
      jenkins(&p, SPRING[1]);
      assert_int_equal(stiction_problem_set_rise(&p, SIM_SPRING_BEFORE, 1, &load, -1, 1, 1, &kink, &where), SIM_OK);
      fixture_time(&p, 1, 1000);
      fixture_scheme(&p, stepping[s]);
      if (strcmp(stepping[s], "centered") == 0) sim_problem_choose(&p, "multiplier", "unregularized");
      if (k) {
        refused(&p, "model.friction_rise");
      } else {
        assert_int_equal(stiction_problem_finalize(&p, NULL), SIM_OK);
        sim_problem_clear(&p);
      }
    }
}

static void what_has_no_motion_is_refused(void **state) {
  SimProblem p;
  (void)state;
  maxwell(&p, "moreau", 0, 1, 100);
  sim_problem_set(&p, "theta", 0.5);
  refused(&p, "scheme.theta");
  maxwell(&p, "moreau", 0, 1, 100);
  p.v0[1] = 1;
  refused(&p, "model.v0");
  maxwell(&p, "event", 0, 1, 100);
  p.system.mass[1] = p.system.mass[MAXWELL] = 0.1; /* off-diagonal entries of M stand beside a zero on its diagonal */
  refused(&p, "model.mass");
  maxwell(&p, "moreau", 0, 1, 100);
  p.system.mass[0] = 0;
  refused(&p, "model.mass");
  maxwell(&p, "event", 0, 1, 100); /* only a spring holds the two sliders together */
  double *a = p.system.stiffness;
  a[MAXWELL] = a[1] = a[2 * MAXWELL] = a[2] = 0;
  a[0] = SPRING[2] + SPRING[3];
  a[MAXWELL + 1] = a[2 * MAXWELL + 2] = 5;
  a[MAXWELL + 2] = a[2 * MAXWELL + 1] = -5;
  refused(&p, "model.stiffness");
  maxwell(&p, "event", 0, 1, 100);
  p.system.damping[MAXWELL + 1] = 1;
  refused(&p, "model.damping");
  maxwell(&p, "moreau", 0, 1, 100);
  p.system.stribeck = SIM_STRIBECK_SQRT;
  for (int i = 0; i < MAXWELL; i++) {
    p.system.stribeck_beta[i] = 0.5;
    p.system.stribeck_epsilon[i] = 0.1;
  }
  refused(&p, "model.stribeck.beta");
  maxwell(&p, "moreau", 0, 1, 100);
  p.stops.present = true;
  for (int i = 0; i < MAXWELL; i++) {
    p.stops.lower[i] = p.stops.upper[i] = p.stops.stiffness[i] = NAN;
    p.stops.restitution[i] = i == 2 ? 0.5 : 0;
  }
  p.stops.upper[2] = 1;
  refused(&p, "model.stops.restitution");
  static const char *const others[] = {"centered", "lie", "strang"};
  for (int k = 0; k < 3; k++) {
    maxwell(&p, others[k], 0, 1, 100);
    p.stops.present = true;
    for (int i = 0; i < MAXWELL; i++) {
      p.stops.lower[i] = p.stops.upper[i] = p.stops.stiffness[i] = NAN;
      p.stops.restitution[i] = 0;
    }
    p.stops.upper[2] = 1;
    p.stops.stiffness[2] = 100;
    refused(&p, "model.stops");
  }
  for (int k = 1; k < 3; k++) {
    maxwell(&p, others[k], 0, 1, 100);
    p.system.damping[0] = 12;
    p.system.damping[MAXWELL + 1] = 1;
    p.system.damping[1] = p.system.damping[MAXWELL] = -1;
    refused(&p, "model.damping");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_threshold_that_outruns_its_spring_is_refused),
                                     cmocka_unit_test(what_has_no_motion_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
