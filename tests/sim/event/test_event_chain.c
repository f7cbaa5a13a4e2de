/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares the scheme `event` for chains with exact motions by other methods. */
#include "tests/sim/chain/study.h"
#include "tests/sim/event/watch.h"

typedef struct Change {
  double t;
  int dof, slip;
} Change;

/* What an observer has recorded: changes of slip, and each row. */
typedef struct Kept {
  Change changes[200];
  int n, d;
  double x[CHAIN_SAMPLES][EXACT_NODES], v[CHAIN_SAMPLES][EXACT_NODES], extra[3];
} Kept;

static void keep_event(void *context, double t, int dof, int slip) {
  Kept *kept = context;
  if (t > 0) kept->changes[kept->n++] = (Change){t, dof, slip};
  assert_in_range(kept->n, 0, 199);
}

static void keep_step(void *context, const SimStep *step) {
  Kept *kept = context;
  assert_in_range(step->n, 0, CHAIN_SAMPLES - 1);
  memcpy(kept->x[step->n], step->x, (size_t)kept->d * sizeof(double));
  memcpy(kept->v[step->n], step->v, (size_t)kept->d * sizeof(double));
  memcpy(kept->extra, step->extra, sizeof kept->extra);
}

static Kept run_study(const Study *s) {
  SimProblem p;
  double x[EXACT_NODES], v[EXACT_NODES];
  Kept kept = {.d = s->n};
  const SimObserver observer = {&kept, keep_step, keep_event};
  study_pose(&p, s, "event", CHAIN_SAMPLES - 1);
  chain_run(&p, NULL, &observer, x, v);
  return kept;
}

/* Advances the exact motion to t, by steps short enough for errors below 1e-11. */
static void exact_to(ChainExact *exact, double t) {
  while (exact->t < t) chain_exact_to(exact, fmin(t, exact->t + 1e-3));
}

/* A massless node without velocity may count as sliding or sticking. */
static void compare_slips(const ChainExact *exact, const int *slip) {
  for (int i = 0; i < exact->n; i++)
    if (exact->slip[i] != slip[i]) assert_true(slip[i] == 0 && fabs(exact->v[i]) < 1e-9);
}

/* Each change of slip must be one of the exact motion's within 1e-9 s, and there may be no others. */
static void compare_changes(const Study *s, const Kept *kept) {
  SimProblem p;
  int slip[EXACT_NODES];
  study_pose(&p, s, "implicit_euler", 1);
  ChainExact exact = chain_exact_start(&p, s->amplitude, s->omega);
  sim_problem_clear(&p);
  memcpy(slip, exact.slip, sizeof slip);
  for (int k = 0; k < kept->n;) {
    double t = kept->changes[k].t;
    exact_to(&exact, t - 1e-9);
    compare_slips(&exact, slip);
    for (; k < kept->n && kept->changes[k].t <= t + 1e-12; k++) slip[kept->changes[k].dof] = kept->changes[k].slip;
    exact_to(&exact, t + 1e-9);
    compare_slips(&exact, slip);
  }
  exact_to(&exact, s->time);
  compare_slips(&exact, slip);
  for (int i = 0; i < s->n; i++) {
    assert_near(kept->x[CHAIN_SAMPLES - 1][i], exact.x[i], 1e-9);
    assert_near(kept->v[CHAIN_SAMPLES - 1][i], exact.v[i], 1e-9);
  }
}

static void reference_motions(void **state) {
  (void)state;
  for (int c = 0; c < CHAIN_CASES; c++) {
    const ChainReference *r = &chain_reference[c];
    Study s = study_of(r);
    Kept kept = run_study(&s);
    for (int k = 0; k < CHAIN_SAMPLES; k++)
      for (int i = 0; i < 2; i++) {
        assert_near(kept.x[k][i], r->exact[k][i], 1e-10);
        if (r->mass[i] > 0) assert_near(kept.v[k][i], r->exact[k][2 + i], 1e-10);
      }
    assert_true(kept.n > 5);
    compare_changes(&s, &kept);
    const double expected[3] = {r->reaction_left, r->reaction_right, r->x_end};
    for (int k = 0; k < 3; k++)
      if (!isnan(expected[k])) assert_near(kept.extra[k], expected[k], 1e-9);
  }
}

static void larger_chains(void **state) {
  (void)state;
  for (int c = SIM_CHAIN_DYNAMICAL; c <= SIM_CHAIN_QUASISTATIC; c++)
    for (int which = 0; which < 2; which++) {
      Study s = larger_study((SimChainCase)c, which);
      Kept kept = run_study(&s);
      compare_changes(&s, &kept);
    }
}

/* The other schemes converge with the step. With sixteen times as many steps, errors decrease by a factor above six,
 * those of `increment` above forty. */
static void grids_approach(void **state) {
  static const char *const schemes[] = {"implicit_euler", "symplectic", "increment"};
  (void)state;
  for (int c = 0; c < CHAIN_CASES; c++) {
    Study s = study_of(&chain_reference[c]);
    Kept kept = run_study(&s);
    for (int q = 0; q < 3; q++) {
      if (q > 0 && (q == 2) != (s.chain_case == SIM_CHAIN_QUASISTATIC)) continue;
      double error[2] = {0};
      for (int fine = 0; fine < 2; fine++) {
        SimProblem p;
        double x[EXACT_NODES], v[EXACT_NODES];
        study_pose(&p, &s, schemes[q], fine ? 16000 : 1000);
        chain_run(&p, NULL, NULL, x, v);
        for (int i = 0; i < s.n; i++) error[fine] = fmax(error[fine], fabs(x[i] - kept.x[CHAIN_SAMPLES - 1][i]));
      }
      if (!(error[1] <= error[0] / (q == 2 ? 40 : 6)))
        fail_msg("%s, %s: %g, then %g", chain_reference[c].name, schemes[q], error[0], error[1]);
    }
  }
}

static void too_many_events(void **state) {
  Study s = study_of(&chain_reference[0]);
  SimProblem p;
  double x[EXACT_NODES], v[EXACT_NODES];
  (void)state;
  study_pose(&p, &s, "event", 10);
  sim_problem_set(&p, "max_events", 3);
  assert_int_equal(chain_try(&p, NULL, NULL, x, v).status, SIM_EVENTS_ACCUMULATE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reference_motions),
      cmocka_unit_test(larger_chains),
      cmocka_unit_test(grids_approach),
      cmocka_unit_test(too_many_events),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
