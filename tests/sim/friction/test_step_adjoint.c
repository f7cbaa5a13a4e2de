/* Derivatives backwards along steps, against those that go forward. */
#include "tests/sim/adjoint.h"

enum { PROBLEMS = 30, STEPS = 203 };

/* A scheme with its choices; the rest at its defaults. */
typedef struct Case {
  const char *scheme;
  SimMultiplier multiplier;
  SimSolver solver;
  const char *key; /* NULL: none */
  double value;
} Case;

static const Case cases[] = {
    {.scheme = "moreau", .multiplier = SIM_UNREGULARIZED},
    {.scheme = "moreau", .multiplier = SIM_UNREGULARIZED, .key = "theta", .value = 0.7},
    {.scheme = "moreau", .multiplier = SIM_UNREGULARIZED, .solver = SIM_FIXED_POINT, .key = "theta", .value = 1},
    {.scheme = "centered", .multiplier = SIM_UNREGULARIZED},
    {.scheme = "centered", .multiplier = SIM_UNREGULARIZED, .solver = SIM_FIXED_POINT, .key = "alpha", .value = 0.4},
    {.scheme = "centered", .multiplier = SIM_REGULARIZED},
    {.scheme = "centered", .multiplier = SIM_REGULARIZED, .key = "epsilon", .value = 0.2},
    {.scheme = "centered", .multiplier = SIM_REGULARIZED, .key = "start", .value = 1},
    {.scheme = "centered", .multiplier = SIM_REGULARIZED, .solver = SIM_FIXED_POINT},
};

static void backward_is_forward(void **state) {
  (void)state;
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    uint64_t seed = 5, other = 7;
    int stops = 0;
    for (int k = 0; k < PROBLEMS; k++) {
      SimProblem p;
      SimDependence on[SIM_ON_BETA + 1];
      Both b;
      double control[VARIABLES], weights[3 * D];
      tangent_problem(&seed, k, cases[c].scheme, STEPS, &p, control);
      for (int i = 0; i < k % 4; i++) p.v0[i] = 0;
      sim_problem_set(&p, "multiplier", cases[c].multiplier);
      sim_problem_set(&p, "solver", cases[c].solver);
      if (cases[c].key) assert_int_equal(sim_problem_set(&p, cases[c].key, cases[c].value), SIM_OK);
      adjoint_begin(&p, k % 2 ? tangent_decaying : tangent_swinging, control, tangent_numbers(k, on), on, &b);
      for (int i = 0; i < 3 * D * b.columns && cases[c].multiplier == SIM_REGULARIZED; i++)
        b.least = fmax(b.least, fabs(b.rows[i])); /* what creeps has velocities by differences of positions */
      adjoint_record(&b, control);
      assert_true(adjoint_worst_error(&b) <= 1e-12);
      for (int i = 0; i < 3 * D; i++) weights[i] = fixture_random(&other);
      assert_true(adjoint_sweep_error(&b, weights) <= 1e-12);
      for (int i = 0; i < D; i++) stops += !isnan(b.stop_time[i]);
      adjoint_end(&b);
      sim_problem_clear(&p);
    }
    assert_true(stops > PROBLEMS / 4);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(backward_is_forward)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
