/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests chains: the paper's scheme against reference values, and reactions. */
#include "tests/sim/chain/chain.h"

/* Values x, v and G = -alpha lambda at every tenth of the time, in the order of ChainReference.euler. */
typedef struct Samples {
  long every;
  double value[CHAIN_SAMPLES][6];
  double extra[3];
} Samples;

static void sample(void *context, const SimStep *step) {
  Samples *s = context;
  static const double thresholds[2] = {0.5, 0.4};
  memcpy(s->extra, step->extra, sizeof s->extra);
  if (step->n % s->every) return;
  double *row = s->value[step->n / s->every];
  for (int i = 0; i < 2; i++) {
    row[i] = step->x[i];
    row[2 + i] = step->v[i];
    row[4 + i] = -thresholds[i] * step->lambda[i];
  }
}

static Samples run(const ChainReference *r, const char *scheme, long steps) {
  SimProblem p;
  double x[2], v[2];
  Samples s = {.every = steps / (CHAIN_SAMPLES - 1)};
  chain_reference_problem(&p, r, scheme, steps);
  chain_run(&p, NULL, &(SimObserver){.context = &s, .step = sample}, x, v);
  assert_memory_equal(x, s.value[CHAIN_SAMPLES - 1], sizeof x);
  return s;
}

static void paper_values(void **state) {
  (void)state;
  for (int c = 0; c < CHAIN_CASES; c++) {
    const ChainReference *r = &chain_reference[c];
    Samples s = run(r, "implicit_euler", 2000);
    for (int k = 0; k < CHAIN_SAMPLES; k++)
      for (int i = 0; i < 6; i++)
        if (!isnan(r->euler[k][i]) && !(fabs(s.value[k][i] - r->euler[k][i]) <= 1e-12))
          fail_msg("%s, sample %d, column %d: %.17g (expected %.17g)", r->name, k, i, s.value[k][i], r->euler[k][i]);
  }
}

/* Compares the reactions at T, by the best scheme of each case, with exact ones. */
static void reactions(void **state) {
  (void)state;
  for (int c = 0; c < CHAIN_CASES; c++) {
    const ChainReference *r = &chain_reference[c];
    bool quasistatic = r->chain_case == SIM_CHAIN_QUASISTATIC;
    const double *last = r->exact[CHAIN_SAMPLES - 1];
    Samples s = run(r, quasistatic ? "increment" : "symplectic", 20480);
    double tolerance = quasistatic ? 1e-7 : 2e-3;
    assert_true(fabs(s.extra[0] - r->reaction_left) < tolerance);
    if (!isnan(r->reaction_right)) assert_true(fabs(s.extra[1] - r->reaction_right) < tolerance);
    if (r->end == SIM_END_CLAMPED) assert_true(fabs(s.extra[1] - last[1]) < tolerance && s.extra[2] == 0);
    if (!isnan(r->x_end)) assert_true(fabs(s.extra[2] - r->x_end) < tolerance);
    double given = r->end_amplitude * sin(r->end_omega * r->time);
    if (r->end != SIM_END_CLAMPED) assert_true(s.extra[r->end == SIM_END_FREE ? 1 : 2] == given);
  }
}

/* A wrong value is reported for each spring, including the one after the last node. */
static void every_spring_is_checked(void **state) {
  (void)state;
  enum { NODES = 3 };
  for (int k = 0; k <= NODES; k++) {
    SimProblem p;
    SimBounds bounds;
    chain_init(&p, NODES, SIM_CHAIN_DYNAMICAL, SIM_END_CLAMPED, "implicit_euler");
    fixture_time(&p, 1, 10);
    assert_int_equal(sim_problem_check(&p, NULL, &bounds), SIM_OK);
    p.chain.springs[k] = -1;
    assert_int_equal(sim_problem_check(&p, NULL, &bounds), SIM_BAD_PROBLEM);
    sim_problem_clear(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paper_values),
      cmocka_unit_test(reactions),
      cmocka_unit_test(every_spring_is_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
