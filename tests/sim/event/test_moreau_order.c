/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that `moreau` converges with order 1 to the motions by `event`. */
#include "src/run/motion_difference.h"
#include "src/study/orders.h"
#include "tests/sim/event/random_systems.h"

static void record(int k, const char *scheme, long steps, SimProblem *p, Motion *motion) {
  SimWorkspace *work;
  random_system(k, p);
  fixture_time(p, END, steps);
  fixture_scheme(p, scheme);
  SimModel *model = fixture_model(p, random_force, &work);
  assert_int_equal(motion_init(motion, p), SIM_OK);
  assert_int_equal(motion_record(motion, model, work, NULL), SIM_OK);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
}

/* Computes the errors of x, v (L2) and lambda (L1) by `moreau` for the system *context. */
static int moreau_errors(void *context, long steps, double *error) {
  SimProblem problems[2];
  Motion exact, motion;
  MotionDifference difference;
  record(*(int *)context, "event", steps, &problems[0], &exact);
  record(*(int *)context, "moreau", steps, &problems[1], &motion);
  motion_difference(&motion, &exact, &difference);
  error[0] = difference.x_l2;
  error[1] = difference.v_l2;
  error[2] = difference.lambda_l1;
  motion_clear(&exact);
  motion_clear(&motion);
  for (int i = 0; i < 2; i++) sim_problem_clear(&problems[i]);
  return 0;
}

static void moreau_approaches(void **state) {
  (void)state;
  for (int k = 0; k < SYSTEMS; k++) {
    OrderResult result;
    assert_int_equal(order_measure(&(OrderStudy){moreau_errors, &k, 3, 1000, 4, 12, 7}, &result), 0);
    for (int q = 0; q < 3; q++)
      if (!(result.order[q] > 0.85 && result.order[q] < 1.15))
        fail_msg("system %d: errors %.1e %.1e %.1e of moreau fall at orders %.2f %.2f %.2f\n", k, result.finest[0],
                 result.finest[1], result.finest[2], result.order[0], result.order[1], result.order[2]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(moreau_approaches)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
