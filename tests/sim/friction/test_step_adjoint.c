/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares adjoint derivatives along steps with forward ones. */
#include "tests/sim/adjoint.h"
#include "tests/sim/friction/step_cases.h"

enum { PROBLEMS = 30, STEPS = 203 };

static void backward_is_forward(void **state) {
  (void)state;
  for (const Case *c = cases; c < cases + CASES; c++) {
    uint64_t seed = 5, other = 7;
    int stops = 0;
    for (int k = 0; k < PROBLEMS; k++) {
      SimProblem p;
      SimDependence on[SIM_ON_BETA + 1];
      Both b;
      double control[VARIABLES], weights[3 * D];
      int n = case_problem(&seed, k, c, STEPS, &p, control, on);
      adjoint_begin(&p, k % 2 ? tangent_decaying : tangent_swinging, control, n, on, &b);
      for (int i = 0; i < 3 * D * b.columns && c->multiplier == SIM_REGULARIZED; i++)
        b.least = fmax(b.least, fabs(b.rows[i])); /* dofs that creep have velocities from differences of positions */
      adjoint_record(&b, control);
      assert_true(adjoint_worst_error(&b) <= 1e-12);
      for (int i = 0; i < 3 * D; i++) weights[i] = fixture_random(&other);
      assert_true(adjoint_sweep_error(&b, weights) <= 1e-12);
      for (int i = 0; i < D; i++) stops += !isnan(b.stop_time[i]);
      adjoint_end(&b);
      sim_problem_clear(&p);
    }
    assert_true(stops > PROBLEMS / 8 || c->multiplier == SIM_SMOOTH);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(backward_is_forward)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
