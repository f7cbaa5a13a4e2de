/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares the estimated number of segments that `event` needs for stiff problems with the counted one: stiff damping,
 * stiff springs, one mass and many. */
#include "tests/fixture.h"

static long segments;

static bool count(void *context) {
  (void)context;
  segments++;
  return false;
}

/* Pulls a chain of d masses. The first mass has the damping, and the springs between masses have the stiffness. */
static double pull(int d, double mass, double damping, double stiffness, double end, double *estimate) {
  SimProblem p;
  SimModel *model;
  SimWorkspace *work;
  const SimReport report = {NULL, fixture_complain};
  double x[8], v[8], push[8];
  SimFinal final = {.x = x, .v = v};
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, d, d), SIM_OK);
  for (int i = 0; i < d; i++) {
    p.system.mass[i * d + i] = mass;
    p.system.damping[i * d + i] = i == 0 ? damping : 0.1;
    p.system.stiffness[i * d + i] = stiffness * (i == 0 || i == d - 1 ? 1 : 2);
    if (i > 0) p.system.stiffness[i * d + i - 1] = p.system.stiffness[(i - 1) * d + i] = -stiffness;
    p.friction[i] = 0.05;
    p.v0[i] = 1 - 0.1 * i;
    push[i] = 1;
  }
  if (d == 1) p.system.stiffness[0] = stiffness;
  fixture_time(&p, end, 10);
  fixture_scheme(&p, "event");
  assert_int_equal(stiction_problem_finalize(&p, &report), SIM_OK);
  assert_int_equal(stiction_model_create(&p, &report, &model), SIM_OK);
  assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
  *estimate = sim_problem_segments(&p);
  segments = 0;
  stiction_workspace_interrupt(work, &(SimInterrupt){.stops = count});
  assert_int_equal(stiction_rollout(model, work, push, NULL, &final), SIM_OK);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
  return (double)segments;
}

static void what_is_stiff_is_estimated(void **state) {
  (void)state;
  static const struct {
    int d;
    double mass, damping, stiffness, end;
  } trials[] = {{1, 0.08, 10257, 1, 0.3}, {1, 2, 3e4, 0, 1},    {1, 1, 0.1, 1e8, 1},    {2, 1, 1e5, 10, 0.5},
                {4, 1, 1e5, 1e4, 0.2},    {8, 1, 10, 1e8, 0.5}, {8, 0.5, 1e5, 1e6, 0.2}};
  for (size_t k = 0; k < sizeof trials / sizeof *trials; k++) {
    double estimate,
        real = pull(trials[k].d, trials[k].mass, trials[k].damping, trials[k].stiffness, trials[k].end, &estimate);
    assert_true(real > 300); /* with so many segments, other contributions are negligible */
    assert_in_range((long)(100 * estimate / real), 33, 300);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_stiff_is_estimated)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
