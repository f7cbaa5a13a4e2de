/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests local methods and hybrid on models in which x(T) is an analytic function of u. */
#include "tests/control/search/drive.h"

#include "control/search/methods.h"
#include "sim/group.h"

#include <malloc.h>

static const char *const all[] = {"nlopt:cobyla",     "nlopt:bobyqa", "nlopt:sbplx", "nlopt:auglag",
                                  "nlopt:neldermead", "tao:pounders", "hybrid"};
enum { ALL = sizeof all / sizeof *all };

static bool is_hybrid(int method) { return method == ctl_method_find("hybrid"); }

static void each_method_meets_the_target(void **state) {
  (void)state;
  for (int m = 0; m < ALL; m++) {
    CtlProblem p = plain_problem(2);
    p.method = ctl_method_find(all[m]);
    p.rho = 10; /* with a steeper penalty SBPLX could not follow the narrow valley */
    run(&p, linear, 1, 0, 0);
    assert_int_equal(drive.last.reason, CTL_REASON_TOLERANCE);
    for (int i = 0; i < 2; i++) assert_true(fabs(drive.u[i] - 1.2345 - i / 3.0) <= 1e-6);
    ctl_problem_clear(&p);
  }
}

/* A model with one target, u_1 + 2 u_2 = 5. The minimum of u.u is at u = (1, 2). */
static SimStatus one_target(int n, const double *u, double *x, double *v) {
  (void)n;
  x[0] = u[0] + 2 * u[1];
  x[1] = v[0] = v[1] = 0;
  return SIM_OK;
}

static void constrained_methods_and_hybrid_take_the_least_effort(void **state) {
  (void)state;
  static const char *const methods[] = {"nlopt:cobyla", "nlopt:auglag", "hybrid"};
  for (int m = 0; m < 3; m++) {
    CtlProblem p = plain_problem(2);
    p.method = ctl_method_find(methods[m]);
    p.rho = 100;
    p.position[0] = 5;
    p.position[1] = NAN;
    p.weight[0] = p.weight[3] = 1;
    run(&p, one_target, 1, 0, 0);
    assert_int_equal(drive.last.reason, CTL_REASON_TOLERANCE);
    assert_true(fabs(drive.last.J - 5) <= 1e-4);
    ctl_problem_clear(&p);
  }
}

static void the_order_of_outcomes_and_the_batch_do_not_matter(void **state) {
  (void)state;
  CtlProblem p = plain_problem(2);
  p.method = ctl_method_find("hybrid");
  run_in_any_order(&p, rosenbrock, 4);
  ctl_problem_clear(&p);
}

static void a_budget_is_kept_to_the_evaluation(void **state) {
  (void)state;
  for (int m = 0; m < ALL; m++)
    for (long budget = 15; budget < 40; budget++) {
      CtlProblem p = plain_problem(2);
      p.method = ctl_method_find(all[m]);
      p.max_evaluations = budget;
      p.stop_at = 1e-300;
      run(&p, rosenbrock, 4, 0, 0);
      assert_true(drive.last.evaluations <= budget);
      if (!is_hybrid(p.method) && drive.last.reason == CTL_REASON_BUDGET)
        assert_int_equal(drive.last.evaluations, budget);
      ctl_problem_clear(&p);
    }
}

static void failures_are_counted_and_survived(void **state) {
  (void)state;
  for (int m = 0; m < ALL; m++) {
    CtlProblem p = plain_problem(2);
    p.method = ctl_method_find(all[m]);
    p.max_evaluations = 300;
    run(&p, always_fails, 4, 0, 0);
    assert_int_equal(drive.last.non_finite, drive.last.ivps);
    assert_true(drive.last.reason == CTL_REASON_FAILED || drive.last.reason == CTL_REASON_BUDGET);
    ctl_problem_clear(&p);
  }
}

static void bounds_hold(void **state) {
  (void)state;
  for (int m = 0; m < ALL; m++) {
    CtlProblem p = plain_problem(2);
    p.method = ctl_method_find(all[m]);
    p.lower[0] = -0.5;
    p.upper[0] = 1;
    p.max_evaluations = 1000;
    run(&p, linear, 4, 0, 0); /* run checks that no point is outside */
    assert_true(drive.u[0] <= 1);
    ctl_problem_clear(&p);
  }
}

/* Returns whether a method ends at the target; AUGLAG continues after it has met it. */
static bool is_met(const CtlProblem *p) {
  CtlReason reason = p->method == ctl_method_find("nlopt:auglag") ? CTL_REASON_BUDGET : CTL_REASON_TOLERANCE;
  return (drive.last.reason == reason || drive.last.reason == CTL_REASON_TOLERANCE) && drive.last.E1 <= p->accept;
}

/* Tests starts at a bound, starts with less room than a first step needs, and a control that is fixed. */
static void starts_at_bounds_go_on(void **state) {
  (void)state;
  const double target[2] = {1.2345, 1.2345 + 1 / 3.0};
  for (int m = 0; m < ALL; m++)
    for (int side = 0; side < 4; side++) {
      CtlProblem p = plain_problem(2);
      p.method = ctl_method_find(all[m]);
      p.rho = 10;
      p.restarts = 0;
      p.max_evaluations = 2000;
      for (int i = 0; i < 2; i++) {
        p.lower[i] = target[i] - 0.3;
        p.upper[i] = target[i] + 0.4;
        p.start[i] = (side >> i) & 1 ? p.upper[i] : p.lower[i];
      }
      run(&p, linear, 1, 0, 0);
      assert_true(is_met(&p));
      p.lower[side % 2] = p.upper[side % 2] = p.start[side % 2] = target[side % 2];
      run(&p, linear, 1, 0, 0);
      assert_true(is_met(&p));
      ctl_problem_clear(&p);
    }
}

/* If the penalty parameter is small, the penalty function prefers points that miss the target. These methods do not
 * minimise it. */
static void a_slight_penalty_does_not_discard_the_answer(void **state) {
  (void)state;
  static const char *const methods[] = {"nlopt:cobyla", "nlopt:auglag", "tao:pounders"};
  for (int m = 0; m < 3; m++) {
    CtlProblem p = plain_problem(2);
    p.method = ctl_method_find(methods[m]);
    p.rho = 1e-3;
    p.weight[0] = p.weight[3] = 1;
    run(&p, linear, 1, 0, 0);
    assert_true(is_met(&p));
    ctl_problem_clear(&p);
  }
}

/* The bounds of one control are a million times narrower than those of the others. */
static void a_narrow_control_does_not_hold_up_the_others(void **state) {
  (void)state;
  static const char *const methods[] = {"nlopt:cobyla", "tao:pounders", "hybrid"};
  for (int m = 0; m < 3; m++) {
    CtlProblem p = plain_problem(3);
    p.method = ctl_method_find(methods[m]);
    p.restarts = 0;
    p.lower[1] = p.start[1] = 1.2345 + 1 / 3.0 - 5e-7;
    p.upper[1] = p.lower[1] + 1e-6;
    run(&p, linear, 1, 0, 0);
    assert_true(is_met(&p));
    ctl_problem_clear(&p);
  }
}

/* Two controls have such narrow bounds that, from the first point on, the points of POUNDERS differ in these controls
 * by less than the tolerance. */
static void narrow_controls_do_not_end_a_coarse_search(void **state) {
  (void)state;
  CtlProblem p = plain_problem(3);
  p.method = ctl_method_find("tao:pounders");
  p.restarts = 0;
  p.tolerance = 0.02;
  p.accept = 0.1;
  p.position[1] = p.position[2] = NAN;
  p.upper[1] = p.upper[2] = 0.005;
  p.lower[1] = p.lower[2] = 0;
  run(&p, linear, 1, 0, 0);
  assert_true(is_met(&p));
  ctl_problem_clear(&p);
}

/* The first step is half the distance between the bounds. By round-off it exceeds half their distance, so POUNDERS
 * refuses to run. */
static void failed_runs_leave_no_memory(void **state) {
  (void)state;
  enum { RUNS = 40, LEFT_MOST = 20000 };
  const double u = 1e6, ulp = 0x1p-33;
  size_t before = 0;
  for (int k = 0; k < RUNS; k++) {
    CtlProblem p = plain_problem(2);
    p.method = ctl_method_find("tao:pounders");
    p.restarts = 0;
    for (int i = 0; i < 2; i++) {
      p.start[i] = u;
      p.lower[i] = u - 9 * ulp;
      p.upper[i] = u + 8 * ulp;
    }
    run(&p, linear, 1, 0, 0);
    assert_int_equal(drive.last.method_errors, 1);
    ctl_problem_clear(&p);
    if (k == 0) before = mallinfo2().uordblks;
  }
  size_t after = mallinfo2().uordblks;
  if (after > before + LEFT_MOST) fail_msg("%zu bytes are left", after - before);
}

static void without_a_free_control_the_start_is_the_answer(void **state) {
  (void)state;
  for (int m = 0; m < ALL; m++) {
    CtlProblem p = plain_problem(2);
    p.method = ctl_method_find(all[m]);
    for (int i = 0; i < 2; i++) p.lower[i] = p.upper[i] = p.start[i] = 0.5 + i;
    run(&p, linear, 1, 0, 0);
    assert_int_equal(drive.last.reason, CTL_REASON_STALL);
    assert_int_equal(drive.last.ivps, is_hybrid(p.method) ? 2 : 1); /* the two parts of hybrid have separate caches */
    assert_true(drive.u[0] == 0.5 && drive.u[1] == 1.5);
    ctl_problem_clear(&p);
  }
}

/* Searches a model of 20,000 degrees of freedom, which limits the cache to 838 outcomes. */
static CtlState long_string(int restarts) {
  enum { D = 20000 };
  static double x[D], v[D];
  CtlProblem p;
  CtlSearch *search;
  CtlState state;
  long ticket;
  double u[2];
  assert_int_equal(ctl_problem_init(&p, 2, D), SIM_OK);
  p.end = 1;
  p.method = ctl_method_find("nlopt:auglag"); /* this method does not end by itself */
  p.position[0] = p.position[1] = 0;
  p.restarts = restarts;
  p.max_evaluations = 4000;
  assert_int_equal(stiction_asktell_create(&p, &search), CTL_OK);
  while (stiction_asktell_ask(search, 1, &ticket, u, NULL)) {
    unreachable(2, u, x, v);
    stiction_asktell_tell(search, ticket, &(CtlOutcome){.x = x, .v = v}, 0);
    while (stiction_asktell_advance(search)) {
    }
  }
  stiction_asktell_state(search, &state);
  stiction_asktell_destroy(search);
  ctl_problem_clear(&p);
  return state;
}

static void where_the_cache_is_full_a_method_has_no_budget_left(void **state) {
  (void)state;
  CtlState once = long_string(0), thrice = long_string(2);
  assert_int_equal(once.reason, CTL_REASON_BUDGET);
  assert_in_range(once.evaluations, 800, 850);
  assert_int_equal(thrice.reason, CTL_REASON_BUDGET);
  assert_int_equal(thrice.restarts, 2); /* each restart has an empty cache */
  assert_in_range(thrice.evaluations, 3 * 800, 3 * 850);
}

static void many_targets_are_left_to_cobyla(void **state) {
  (void)state;
  enum { TARGETS_MAX = 4096 }; /* largest number of targets that POUNDERS accepts */
  CtlProblem p;
  assert_int_equal(ctl_problem_init(&p, 1, TARGETS_MAX + 1), SIM_OK);
  p.end = 1;
  for (int i = 0; i < p.d; i++) p.position[i] = 1;
  p.method = ctl_method_find("tao:pounders");
  assert_int_equal(stiction_control_check(&p, NULL), CTL_BAD_PROBLEM);
  p.method = ctl_method_find("hybrid");
  assert_int_equal(stiction_control_check(&p, NULL), CTL_OK);
  assert_false(ctl_method_takes(ctl_method_named("tao:pounders"), &p));
  assert_true(ctl_method_takes(ctl_method_named("nlopt:cobyla"), &p));
  p.position[0] = NAN;
  assert_true(ctl_method_takes(ctl_method_named("tao:pounders"), &p));
  ctl_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(each_method_meets_the_target, drive_end),
      cmocka_unit_test_teardown(constrained_methods_and_hybrid_take_the_least_effort, drive_end),
      cmocka_unit_test_teardown(the_order_of_outcomes_and_the_batch_do_not_matter, drive_end),
      cmocka_unit_test_teardown(a_budget_is_kept_to_the_evaluation, drive_end),
      cmocka_unit_test_teardown(failures_are_counted_and_survived, drive_end),
      cmocka_unit_test_teardown(bounds_hold, drive_end),
      cmocka_unit_test_teardown(starts_at_bounds_go_on, drive_end),
      cmocka_unit_test_teardown(a_slight_penalty_does_not_discard_the_answer, drive_end),
      cmocka_unit_test_teardown(a_narrow_control_does_not_hold_up_the_others, drive_end),
      cmocka_unit_test_teardown(narrow_controls_do_not_end_a_coarse_search, drive_end),
      cmocka_unit_test_teardown(failed_runs_leave_no_memory, drive_end),
      cmocka_unit_test(where_the_cache_is_full_a_method_has_no_budget_left),
      cmocka_unit_test(many_targets_are_left_to_cobyla),
      cmocka_unit_test_teardown(without_a_free_control_the_start_is_the_answer, drive_end),
  };
  cmocka_set_skip_filter(getenv("STICTION_SKIP")); /* some tests take too long under valgrind */
  if (stiction_petsc_start(NULL) != SIM_OK) return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  stiction_petsc_stop();
  return failed;
}
