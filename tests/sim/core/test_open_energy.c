/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests energy balances that do not close. They make an observed motion fail, while round-off does not. Schemes that
 * compute no energies do not report zeros. */
#include "sim/core/model.h"
#include "sim/core/scheme.h"
#include "sim/joint/springs.h"
#include "tests/sim/core/closure.h"
#include "tests/sim/friction/springs.h"

/* Duffing's oscillator with a spring potential that jumps by `wrong` J at e = 0, while its force has no such jump. */
static SimModel *make_inconsistent(SimProblem *p, const char *scheme, double wrong, SimWorkspace **work) {
  FixtureSource source = {springs_duffing, 1};
  const SimLoad law = {.context = &source, .at = fixture_force_at};
  double where, middle = 0;
  springs_make_duffing(p, scheme, 2, 400);
  assert_int_equal(stiction_problem_set_springs(p, SIM_ANCHORS, 1, &law, -1, 1, 1, &middle, &where), SIM_OK);
  SimModel *model = fixture_model(p, fixture_no_force, work);
  const SimSpringLaw *held = &model->problem.springs[SIM_ANCHORS];
  for (long k = 0; k < held->pieces; k++) {
    double *row = held->rows + (size_t)k * sim_curve_size(1);
    if (row[0] >= 0) row[SIM_CURVE_HEAD] += wrong;
  }
  return model;
}

static void clear(SimProblem *p, SimModel *model, SimWorkspace *work) {
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(p);
}

static void open_energy_is_a_failure(void **state) {
  (void)state;
  static const char *const schemes[] = {"moreau", "centered", "event"};
  for (int s = 0; s < 3; s++)
    for (int wrong = 0; wrong < 2; wrong++) {
      SimProblem p;
      SimWorkspace *work;
      double x, v;
      ClosureWatch w = {.time = -1};
      const SimObserver observer = {.context = &w, .step = closure_see};
      SimFinal final = {.x = &x, .v = &v};
      SimModel *model = make_inconsistent(&p, schemes[s], wrong * 1e-3, &work);
      stiction_rollout(model, work, NULL, &observer, &final);
      assert_int_equal(final.status, wrong ? SIM_ENERGY_OPEN : SIM_OK);
      assert_true(wrong ? final.closure.error > SIM_CLOSURE : final.closure.error < SIM_CLOSURE);
      if (wrong && !(fabs(final.closure.time - p.end / 8) <= 1.5 * p.step))
        fail_msg("%s: open at %g, not %g", schemes[s], final.closure.time, p.end / 8);
      assert_int_equal(w.rows,
                       1 + (wrong ? lround(final.closure.time / p.step) : p.steps)); /* the last observed step */
      stiction_rollout(model, work, NULL, NULL, &final);
      assert_int_equal(final.status, SIM_OK); /* energies are evaluated only for an observer */
      assert_true(isnan(final.closure.error));
      clear(&p, model, work);
    }
}

/* A motion that is saved midway fails at the same time as one that is not. */
static void saved_alike(void **state) {
  (void)state;
  SimProblem p;
  SimWorkspace *work;
  double x, v;
  ClosureWatch w = {.time = -1};
  const SimObserver observer = {.context = &w, .step = closure_see};
  SimFinal finals[2] = {{.x = &x, .v = &v}, {.x = &x, .v = &v}};
  SimModel *model = make_inconsistent(&p, "moreau", 1e-3, &work);
  size_t size = sim_workspace_saved_size(model);
  void *bytes = malloc(size);
  for (int k = 0; k < 2; k++) {
    SimStatus status = sim_rollout_begin(model, work, NULL, &observer);
    for (long n = 1; n <= p.steps && status == SIM_OK; n++) {
      status = sim_rollout_run_to(model, work, &observer, n);
      sim_workspace_save(model, work, bytes);
      if (k && status == SIM_OK) status = sim_workspace_load(model, work, bytes, size);
    }
    sim_rollout_end(model, work, &finals[k]);
    assert_int_equal(finals[k].status, SIM_ENERGY_OPEN);
  }
  assert_true(finals[0].closure.time == finals[1].closure.time && finals[0].closure.error == finals[1].closure.error);
  free(bytes);
  clear(&p, model, work);
}

/* A scheme that computes no energies reports none instead of zeros. */
static void absent_is_not_zero(void **state) {
  (void)state;
  SimProblem p;
  SimModel *model;
  SimWorkspace *work;
  double x[3], v[3];
  ClosureWatch w = {.time = -1};
  const SimObserver observer = {.context = &w, .step = closure_see};
  SimFinal final = {.x = x, .v = v};
  fixture_paper(&p, 1, "moreau", SIM_UNREGULARIZED, 1);
  model = fixture_model(&p, fixture_tp1_force, &work);
  SimScheme silent = *model->problem.scheme;
  silent.energies = false;
  model->problem.scheme = &silent;
  assert_int_equal(stiction_rollout(model, work, NULL, &observer, &final), SIM_OK);
  assert_true(w.rows == 401 && w.unknown == w.rows);
  assert_true(isnan(final.closure.error) && isnan(final.closure.time));
  clear(&p, model, work);
}

/* Round-off is no failure. One block creeps under forces 1e13 times as large as their change; another oscillates for a
 * long time. */
static double loaded(int i, double t) {
  (void)i;
  return 1e10 + 20 * sin(t);
}

static void round_off_is_no_failure(void **state) {
  (void)state;
  static const char *const schemes[] = {"moreau", "centered", "lie", "strang", "event"};
  for (int s = 0; s < 5; s++)
    for (int swings = 0; swings < 2; swings++) {
      SimProblem p;
      SimFinal final;
      bool made;
      assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 0), SIM_OK);
      fixture_time(&p, swings ? 1000 : 10, swings && s < 4 ? 100000 : 10);
      fixture_scheme(&p, schemes[s]);
      p.system.mass[0] = 100;
      p.system.stiffness[0] = swings ? 4000 : 1e6;
      p.friction[0] = swings ? 0 : 1;
      p.x0[0] = swings ? 1 : 1e4;
      closure_run(&p, swings ? fixture_no_force : loaded, NULL, &final, &made);
      assert_true(made);
      if (final.status != SIM_OK)
        fail_msg("%s: %s, by %g at %g s", schemes[s], stiction_status_text(final.status), final.closure.error,
                 final.closure.time);
    }
}

/* It is no failure either if all energies so far are round-off: the model rests until a load begins. Thresholds differ
 * by direction, or some nodes have no mass. */
static double begins(int i, double t) {
  (void)i;
  return t > 1.60643 * 1.001 ? -16400.6 : 0;
}
static double begins_gently(int i, double t) {
  (void)i;
  return t > 0.004 ? 50000 * sin(200 * (t - 0.004)) : 0;
}

static void rest_is_no_failure(void **state) {
  (void)state;
  for (int chain = 0; chain < 2; chain++) {
    SimProblem p;
    SimFinal final;
    bool made;
    if (chain) {
      const double springs[] = {800, 300, 800}, thresholds[] = {700, 0}, breaks = 0.004;
      double where;
      FixtureSource source = {begins_gently, 2};
      const SimLoad load = {.context = &source, .at = fixture_force_at};
      double state_of[4];
      assert_int_equal(sim_problem_init(&p, SIM_CHAIN, 2, 0), SIM_OK);
      p.chain.chain_case = SIM_CHAIN_QUASISTATIC;
      memcpy(p.chain.springs, springs, sizeof springs);
      memcpy(p.friction, thresholds, sizeof thresholds);
      fixture_time(&p, 0.008, 2);
      fixture_scheme(&p, "event");
      assert_int_equal(stiction_problem_set_pieces(&p, &load, 1, &breaks, &where), SIM_OK);
      assert_int_equal(stiction_problem_finalize(&p, NULL), SIM_OK);
      SimModel *model;
      SimWorkspace *work;
      ClosureWatch w = {.time = -1};
      const SimObserver observer = {.context = &w, .step = closure_see};
      final = (SimFinal){.x = state_of, .v = state_of + 2};
      assert_int_equal(stiction_model_create(&p, NULL, &model), SIM_OK);
      assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
      stiction_rollout(model, work, NULL, &observer, &final);
      clear(&p, model, work);
    } else {
      assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 0), SIM_OK);
      fixture_time(&p, 2 * 1.60643, 6);
      fixture_scheme(&p, "centered");
      assert_int_equal(sim_problem_choose(&p, "multiplier", "regularized"), SIM_OK);
      p.system.mass[0] = 125.08355688631661;
      p.by_direction = true;
      p.friction[0] = (3911.65 + 4201.86) / 2;
      p.friction_bias[0] = (3911.65 - 4201.86) / 2;
      closure_run(&p, begins, NULL, &final, &made);
      assert_true(made);
    }
    if (final.status != SIM_OK)
      fail_msg("%d: %s, by %g at %g s", chain, stiction_status_text(final.status), final.closure.error,
               final.closure.time);
  }
}

static double swinging_surface(int i, double t) { return 0.3 - 0.2 * t + 0.1 * sin(4 * t + i); }

/* The surface of a mass moves but does not carry it along: the mass is at rest, or a spring holds it and it is damped.
 * Its velocity x' is computed as the speed w of the surface plus a remainder, which has round-off. */
static void free_of_its_surface_is_no_failure(void **state) {
  (void)state;
  static const char *const schemes[] = {"moreau", "centered", "lie", "strang", "event"};
  for (int k = 0; k < 10; k++) {
    SimProblem p;
    SimFinal final;
    bool made;
    double where;
    FixtureSource source = {swinging_surface, 1};
    const SimLoad load = {.context = &source, .at = fixture_force_at};
    assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 0), SIM_OK);
    fixture_time(&p, 2, 200);
    fixture_scheme(&p, schemes[k / 2]);
    p.system.mass[0] = 0.367;
    p.system.damping[0] = k % 2 ? 0.216 : 0;
    p.system.stiffness[0] = k % 2 ? 2 : 0;
    assert_int_equal(stiction_problem_set_surface(&p, 1, &load, 0, NULL, &where), SIM_OK);
    closure_run(&p, fixture_no_force, NULL, &final, &made);
    assert_true(made);
    if (final.status != SIM_OK)
      fail_msg("%s %d: %s, by %g at %g s", schemes[k / 2], k % 2, stiction_status_text(final.status),
               final.closure.error, final.closure.time);
  }
}

/* Tests that steps so short that the last bits of x affect v are no failure. */
static void short_steps_are_no_failure(void **state) {
  (void)state;
  static const char *const schemes[] = {"moreau", "centered", "lie", "strang"};
  for (int s = 0; s < 4; s++) {
    SimProblem p;
    SimFinal final;
    bool made;
    fixture_paper(&p, 1, schemes[s], SIM_UNREGULARIZED, 1);
    p.end = 2e-3;
    p.steps = 1000;
    p.step = 2e-6;
    ClosureWatch w = closure_run(&p, fixture_tp1_force, NULL, &final, &made);
    if (!made || final.status != SIM_OK)
      fail_msg("%s: %s, by %g at %g s", schemes[s], stiction_status_text(final.status), final.closure.error,
               final.closure.time);
    assert_true(w.error > 0);
  }
}

/* Two carts joined by a spring of 1e11 N/m roll 2 m in 2 s. Their energies have lost digits, which is reported. With
 * 1e3 N/m they have not. */
static double push(int i, double t) { return i == 0 && t >= 0 ? -2 : 0; }

static void stiffness_takes_digits(void **state) {
  (void)state;
  for (int stiff = 0; stiff < 2; stiff++) {
    SimProblem p;
    double k = stiff ? 1e11 : 1e3;
    SimFinal final;
    bool made;
    assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 2, 0), SIM_OK);
    fixture_time(&p, 2, 200);
    fixture_scheme(&p, "event");
    p.system.mass[0] = 1; /* the other joint has no mass */
    for (int i = 0; i < 4; i++) p.system.stiffness[i] = i % 3 == 0 ? k : -k;
    p.system.stiffness[3] += 1;
    closure_run(&p, push, NULL, &final, &made);
    assert_true(made);
    assert_int_equal(final.status, SIM_OK);
    assert_true(stiff ? final.closure.rounded > 1e-6 : final.closure.rounded < 1e-9);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(open_energy_is_a_failure),   cmocka_unit_test(saved_alike),
      cmocka_unit_test(absent_is_not_zero),         cmocka_unit_test(round_off_is_no_failure),
      cmocka_unit_test(rest_is_no_failure),         cmocka_unit_test(free_of_its_surface_is_no_failure),
      cmocka_unit_test(short_steps_are_no_failure), cmocka_unit_test(stiffness_takes_digits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
