/* Chains: the paper's scheme to its reference values, what velocities first are worth, reactions. */
#include "tests/chain.h"

/* Every tenth of the time: x, v and G = -alpha lambda, as ChainReference.euler has them. */
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
  assert_int_equal(chain_run(&p, NULL, &(SimObserver){&s, sample}, x, v).status, SIM_OK);
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

/* x and v at many instants. */
typedef struct Record {
  long every;
  double value[401][4];
} Record;

static void record(void *context, const SimStep *step) {
  Record *r = context;
  if (step->n % r->every) return;
  memcpy(r->value[step->n / r->every], step->x, 2 * sizeof(double));
  memcpy(r->value[step->n / r->every] + 2, step->v, 2 * sizeof(double));
}

static void run_recorded(const ChainReference *r, const char *scheme, long steps, Record *out) {
  SimProblem p;
  double x[2], v[2];
  out->every = steps / 400;
  chain_reference_problem(&p, r, scheme, steps);
  assert_int_equal(chain_run(&p, NULL, &(SimObserver){out, record}, x, v).status, SIM_OK);
}

/* At the paper's step, over the whole time: velocities first, and the errors are several times smaller. */
static void symplectic_is_better(void **state) {
  (void)state;
  static Record paper, symplectic, fine;
  for (int c = 0; c < CHAIN_CASES; c++) {
    const ChainReference *r = &chain_reference[c];
    double worse[2] = {0}, better[2] = {0};
    if (r->chain_case == SIM_CHAIN_QUASISTATIC) continue;
    run_recorded(r, "implicit_euler", 2000, &paper);
    run_recorded(r, "symplectic", 2000, &symplectic);
    run_recorded(r, "symplectic", 400000, &fine);
    for (int k = 0; k <= 400; k++)
      for (int i = 0; i < 4; i++) {
        if (i >= 2 && !(r->mass[i - 2] > 0)) continue; /* velocities that jump */
        worse[i / 2] += pow(paper.value[k][i] - fine.value[k][i], 2);
        better[i / 2] += pow(symplectic.value[k][i] - fine.value[k][i], 2);
      }
    for (int i = 0; i < 2; i++) {
      double gain = sqrt(worse[i] / better[i]);
      if (!(gain > (r->chain_case == SIM_CHAIN_DYNAMICAL ? 3 : 2)))
        fail_msg("%s: errors in %s only %g times smaller", r->name, i ? "v" : "x", gain);
    }
  }
}

/* At T, by the best scheme of each case: the exact ones within its error. */
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(paper_values),
      cmocka_unit_test(symplectic_is_better),
      cmocka_unit_test(reactions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
