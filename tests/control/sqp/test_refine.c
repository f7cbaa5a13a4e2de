/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests how an answer is refined, also with twice as many segments: the target is met, J does not rise, and a request
 * stops it. */
#include "control/refine.h"
#include "tests/control/sqp/case.h"

enum { STARTS = 8, VARIABLES_MAX = 64 };

/* Opens tp1 with this number of segments. */
static void open_segments(Case *c, const char *kind, int segments) {
  char signal[96];
  const char *settings[] = {"time={end: 5, steps: 80}", signal};
  snprintf(signal, sizeof signal, "control.signal={kind: %s, segments: %d}", kind, segments);
  open_case(c, "tp1", 2, settings);
  assert_in_range(c->problem.control.n, 1, VARIABLES_MAX);
}

static void assert_meets(const Case *c, const CtlRefined *refined) {
  const CtlProblem *p = &c->problem.control;
  double errors[2];
  ctl_errors(p, refined->x, refined->v, errors);
  assert_true(errors[0] == refined->E1 && errors[1] == refined->E2);
  assert_true(refined->E1 <= p->accept && refined->E2 <= p->accept);
  assert_true(fabs(ctl_cost(p, refined->control) - refined->J) <= 1e-14 * refined->J);
}

/* Requests a stop at the evaluation with this number. */
static bool stop_at(void *context) { return --*(int *)context < 0; }

/* Counts evaluations. */
static bool count(void *context) {
  ++*(long *)context;
  return false;
}

static void finer_is_no_worse(void **state) {
  (void)state;
  static const char *const kinds[] = {"piecewise_constant", "piecewise_linear"};
  for (int k = 0; k < 2; k++) {
    Case coarse, fine;
    uint64_t seed = 5;
    int met = 0;
    open_segments(&coarse, kinds[k], 2);
    open_segments(&fine, kinds[k], 4);
    for (int trial = 0; trial < STARTS; trial++) {
      double start[VARIABLES_MAX];
      CtlRefined one, two;
      for (int i = 0; i < VARIABLES_MAX; i++) start[i] = 20 * fixture_random(&seed);
      SimStatus status = ctl_refine(&coarse.problem.control, &coarse.evaluator, start, NULL, NULL, &one);
      if (status == SIM_NOT_CONVERGED) continue; /* not every start leads to the target */
      assert_int_equal(status, SIM_OK);
      met++;
      assert_meets(&coarse, &one);
      long counted = 0;
      assert_int_equal(ctl_refine_finer(&fine.problem.control, &fine.evaluator, &one, count, &counted, &two), SIM_OK);
      assert_int_equal(two.evaluations, counted);
      assert_meets(&fine, &two);
      assert_true(two.J <= one.J * (1 + 1e-12));
      ctl_refined_clear(&one);
      ctl_refined_clear(&two);
    }
    assert_true(2 * met > STARTS);
    close_case(&coarse);
    close_case(&fine);
  }
}

static void refinement_stops_on_request(void **state) {
  (void)state;
  Case coarse, fine;
  CtlRefined one, two;
  const double start[VARIABLES_MAX] = {20, -10, 5};
  open_segments(&coarse, "piecewise_constant", 2);
  open_segments(&fine, "piecewise_constant", 4);
  int left = 0;
  assert_int_equal(ctl_refine(&coarse.problem.control, &coarse.evaluator, start, stop_at, &left, &one),
                   SIM_NOT_FINISHED);
  assert_null(one.control);
  assert_int_equal(ctl_refine(&coarse.problem.control, &coarse.evaluator, start, NULL, NULL, &one), SIM_OK);
  for (left = 0; left < 3; left++) {
    int still = left;
    assert_int_equal(ctl_refine_finer(&fine.problem.control, &fine.evaluator, &one, stop_at, &still, &two),
                     SIM_NOT_FINISHED);
    assert_null(two.control);
    assert_int_equal(two.evaluations, left);
  }
  ctl_refined_clear(&one);
  close_case(&coarse);
  close_case(&fine);
}

/* If the target cannot be reached, there is no answer, and nothing to clear. */
static void unmet_target_is_reported(void **state) {
  (void)state;
  Case c;
  CtlRefined refined;
  const double start[VARIABLES_MAX] = {0};
  open_segments(&c, "piecewise_constant", 2);
  for (int i = 0; i < c.problem.control.n; i++) {
    c.problem.control.lower[i] = -1e-3;
    c.problem.control.upper[i] = 1e-3;
  }
  long counted = 0;
  assert_int_equal(ctl_refine(&c.problem.control, &c.evaluator, start, count, &counted, &refined), SIM_NOT_CONVERGED);
  assert_null(refined.control);
  assert_int_equal(refined.evaluations, counted);
  close_case(&c);
}

/* An answer that is refined again does not become dearer, although SQP may leave its minimum for another one: of three
 * blocks only the first has a force, so there are many minima near each other. */
static void refining_again_is_no_worse(void **state) {
  (void)state;
  enum { ANSWERS = 40 };
  static const char *const settings[] = {
      "model={kind: friction, mass: [1.8, 1.79, 1.67], stiffness: {links: [27.7, 51.4]}, friction: [0.19, 0.65, 0.41]}",
      "time={end: 4.5, steps: 400}",
      "control={matrix: [[1], [0], [0]], signal: {kind: piecewise_constant, segments: 12},"
      " target: {position: 0.32, velocity: 0}}",
      "scheme={name: event}"};
  Case c;
  double control[VARIABLES_MAX] = {0};
  int met = 0;
  open_case(&c, "tp1", 4, settings);
  size_t size = (size_t)c.problem.control.n * sizeof *control;
  for (int i = 0; i < c.problem.control.n; i++) control[i] = 1;
  for (int k = 0; k < ANSWERS; k++) {
    CtlRefined one, two;
    SimStatus status = ctl_refine_near(&c.problem.control, &c.evaluator, control, k, NULL, NULL, &one);
    if (status == SIM_NOT_CONVERGED) continue; /* not every start leads to the target */
    assert_int_equal(status, SIM_OK);
    met++;
    assert_int_equal(ctl_refine(&c.problem.control, &c.evaluator, one.control, NULL, NULL, &two), SIM_OK);
    assert_meets(&c, &two);
    assert_true(two.J <= one.J * (1 + 1e-9));
    memcpy(control, one.control, size);
    ctl_refined_clear(&one);
    ctl_refined_clear(&two);
  }
  assert_true(2 * met > ANSWERS);
  close_case(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(finer_is_no_worse), cmocka_unit_test(refinement_stops_on_request),
                                     cmocka_unit_test(unmet_target_is_reported),
                                     cmocka_unit_test(refining_again_is_no_worse)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
