/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that the dual solution of a bound estimates the cheapest motion: its control, and when its joints wait. */
#include "control/bound.h"
#include "tests/control/bound/problems.h"

#include <math.h>

/* The mean motion of the dual solution is near a cheapest control. For a block without friction, with a V that can be
 * exact, that control is u = 6 (1 - 2 t/T)/T^2. For the arm the mean is within the bounds of u. */
static void test_mean(void **state) {
  enum { SEGMENTS = 16 };
  SimProblem p;
  CtlProblem c;
  double mean[2 * SEGMENTS];
  signed char ways[2 * SEGMENTS];
  CtlBoundMean of = {mean, ways};
  (void)state;
  open_block(&p, &c);
  p.friction[0] = 0;
  ctl_problem_clear(&c);
  assert_int_equal(ctl_problem_init_signal(&c, 1, SIM_PIECEWISE_CONSTANT, SEGMENTS, 1), SIM_OK);
  c.end = 2, c.position[0] = 1, c.velocity[0] = 0;
  bound_of(&c, &p, &(CtlLowerBoundOptions){.effort = 2, .intervals = 4, .mean = &of});
  for (int k = 0; k < SEGMENTS; k++) assert_true(fabs(mean[k] - 1.5 * (1 - (2.0 * k + 1) / SEGMENTS)) < 0.1);
  for (int k = 0; k < SEGMENTS; k++) assert_int_equal(ways[k], 1);
  close_problem(&p, &c);
  open_arm(&p, &c);
  for (int i = 0; i < c.n; i++) c.upper[i] = 3;
  bound_of(&c, &p, &(CtlLowerBoundOptions){.effort = 70, .intervals = 4, .mean = &of});
  for (int i = 0; i < c.n; i++) assert_true(mean[i] > 0 && mean[i] <= 3);
  close_problem(&p, &c);
}

/* Tests the times at which joints wait in this mean. For the arm, joint 1 waits first and joint 2 last, as in the least
 * effort known. */
static void test_waiting(void **state) {
  enum { SEGMENTS = 16 };
  SimProblem p;
  CtlProblem c, own;
  double mean[2 * SEGMENTS];
  signed char ways[2 * SEGMENTS];
  (void)state;
  open_arm(&p, &c);
  assert_int_equal(ctl_problem_init_signal(&own, 2, SIM_PIECEWISE_CONSTANT, SEGMENTS, 2), SIM_OK);
  own.end = c.end;
  memcpy(own.position, c.position, 2 * sizeof(double));
  memcpy(own.velocity, c.velocity, 2 * sizeof(double));
  const CtlLowerBoundOptions options = {
      .effort = 70, .intervals = 10, .patterns = true, .knots = 3, .mean = &(CtlBoundMean){mean, ways}};
  bound_of(&own, &p, &options);
  for (int k = 0; k < SEGMENTS; k++) {
    if (k < 2 || (k >= 5 && k < 12)) assert_int_equal(ways[2 * k], k >= 5);
    if ((k >= 1 && k < 6) || k >= 13) assert_int_equal(ways[2 * k + 1], k < 6);
  }
  ctl_problem_clear(&own);
  close_problem(&p, &c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_mean), cmocka_unit_test(test_waiting)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
