/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that a root of the dash-pot's law that is not found, or is wrong, never gives a motion. The root finders of the
 * scheme are made to fail. */
#include "tests/sim/dashpot/dashpot.h"

#include "sim/dashpot/law.h"

int __real_dashpot_line_meet(const DashpotLine *line, double e, double w[DASHPOT_DEGREE_MAX], StepTally *tally);
int __wrap_dashpot_line_meet(const DashpotLine *line, double e, double w[DASHPOT_DEGREE_MAX], StepTally *tally);

static enum { TRUE_ROOT, NONE, AGAINST, SHORT } ending;

int __wrap_dashpot_line_meet(const DashpotLine *line, double e, double w[DASHPOT_DEGREE_MAX], StepTally *tally) {
  int n = __real_dashpot_line_meet(line, e, w, tally);
  if (ending == NONE) return 0;
  if (ending == AGAINST) w[0] = e / line->c * (1 + 1e-9); /* this root is wrong, as the speed e - c w is below 0 */
  /* this root is wrong, as a mass in contact would be at rest before it reaches the support */
  if (ending == SHORT && line->c < 0.005) w[0] = e / line->c;
  return n;
}

static SimStatus run(int how) { /* the mass is pushed into a stiff support */
  SimProblem p;
  SimModel *model;
  SimWorkspace *work;
  double x, v;
  SimFinal final = {.x = &x, .v = &v};
  ending = how;
  dashpot_problem(&p, SIM_BINGHAM, 1, 100);
  dashpot_support(&p, 0.05, 20000);
  assert_int_equal(sim_problem_alloc_force(&p), SIM_OK);
  for (long k = 0; k <= 100; k++) p.force[k] = 10;
  assert_int_equal(stiction_problem_finalize(&p, NULL), SIM_OK);
  assert_int_equal(stiction_model_create(&p, NULL, &model), SIM_OK);
  assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
  SimStatus status = stiction_rollout(model, work, NULL, NULL, &final);
  assert_true(status != SIM_OK || x > 0.05);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
  return status;
}

static void never_silent(void **state) {
  (void)state;
  assert_int_equal(run(TRUE_ROOT), SIM_OK);
  assert_int_equal(run(NONE), SIM_NOT_CONVERGED);
  assert_int_equal(run(AGAINST), SIM_NOT_CONVERGED);
  assert_int_equal(run(SHORT), SIM_NOT_CONVERGED);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(never_silent)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
