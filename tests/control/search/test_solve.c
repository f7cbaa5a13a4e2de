/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the function stiction_solve: it solves for a motion and for functions of the caller's, refuses mistakes, and
 * stops on request. tests/consumer/ranks.sh tests it on all ranks of a group. */
#include "tests/fixture.h"

#include "control/control.h"
#include "src/library/problem_file.h"

#include <math.h>
#include <string.h>

/* Makes a mass of 1 kg on rails with threshold c, N. A control u of two constant pieces pushes it for 1 s. */
static SimProblem *sledge(double c) {
  SimProblem *p;
  assert_int_equal(stiction_problem_create(SIM_FRICTION, 1, 1, &p), SIM_OK);
  stiction_problem_set_word(p, "scheme.name", "event");
  stiction_problem_set_value(p, "model.mass", 1);
  stiction_problem_set_value(p, "model.friction", c);
  stiction_problem_set_value(p, "time.end", 1);
  stiction_problem_set_value(p, "time.steps", 10);
  stiction_problem_set_word(p, "control.signal.kind", "piecewise_constant");
  stiction_problem_set_value(p, "control.signal.segments", 2);
  return p;
}

/* The mass moves 1 m in 1 s from rest to rest. The least effort has u - c = 4 N in the first half, then -4 N. */
static void least_effort_is_the_exact_one(void **state) {
  (void)state;
  for (double c = 0; c <= 1; c++) {
    SimProblem *motion = sledge(c);
    CtlProblem *p;
    CtlAnswer answer;
    assert_int_equal(stiction_control_create(motion, &p), CTL_OK);
    assert_int_equal(stiction_control_size(p), 2);
    assert_int_equal(stiction_control_set_value(p, "control.target.position", 1), CTL_OK);
    assert_int_equal(stiction_control_set_value(p, "control.target.velocity", 0), CTL_OK);
    assert_int_equal(stiction_solve(p, NULL, NULL, &answer), CTL_OK);
    assert_true(answer.meets && answer.refined && answer.reason == CTL_REASON_TOLERANCE);
    assert_true(fabs(answer.control[0] - (4 + c)) < 1e-6);
    assert_true(fabs(answer.control[1] - (-4 + c)) < 1e-6);
    assert_true(fabs(answer.J - (((4 + c) * (4 + c) + (4 - c) * (4 - c)) / 2)) < 1e-5);
    assert_true(fabs(answer.x[0] - 1) < 1e-6);
    assert_true(fabs(answer.v[0] - 0) < 1e-6);
    stiction_answer_clear(&answer);
    stiction_control_destroy(p);
    stiction_problem_destroy(motion);
  }
}

static SimStatus parabola(void *context, const double *point, double *values) {
  int *calls = context;
  values[0] = (point[0] - 2) * (point[0] - 2) + (point[1] + 1) * (point[1] + 1);
  (*calls)++;
  return SIM_OK;
}

static SimStatus fails(void *context, const double *point, double *values) {
  (void)context, (void)point, (void)values;
  return SIM_NON_FINITE;
}

#define EXPECT_TEXT(call, status, text)                                                                                \
  do {                                                                                                                 \
    assert_int_equal(call, status);                                                                                    \
    assert_string_equal(stiction_control_status_text(status), text);                                                   \
  } while (0)

static bool at_once(void *context) {
  (void)context;
  return true;
}

static void functions_within_bounds(void **state) {
  (void)state;
  int calls = 0;
  const CtlFunction function = {.n = 2, .m = 1, .context = &calls, .values = parabola};
  CtlProblem *p;
  CtlAnswer answer;
  assert_int_equal(stiction_control_create_values(&function, &p), CTL_OK);
  assert_int_equal(stiction_control_set_word(p, "search.method", "pds"), CTL_OK);
  assert_int_equal(stiction_control_set_value(p, "control.bounds.upper", 1), CTL_OK);
  EXPECT_TEXT(stiction_control_set_value(p, "control.target.position", 1), CTL_BAD_ARGUMENT,
              "stiction_control_set_values: control.target.position: a key of motions (expected "
              "stiction_control_set_role of a function)");
  assert_int_equal(stiction_solve(p, NULL, NULL, &answer), CTL_OK);
  assert_true(fabs(answer.control[0] - 1) < 1e-6);
  assert_true(fabs(answer.control[1] + 1) < 1e-5);
  assert_true(fabs(answer.J - 1) < 1e-6);
  assert_true(answer.evaluations >= calls && calls > 0 && answer.seconds >= 0);
  stiction_answer_clear(&answer);
  assert_int_equal(stiction_solve(p, NULL, &(CtlStop){NULL, at_once}, &answer), CTL_STOPPED);
  assert_non_null(answer.control);
  stiction_answer_clear(&answer);
  stiction_control_destroy(p);
  EXPECT_TEXT(stiction_control_create_values(&(CtlFunction){.n = 4097, .m = 1, .values = fails}, &p), CTL_BAD_ARGUMENT,
              "stiction_control_create_values: function has an n that is not in 1..4096");
  EXPECT_TEXT(stiction_control_create_values(&(CtlFunction){.n = 1, .values = fails}, &p), CTL_BAD_ARGUMENT,
              "stiction_control_create_values: function has an m that is not in 1..4096");
  assert_int_equal(stiction_control_create_values(&(CtlFunction){.n = 1, .m = 1, .values = fails}, &p), CTL_OK);
  assert_int_equal(stiction_control_set_word(p, "search.method", "pds"), CTL_OK);
  assert_int_equal(stiction_solve(p, NULL, NULL, &answer), CTL_FAILED);
  assert_null(answer.control);
  stiction_control_destroy(p);
}

/* The J of the file tp1 is the same as the one that the program finds. */
static void a_file_is_solved_as_by_the_program(void **state) {
  (void)state;
  StictionFile *file;
  CtlAnswer answer;
  char *settings[] = {"search.method=sqp"};
  assert_int_equal(stiction_file_read(STICTION_ROOT "/jobs/problems/tp1.yaml", 1, settings, NULL, NULL, &file), SIM_OK);
  assert_int_equal(stiction_solve(stiction_file_control(file), NULL, NULL, &answer), CTL_OK);
  assert_true(answer.meets && answer.refined);
  assert_true(fabs(answer.J - 468.067) < 1e-3);
  stiction_answer_clear(&answer);
  stiction_file_destroy(file);
}

/* Solves a file with a motion plan. The motion of its answer ends at the target, at the least T. */
static void plans_are_solved(void **state) {
  (void)state;
  StictionFile *file;
  CtlAnswer answer;
  SimProblem *motion;
  SimFinal final = {.x = (double[1]){0}, .v = (double[1]){0}};
  assert_int_equal(stiction_file_read(STICTION_ROOT "/jobs/problems/least-time.yaml", 0, NULL, NULL, NULL, &file),
                   SIM_OK);
  const CtlProblem *problem = stiction_file_control(file);
  assert_true(stiction_file_has_plan(file) && stiction_control_size(problem) == 4);
  assert_int_equal(stiction_solve(problem, NULL, NULL, &answer), CTL_OK);
  assert_true(answer.meets && fabs(answer.J - sqrt(8.0 / 3)) < 1e-9);
  assert_int_equal(stiction_file_motion(file, answer.control, &motion), SIM_OK);
  assert_true(fabs(stiction_problem_get_value(motion, "time.end") - answer.J) < 1e-12);
  assert_int_equal(stiction_simulate(motion, answer.control, NULL, &final), SIM_OK);
  assert_true(fabs(final.x[0] - 1) < 1e-6 && fabs(final.v[0]) < 1e-6);
  stiction_problem_destroy(motion);
  stiction_answer_clear(&answer);
  stiction_file_destroy(file);
  assert_int_equal(stiction_file_motion(NULL, final.x, &motion), SIM_BAD_ARGUMENT);
}

static void mistakes_have_a_text(void **state) {
  (void)state;
  SimProblem *motion = sledge(1);
  CtlProblem *p;
  CtlAnswer answer;
  int n;
  assert_int_equal(stiction_control_create(motion, &p), CTL_OK);
  EXPECT_TEXT(stiction_solve(p, NULL, NULL, &answer), CTL_BAD_PROBLEM,
              "the problem is not valid: control.target: gives no position and no velocity (expected a number in "
              "position or velocity)");
  EXPECT_TEXT(stiction_control_check(p, NULL), CTL_BAD_PROBLEM,
              "the problem is not valid: control.target: gives no position and no velocity (expected a number in "
              "position or velocity)");
  EXPECT_TEXT(stiction_control_set_value(p, "control.targets", 1), CTL_BAD_ARGUMENT,
              "stiction_control_set_values: control.targets: unknown key (expected a key of problem files, with its "
              "sections, as model.mass)");
  EXPECT_TEXT(stiction_control_set_value(p, "control.signal.segments", 4), CTL_BAD_ARGUMENT,
              "stiction_control_set_values: control.signal.segments: a key of the motion (expected "
              "stiction_problem_set_.. before stiction_control_create)");
  EXPECT_TEXT(stiction_control_set_value(p, "search.certify.gap", 0.1), CTL_BAD_ARGUMENT,
              "stiction_control_set_values: search.certify.gap: unknown key (expected a key of problem files, with its "
              "sections, as model.mass)");
  EXPECT_TEXT(stiction_control_set_value(p, "search.accept", 0), CTL_BAD_ARGUMENT,
              "stiction_control_set_values: search.accept: 0 (expected > 0)");
  EXPECT_TEXT(stiction_control_set_values(p, "control.start", 3, (const double[]){1, 2, 3}), CTL_BAD_ARGUMENT,
              "stiction_control_set_values: control.start: 3 numbers (expected 2, or one for all)");
  EXPECT_TEXT(stiction_control_set_role(p, 0, CTL_ROLE_EQUAL, 0, 0), CTL_BAD_ARGUMENT,
              "stiction_control_set_role: problem is NULL, or not one of a function");
  assert_int_equal(stiction_control_set_values(p, "control.bounds.lower", 1, (const double[]){-9}), CTL_OK);
  assert_true(stiction_control_get_values(p, "control.bounds.lower", &n)[1] == -9 && n == 2);
  assert_int_equal(stiction_control_set_value(p, "control.target.position", 1), CTL_OK);
  assert_true(stiction_control_get_value(p, "control.target.position") == 1);
  assert_string_equal(stiction_control_get_word(p, "search.refine"), "exact");
  stiction_problem_set_value(motion, "control.signal.segments", 3);
  EXPECT_TEXT(stiction_solve(p, NULL, NULL, &answer), CTL_BAD_PROBLEM,
              "the problem is not valid: control: its motion has changed its sizes, its signal or T");
  assert_null(answer.control);
  EXPECT_TEXT(stiction_solve(NULL, NULL, NULL, &answer), CTL_BAD_ARGUMENT,
              "stiction_solve: problem is NULL, or has neither a motion nor a function");
  stiction_control_destroy(p);
  stiction_problem_destroy(motion);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(least_effort_is_the_exact_one),
                                     cmocka_unit_test(functions_within_bounds),
                                     cmocka_unit_test(a_file_is_solved_as_by_the_program),
                                     cmocka_unit_test(plans_are_solved), cmocka_unit_test(mistakes_have_a_text)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
