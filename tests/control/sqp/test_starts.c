/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the random starts of SQP. */
#include "control/sqp/starts.h"
#include "tests/control/sqp/case.h"

enum { STARTS = 12, VARIABLES_MAX = 64 };

static double largest(int n, const double *control) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(control[i]));
  return most;
}

/* The sizes of starts relative to the reference are a half, one, two and four in turn, and their distances from it one,
 * a half and a quarter. No start is larger, and few are much smaller. A zero entry gives no size and is not used. */
static void starts_have_the_requested_size(void **state) {
  static const double factor[] = {0.5, 1, 2, 4};
  const char *settings[] = {"control.signal={kind: piecewise_constant, segments: 8}"};
  double as[VARIABLES_MAX], control[VARIABLES_MAX];
  Case c;
  (void)state;
  open_case(&c, "tp1", 1, settings);
  const CtlProblem *p = &c.problem.control;
  assert_in_range(p->n, 1, VARIABLES_MAX);
  for (int i = 0; i < p->n; i++) as[i] = 5;
  for (int k = 0; k < STARTS; k++) {
    ctl_start_random(p, as, k, control);
    assert_true(largest(p->n, control) <= 5 * factor[k % 4]);
    assert_true(largest(p->n, control) > 2.5 * factor[k % 4]);
  }
  for (int k = 0; k < STARTS; k++) {
    double size = ldexp(5, -(k % 3));
    ctl_start_near(p, as, k, control);
    for (int i = 0; i < p->n; i++) control[i] -= as[i];
    assert_true(largest(p->n, control) <= size && largest(p->n, control) > size / 2);
  }
  memset(as, 0, sizeof as);
  for (int k = 0; k < STARTS; k++) {
    ctl_start_random(p, as, k, control);
    assert_true(largest(p->n, control) > 0);
    ctl_start_near(p, as, k, control);
    assert_true(largest(p->n, control) > 0);
  }
  close_case(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(starts_have_the_requested_size)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
