/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests forces for the scheme `event`: they are converted to polynomial pieces, whatever their expression. */
#include "tests/sim/event/event.h"

#include <math.h>

static double with_gaps(int i, double t) {
  (void)i;
  return 3 + pow(t, 5);
}

/* Some powers are missing in the force: x'' = 3 + t^5 - 1. */
static void powers_with_gaps(void **state) {
  SimProblem p;
  double x, v;
  (void)state;
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 1), SIM_OK);
  p.system.mass[0] = p.friction[0] = 1;
  fixture_time(&p, 1, 3);
  fixture_scheme(&p, "event");
  fixture_run(&p, with_gaps, NULL, NULL, &x, &v);
  assert_near(x, 1 + 1 / 42.0, 1e-13);
  assert_near(v, 2 + 1 / 6.0, 1e-13);
}

static double fast(int i, double t) {
  (void)i;
  return 2 * sin(1000 * t);
}

/* A force oscillates so fast that the round-off of t has more effect than that of the force: v = 2 (1 - cos(1000
 * t))/1000. */
static void fast_force(void **state) {
  SimProblem p;
  double x, v;
  (void)state;
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 1), SIM_OK);
  p.system.mass[0] = 1;
  fixture_time(&p, 5, 3);
  fixture_scheme(&p, "event");
  fixture_run(&p, fast, NULL, NULL, &x, &v);
  assert_near(x, 0.01 - 2e-6 * sin(5000), 1e-11);
  assert_near(v, 2e-3 * (1 - cos(5000)), 1e-12);
}

/* A force that jumps inside its expression gives the motion of a force with declared jumps, as exactly as bisection
 * finds the jump. */
static double jumping(int i, double t) {
  (void)i;
  return sin(10 * t) > 0 ? 6 : -6;
}
static void unmarked_jumps(void **state) {
  enum { D = 4 };
  static const double stiffness[D + 1] = {1, 100, 1, 10, 10}, damping[D + 1] = {0, 1, 5, 0, 5};
  static const double friction[D] = {10, 1, 10, 10}, x0[D] = {0.417459, 0.1037, -0.437346, 0.13579};
  const double breaks[3] = {acos(-1) / 10, acos(-1) / 5, 3 * acos(-1) / 10};
  double x[2][D], v[2][D];
  (void)state;
  for (int declared = 0; declared < 2; declared++) {
    SimProblem p;
    SimWorkspace *work;
    SimFinal final = {.x = x[declared], .v = v[declared]};
    double where;
    assert_int_equal(sim_problem_init(&p, SIM_FRICTION, D, 1), SIM_OK);
    for (int i = 0; i < D; i++) {
      for (int j = 0; j < 2; j++) {
        double *const matrices[] = {p.system.stiffness, p.system.damping};
        const double *springs = j ? damping : stiffness;
        matrices[j][i * D + i] = springs[i] + springs[i + 1];
        if (i + 1 < D) matrices[j][i * D + i + 1] = matrices[j][(i + 1) * D + i] = -springs[i + 1];
      }
      p.system.mass[i * (D + 1)] = 2.96261;
      p.friction[i] = friction[i];
      p.x0[i] = x0[i];
    }
    p.v0[1] = -2;
    fixture_time(&p, 1, 1);
    fixture_scheme(&p, "event");
    SimModel *model = fixture_model(&p, jumping, &work);
    if (declared) {
      stiction_workspace_destroy(work);
      stiction_model_destroy(model);
      FixtureSource source = {jumping, D};
      const SimLoad load = {.context = &source, .at = fixture_force_at};
      assert_int_equal(stiction_problem_set_pieces(&p, &load, 3, breaks, &where), SIM_OK);
      const SimReport report = {NULL, fixture_complain};
      assert_int_equal(stiction_problem_finalize(&p, &report), SIM_OK);
      assert_int_equal(stiction_model_create(&p, &report, &model), SIM_OK);
      assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
    }
    assert_int_equal(stiction_rollout(model, work, NULL, NULL, &final), SIM_OK);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
  for (int i = 0; i < D; i++) {
    assert_near(x[0][i], x[1][i], 1e-10);
    assert_near(v[0][i], v[1][i], 1e-10);
  }
}

static double swinging(int i, double t) {
  (void)i;
  return 6 * sin(5 * t);
}

/* A motion is saved after each step and continued in another workspace. It has the same bits and number of events. */
static void breaks_change_nothing(void **state) {
  (void)state;
  SimProblem p;
  SimWorkspace *work;
  double x[2], v[2];
  SimFinal whole = {.x = &x[0], .v = &v[0]}, broken = {.x = &x[1], .v = &v[1]};
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 1), SIM_OK);
  p.system.mass[0] = 1;
  p.system.stiffness[0] = 3;
  p.friction[0] = 2;
  fixture_time(&p, 10, 7);
  fixture_scheme(&p, "event");
  SimModel *model = fixture_model(&p, swinging, &work);
  assert_int_equal(stiction_rollout(model, work, NULL, NULL, &whole), SIM_OK);
  size_t size = sim_workspace_saved_size(model);
  char *bytes = malloc(size);
  assert_non_null(bytes);
  sim_rollout_begin(model, work, NULL, NULL);
  for (long n = 1; n <= p.steps; n++) {
    assert_int_equal(sim_rollout_run_to(model, work, NULL, n), SIM_OK);
    sim_workspace_save(model, work, bytes);
    stiction_workspace_destroy(work);
    assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
    assert_int_equal(sim_workspace_load(model, work, bytes, size), SIM_OK);
  }
  sim_rollout_end(model, work, &broken);
  assert_true(x[0] == x[1] && v[0] == v[1]);
  assert_true(whole.iterations > 10); /* events */
  assert_int_equal(broken.iterations, whole.iterations);
  assert_int_equal(broken.grazes, whole.grazes);
  free(bytes);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(powers_with_gaps), cmocka_unit_test(fast_force),
                                     cmocka_unit_test(unmarked_jumps), cmocka_unit_test(breaks_change_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
