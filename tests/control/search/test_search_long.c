/* SPDX-License-Identifier: BSD-2-Clause */
/* Searches in which some evaluations take too long. */
#include "tests/control/search/drive.h"

/* An evaluation that takes too long counts as failed. The search continues until too many have failed. */
static void what_takes_too_long_has_failed(void **state) {
  (void)state;
  CtlProblem p = plain_problem(2);
  p.scheme_size = 16;
  run(&p, wild_ones_take_too_long, 8, 0, 0);
  assert_int_equal(drive.last.reason, CTL_REASON_TOLERANCE);
  assert_true(drive.last.E1 < 1e-8);
  assert_in_range(drive.last.too_long, 1, 64);
  assert_int_equal(drive.last.non_finite, 0);
  ctl_problem_clear(&p);
}

/* If too many motions exceed the limit of work, the search ends with its results so far, whatever the order of
 * outcomes. */
static void too_many_that_take_too_long_end_a_search(void **state) {
  (void)state;
  static const char *const methods[] = {"pds", "nlopt:neldermead"};
  for (int m = 0; m < 2; m++) {
    CtlProblem p = plain_problem(2);
    p.method = ctl_method_find(methods[m]);
    p.scheme_size = 16;
    run(&p, far_ones_take_too_long, 1, 0, 0);
    CtlState first = drive.last;
    double u[N_MAX];
    memcpy(u, drive.u, sizeof u);
    assert_int_equal(first.reason, CTL_REASON_TOO_LONG);
    assert_int_equal(first.too_long, 65);
    assert_true(isfinite(first.best) && first.ivps > first.too_long && first.non_finite == 0);
    for (int repeat = 1; repeat <= 3; repeat++) {
      run(&p, far_ones_take_too_long, 13 * repeat % BATCH_MAX, (uint64_t)repeat, 0);
      assert_same_state(&drive.last, &first);
      assert_int_equal(drive.last.too_long, 65);
      assert_memory_equal(drive.u, u, sizeof u);
      run(&p, all_take_too_long, 13 * repeat % BATCH_MAX, (uint64_t)repeat, 0);
      assert_int_equal(drive.last.reason, CTL_REASON_TOO_LONG);
      assert_true(drive.last.ivps == 8 && drive.last.too_long == 8 && drive.last.best == INFINITY);
    }
    ctl_problem_clear(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(what_takes_too_long_has_failed, drive_end),
      cmocka_unit_test_teardown(too_many_that_take_too_long_end_a_search, drive_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
