/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the linear problem of an SQP step with made-up derivatives: its rows, and the prices of misses, which are the
 * penalty weights by which the step values a miss of each target. */
#include "control/sqp/linear.h"
#include "tests/control/sqp/case.h"

enum { TARGETS = 6, NUMBERS = 8 };

typedef struct Step {
  Case of;
  CtlSqpShared shared;
  CtlSqp sqp;
} Step;

/* Opens a step of tp1 with targets for velocities, too, at a point with random misses and derivatives. Every other
 * velocity has stopped before T, so its target is met. */
static void open_step(Step *step) {
  static const char *const settings[] = {"control.target={position: [2, 0, -2], velocity: [1, 0, -1]}"};
  double control[3], x[3], v[3], rows[TARGETS * NUMBERS];
  uint64_t seed = 11;
  open_case(&step->of, "tp1", 1, settings);
  const CtlProblem *p = &step->of.problem.control;
  assert_true(ctl_sqp_shared_init(&step->shared, p) && ctl_sqp_init(&step->sqp, &step->shared));
  assert_int_equal(step->shared.m, TARGETS);
  assert_in_range(ctl_row_size(p->n), 1, NUMBERS);
  for (int i = 0; i < 3; i++) {
    control[i] = fixture_random(&seed);
    x[i] = fixture_random(&seed);
    v[i] = i == 1 ? p->velocity[i] : fixture_random(&seed);
  }
  for (int k = 0; k < TARGETS * (int)ctl_row_size(p->n); k++) rows[k] = fixture_random(&seed);
  for (int j = 0; j < TARGETS; j++) rows[j * (int)ctl_row_size(p->n) + p->n] = j == 4 ? 0.5 : 0;
  ctl_sqp_start(&step->sqp, control, p->accept);
  ctl_sqp_look(&step->sqp, x, v, rows);
}

static void close_step(Step *step) {
  ctl_sqp_clear(&step->sqp);
  ctl_sqp_shared_clear(&step->shared);
  close_case(&step->of);
}

/* Row k of the problem requires row'z <= b for the step z, where b is the target minus the value at z = 0. The bend,
 * the nonlinear part of a target's value, is added to b of its own row only. */
static void what_bends_is_added_to_its_own_row(void **state) {
  (void)state;
  Step step;
  double bend[TARGETS], b[TARGETS];
  open_step(&step);
  const CtlQp *qp = &step.shared.qp;
  for (int j = 0; j < TARGETS; j++) bend[j] = 1 + j * j;
  ctl_linear_problem(&step.sqp, NULL);
  assert_int_equal(qp->m, TARGETS);
  memcpy(b, qp->b, sizeof b);
  ctl_linear_problem(&step.sqp, bend);
  assert_int_equal(qp->m, TARGETS);
  for (int k = 0; k < TARGETS; k++) {
    int j = step.shared.target[k];
    assert_int_equal(qp->equality[k], j != 4);
    assert_true(fabs(qp->b[k] - b[k] - (j == 4 ? -bend[j] : bend[j])) <= 1e-12);
  }
  close_step(&step);
}

/* The price of a single target is its multiplier. For velocities that a function gives, it is the largest of all rows,
 * in the row's own unit. */
static void prices_are_multipliers(void **state) {
  (void)state;
  Step step;
  open_step(&step);
  CtlSqpShared *shared = &step.shared;
  ctl_linear_problem(&step.sqp, NULL);
  for (int k = 0; k < TARGETS; k++) shared->qp.y[k] = shared->target[k] % 2 ? -2 - k : 2 + k;
  ctl_linear_set_price(&step.sqp);
  for (int k = 0; k < TARGETS; k++) assert_true(step.sqp.price[shared->target[k]] == 2 + k);
  shared->together[1] = true;
  for (int largest = 0; largest < TARGETS; largest++) {
    for (int j = 0; j < TARGETS; j++) shared->unit[j] = 1 + j;
    for (int k = 0; k < TARGETS; k++) shared->qp.y[k] = k == largest ? 100 : 1;
    ctl_linear_set_price(&step.sqp);
    assert_true(step.sqp.price[shared->first[1]] == 100 * (1 + shared->target[largest]));
  }
  close_step(&step);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_bends_is_added_to_its_own_row),
                                     cmocka_unit_test(prices_are_multipliers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
