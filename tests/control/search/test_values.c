/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests objectives and constraints of the user's own, which replace a motion. */
#include "tests/control/search/drive.h"

#include "control/evaluator.h"
#include "sim/group.h"

/* Residuals y = (10 (u_2 - u_1^2), 1 - u_1). */
static SimStatus residuals(int n, const double *u, double *y, double *v) {
  (void)n, (void)v;
  y[0] = 10 * (u[1] - u[0] * u[0]);
  y[1] = 1 - u[0];
  return SIM_OK;
}

/* Two objectives. The minimum of their sum is -5, at (1, -2). */
static SimStatus bowl(int n, const double *u, double *y, double *v) {
  (void)n, (void)v;
  y[0] = (u[0] - 1) * (u[0] - 1) - 5;
  y[1] = 2 * (u[1] + 2) * (u[1] + 2);
  return SIM_OK;
}

/* Objective u_1^2 + u_2^2, and a second value u_1 + u_2. */
static SimStatus line(int n, const double *u, double *y, double *v) {
  (void)n, (void)v;
  y[0] = u[0] * u[0] + u[1] * u[1];
  y[1] = u[0] + u[1];
  return SIM_OK;
}

/* The problem `corner` with the signs of the constraints reversed. */
static SimStatus corner_from_above(int n, const double *u, double *y, double *v) {
  corner(n, u, y, v);
  y[1] = -y[1];
  y[2] = -y[2];
  return SIM_OK;
}

/* The function bowl, which fails at the start and left of it. */
static SimStatus half_a_bowl(int n, const double *u, double *y, double *v) {
  bowl(n, u, y, v);
  if (u[0] > 0.1) return SIM_OK;
  if (u[1] > 0.5) return SIM_NON_FINITE;
  if (u[1] < -0.5) return SIM_NOT_FINISHED;
  y[0] = u[1] > 0 ? INFINITY : NAN;
  return SIM_OK;
}

static void assert_found(double u0, double u1, double f, double tolerance) {
  if (fabs(drive.u[0] - u0) <= tolerance && fabs(drive.u[1] - u1) <= tolerance && fabs(drive.last.J - f) <= tolerance)
    return;
  fail_msg("(%.17g, %.17g), f = %.17g, not (%g, %g), %g", drive.u[0], drive.u[1], drive.last.J, u0, u1, f);
}

static const char *const all[] = {"auto",         "hybrid",           "pds",
                                  "nlopt:cobyla", "nlopt:bobyqa",     "nlopt:sbplx",
                                  "nlopt:auglag", "nlopt:neldermead", "tao:pounders"};
enum { ALL = sizeof all / sizeof *all };

static void each_method_makes_squares_small(void **state) {
  (void)state;
  for (int m = 0; m < ALL; m++) {
    CtlProblem p = values_problem(all[m], 2, 2, CTL_ROLE_RESIDUAL);
    p.start[0] = -1.2;
    p.start[1] = 1;
    p.step = 0.5;
    p.max_evaluations = SIMPLEXES;
    run(&p, residuals, 4, 0, 0);
    /* All methods but COBYLA reach the end of the valley within the budget; COBYLA comes less near. */
    assert_found(1, 1, 0, strcmp(all[m], "nlopt:cobyla") == 0 ? 0.1 : 1e-6);
    assert_true(drive.last.E1 == 0 && drive.last.E2 == 0);
    assert_true(drive.last.J == drive.last.x[0] * drive.last.x[0] + drive.last.x[1] * drive.last.x[1]);
    ctl_problem_clear(&p);
  }
}

static void each_method_makes_objectives_small(void **state) {
  (void)state;
  static const CtlPenaltyKind penalties[] = {CTL_PENALTY_P, CTL_PENALTY_PI};
  for (int m = 0; m < ALL - 1; m++) /* all methods except POUNDERS */
    for (int k = 0; k < 2; k++) {
      CtlProblem p = values_problem(all[m], 2, 2, CTL_ROLE_OBJECTIVE);
      p.penalty = penalties[k];
      p.max_evaluations = 5000;
      run(&p, bowl, 4, 0, 0);
      assert_found(1, -2, -5, 1e-4);
      assert_true(drive.last.best == drive.last.J);
      ctl_problem_clear(&p);
    }
}

/* Objective (u - 1)^2 - 3. */
static SimStatus one_variable(int n, const double *u, double *y, double *v) {
  (void)n, (void)v;
  y[0] = (u[0] - 1) * (u[0] - 1) - 3;
  return SIM_OK;
}

static void one_variable_will_do(void **state) {
  (void)state;
  for (int m = 0; m < ALL - 1; m++) {
    CtlProblem p = values_problem(all[m], 1, 1, CTL_ROLE_OBJECTIVE);
    p.max_evaluations = 2000;
    run(&p, one_variable, 4, 0, 0);
    assert_true(fabs(drive.u[0] - 1) < 1e-4 && drive.last.method_errors == 0);
    ctl_problem_clear(&p);
  }
}

static void bounds_hold(void **state) {
  (void)state;
  for (int m = 0; m < ALL - 1; m++) {
    CtlProblem p = values_problem(all[m], 2, 2, CTL_ROLE_OBJECTIVE);
    p.upper[0] = 0.5;
    p.lower[1] = p.upper[1] = p.start[1] = -1; /* f = (u - 1)^2 - 3 with u <= 0.5 */
    p.max_evaluations = 5000;
    run(&p, bowl, 4, 0, 0);
    assert_found(0.5, -1, -2.75, 1e-6);
    assert_true(drive.last.method_errors == 0);
    ctl_problem_clear(&p);
  }
}

static void constraints_are_met_to_their_tolerances(void **state) {
  (void)state;
  static const char *const methods[] = {"auto", "hybrid", "nlopt:cobyla", "nlopt:auglag"};
  for (int m = 0; m < 4; m++) {
    CtlProblem p = values_problem(methods[m], 2, 2, CTL_ROLE_OBJECTIVE);
    assert_int_equal(stiction_control_set_role(&p, 1, CTL_ROLE_EQUAL, 1, 1e-3), SIM_OK);
    p.max_evaluations = 5000;
    run(&p, line, 4, 0, 0);
    assert_true(drive.last.E1 <= 1 && fabs(drive.last.x[1] - 1) <= 1e-3);
    assert_true(fabs(drive.last.E1 - fabs(drive.last.x[1] - 1) / 1e-3) < 1e-12);
    assert_found(0.5, 0.5, 0.5, 1e-3);
    ctl_problem_clear(&p);
    p = values_problem(methods[m], 2, 3, CTL_ROLE_OBJECTIVE);
    for (int i = 1; i < 3; i++) stiction_control_set_role(&p, i, CTL_ROLE_AT_MOST, 2 * (i == 2), 1e-6);
    p.max_evaluations = 5000;
    run(&p, corner, 4, 0, 0);
    assert_true(drive.last.E1 <= 1);
    assert_found(1, 1, 1, 1e-4);
    ctl_problem_clear(&p);
  }
}

/* One of the variables cannot move. The merit of a point is f plus the penalty of its misses. */
static void the_merit_is_f_and_the_misses(void **state) {
  (void)state;
  static const CtlNorm norms[] = {CTL_NORM_1, CTL_NORM_2, CTL_NORM_INF};
  for (int k = 0; k < 3; k++) {
    CtlProblem p = values_problem("pds", 2, 3, CTL_ROLE_AT_MOST);
    stiction_control_set_role(&p, 0, CTL_ROLE_RESIDUAL, 0, 0);
    stiction_control_set_role(&p, 2, CTL_ROLE_EQUAL, 5, 0.5);
    p.norm = norms[k];
    p.rho = 7;
    p.start[0] = p.lower[0] = p.upper[0] = 2;
    p.start[1] = p.lower[1] = p.upper[1] = 1;
    p.max_evaluations = 70;
    run(&p, corner, 1, 0, 0); /* at (2, 1) the values are 0, 3 - too large, 3 - too small by 2 */
    double norm = k == 0 ? 5 : k == 1 ? sqrt(13) : 3;
    assert_true(fabs(drive.last.best - 7 * norm) < 1e-12);
    assert_true(drive.last.E1 == 3 / 1e-6);
    ctl_problem_clear(&p);
  }
}

static void at_least_is_at_most_of_the_negative(void **state) {
  (void)state;
  for (int m = 0; m < ALL - 1; m++) {
    CtlProblem below = values_problem(all[m], 2, 3, CTL_ROLE_AT_MOST),
               above = values_problem(all[m], 2, 3, CTL_ROLE_AT_LEAST);
    CtlProblem *const both[] = {&below, &above};
    double u[2][N_MAX];
    for (int k = 0; k < 2; k++) {
      CtlProblem *p = both[k];
      stiction_control_set_role(p, 0, CTL_ROLE_OBJECTIVE, 0, 0);
      stiction_control_set_role(p, 2, p->roles[2], k ? -2 : 2, 1e-6);
      p->max_evaluations = 600;
      run(p, k ? corner_from_above : corner, 4, 0, 0);
      memcpy(u[k], drive.u, sizeof u[k]);
      ctl_problem_clear(p);
    }
    assert_memory_equal(u[0], u[1], sizeof u[0]);
  }
}

static void failures_count_as_infinite(void **state) {
  (void)state;
  for (int m = 0; m < 3; m++)
    for (int pi = 0; pi < 2; pi++) {
      CtlProblem p = values_problem(all[m], 2, 2, CTL_ROLE_OBJECTIVE);
      p.penalty = pi ? CTL_PENALTY_PI : CTL_PENALTY_P;
      p.max_evaluations = 5000;
      run(&p, half_a_bowl, 4, 0, 0);
      assert_true(isinf(drive.states[0].J) || isfinite(drive.states[0].best));
      assert_true(drive.last.non_finite > drive.last.timed_out && drive.last.timed_out > 0);
      assert_found(1, -2, -5, 1e-4);
      ctl_problem_clear(&p);
    }
  for (int m = 0; m < ALL - 1; m++) { /* with failures only, all methods end and report it */
    CtlProblem p = values_problem(all[m], 2, 1, CTL_ROLE_OBJECTIVE);
    p.max_evaluations = 3000;
    p.tolerance = 1e-3;
    run(&p, always_fails, 4, 0, 0);
    assert_true(drive.last.reason == CTL_REASON_FAILED && isinf(drive.last.J) && isinf(drive.last.best));
    assert_int_equal(drive.last.non_finite, drive.last.ivps);
    ctl_problem_clear(&p);
  }
}

/* For a local method, failed points are worse than all known values, even if these exceed 1e6. */
static SimStatus large_half_a_bowl(int n, const double *u, double *y, double *v) {
  (void)n, (void)v;
  if (u[0] < 0.2) return SIM_NOT_CONVERGED;
  y[0] = 1e9 * (1 + (u[0] - 0.3) * (u[0] - 0.3) + (u[1] - 0.5) * (u[1] - 0.5));
  return SIM_OK;
}

static void failures_are_worse_than_large_values(void **state) {
  (void)state;
  static const char *const methods[] = {"nlopt:cobyla", "nlopt:bobyqa", "nlopt:sbplx", "nlopt:neldermead"};
  for (int m = 0; m < 4; m++) {
    CtlProblem p = values_problem(methods[m], 2, 1, CTL_ROLE_OBJECTIVE);
    p.start[0] = 1;
    p.max_evaluations = 3000;
    run(&p, large_half_a_bowl, 1, 0, 0);
    assert_true(drive.last.non_finite > 0);
    assert_true(fabs(drive.u[0] - 0.3) < 1e-3 && fabs(drive.u[1] - 0.5) < 1e-3);
    ctl_problem_clear(&p);
  }
}

static void stop_at_is_of_f(void **state) {
  (void)state;
  CtlProblem p = values_problem("hybrid", 2, 2, CTL_ROLE_OBJECTIVE);
  p.stop_at = -4.9;
  run(&p, bowl, 1, 0, 0);
  assert_int_equal(drive.last.reason, CTL_REASON_STOP_AT);
  assert_true(drive.last.J <= -4.9);
  for (long k = 0; k < drive.rounds - 1; k++) assert_true(drive.states[k].J > -4.9);
  ctl_problem_clear(&p);
  /* the objective f of the start is 0; the start does not meet the constraint */
  p = values_problem("pds", 2, 2, CTL_ROLE_OBJECTIVE);
  stiction_control_set_role(&p, 1, CTL_ROLE_EQUAL, 1, 1e-3);
  p.rho = 10;
  p.stop_at = 0.6;
  run(&p, line, 1, 0, 0);
  assert_int_equal(drive.last.reason, CTL_REASON_STOP_AT);
  assert_true(drive.last.J <= 0.6 && drive.last.E1 <= 1);
  ctl_problem_clear(&p);
}

static void the_order_of_outcomes_and_the_batch_do_not_matter(void **state) {
  (void)state;
  static const char *const methods[] = {"hybrid", "pds"};
  for (int m = 0; m < 2; m++) {
    CtlProblem p = values_problem(methods[m], 2, 3, CTL_ROLE_AT_MOST);
    stiction_control_set_role(&p, 0, CTL_ROLE_RESIDUAL, 0, 0);
    p.max_evaluations = 2000;
    run_in_any_order(&p, corner, 3);
    ctl_problem_clear(&p);
  }
}

static char message[512];
static int mistakes;

static void keep(void *context, const char *key, const char *text) {
  (void)context;
  mistakes++;
  snprintf(message, sizeof message, "%s: %s", key, text);
}

static void assert_mistake(const CtlProblem *p, const char *why) {
  const SimReport report = {NULL, keep};
  mistakes = 0;
  assert_int_equal(stiction_control_check(p, &report), CTL_BAD_PROBLEM);
  if (mistakes != 1 || !strstr(message, why)) fail_msg("%d, the last %s: not %s", mistakes, message, why);
}

static void mistakes_are_reported(void **state) {
  (void)state;
  CtlProblem p;
  assert_int_equal(ctl_problem_init_values(&p, 0, 1), SIM_BAD_ARGUMENT);
  assert_int_equal(ctl_problem_init_values(&p, 1, 0), SIM_BAD_ARGUMENT);
  assert_int_equal(ctl_problem_init_values(&p, CTL_CONTROLS_MAX + 1, 1), SIM_BAD_ARGUMENT);
  p = plain_problem(2);
  assert_int_equal(stiction_control_set_role(&p, 0, CTL_ROLE_EQUAL, 0, 0), SIM_BAD_ARGUMENT);
  ctl_problem_clear(&p);
  p = values_problem("tao:pounders", 2, 2, CTL_ROLE_OBJECTIVE);
  assert_int_equal(stiction_control_set_role(&p, 2, CTL_ROLE_EQUAL, 0, 0), SIM_BAD_ARGUMENT);
  assert_int_equal(stiction_control_set_role(&p, -1, CTL_ROLE_EQUAL, 0, 0), SIM_BAD_ARGUMENT);
  assert_mistake(&p, "search.method: tao:pounders with an objective");
  p.method = ctl_method_find("sqp");
  assert_mistake(&p, "search.method: sqp needs derivatives");
  p.method = ctl_method_find("bundle");
  assert_mistake(&p, "search.method: bundle needs derivatives");
  p.method = ctl_method_find("auto");
  p.start[1] = 3;
  p.upper[1] = 2;
  assert_mistake(&p, "evaluator.variables: entry 2 is 3, outside its bounds");
  p.start[1] = 1;
  p.lower[1] = 4;
  assert_mistake(&p, "evaluator.variables: entry 2: lower 4");
  p.lower[1] = -INFINITY;
  stiction_control_set_role(&p, 1, CTL_ROLE_AT_MOST, NAN, 1);
  assert_mistake(&p, "evaluator.values: entry 2: its target is not finite");
  stiction_control_set_role(&p, 1, CTL_ROLE_AT_MOST, 0, -1);
  assert_mistake(&p, "evaluator.values: entry 2: tolerance -1");
  p.roles[1] = (CtlRole)7;
  assert_mistake(&p, "evaluator.values: entry 2: no role 7");
  stiction_control_set_role(&p, 1, CTL_ROLE_AT_MOST, 0, 1);
  p.stop_at = -3;
  assert_int_equal(stiction_control_check(&p, NULL), CTL_OK);
  ctl_problem_clear(&p);
}

static SimStatus sum(void *context, const double *point, double *values) {
  int *calls = context;
  values[0] = (point[0] - 3) * (point[0] - 3) + (point[1] + 1) * (point[1] + 1);
  return ++*calls == 5 ? SIM_NOT_CONVERGED : SIM_OK;
}

static int count_round(void *context, const CtlState *now, double seconds) {
  (void)now, (void)seconds;
  ++*(long *)context;
  return 0;
}

static void a_function_is_an_evaluator(void **state) {
  (void)state;
  int calls = 0;
  long rounds = 0;
  CtlProblem p = values_problem("pds", 2, 1, CTL_ROLE_OBJECTIVE);
  CtlFunction function = {.n = 2, .m = 1, .context = &calls, .values = sum};
  CtlEvaluator evaluator = ctl_function_evaluator(&function);
  const CtlListener listener = {.context = &rounds, .simplex = count_round};
  CtlSearch *search;
  CtlTimes times;
  CtlState last;
  assert_int_equal(stiction_asktell_create(&p, &search), CTL_OK);
  assert_int_equal(ctl_drive_serial(search, &evaluator, &listener, &times), 0);
  stiction_asktell_state(search, &last);
  assert_true(last.rounds == rounds && last.ivps == calls && last.non_finite == 1);
  assert_true(fabs(last.control[0] - 3) < 1e-6 && fabs(last.control[1] + 1) < 1e-6 &&
              last.reason == CTL_REASON_TOLERANCE);
  stiction_asktell_destroy(search);
  ctl_problem_clear(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(each_method_makes_squares_small, drive_end),
      cmocka_unit_test_teardown(each_method_makes_objectives_small, drive_end),
      cmocka_unit_test_teardown(one_variable_will_do, drive_end),
      cmocka_unit_test_teardown(bounds_hold, drive_end),
      cmocka_unit_test_teardown(constraints_are_met_to_their_tolerances, drive_end),
      cmocka_unit_test_teardown(the_merit_is_f_and_the_misses, drive_end),
      cmocka_unit_test_teardown(at_least_is_at_most_of_the_negative, drive_end),
      cmocka_unit_test_teardown(failures_count_as_infinite, drive_end),
      cmocka_unit_test_teardown(failures_are_worse_than_large_values, drive_end),
      cmocka_unit_test_teardown(stop_at_is_of_f, drive_end),
      cmocka_unit_test_teardown(the_order_of_outcomes_and_the_batch_do_not_matter, drive_end),
      cmocka_unit_test(mistakes_are_reported),
      cmocka_unit_test(a_function_is_an_evaluator),
  };
  if (stiction_petsc_start(NULL) != SIM_OK) return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  stiction_petsc_stop();
  return failed;
}
