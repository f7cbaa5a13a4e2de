/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the least efforts of patterns. A pattern states for each joint and time interval whether the joint sticks,
 * or in which direction it slips. The controls found, when simulated, give motions with this pattern that meet the
 * target. */
#include "control/pattern/answer.h"
#include "control/pattern/code.h"
#include "tests/control/sqp/case.h"

/* PARTS: for controls that are linear in each segment, the number of pieces into which a segment is divided */
enum { TRIALS = 40, SEEDS = 12, D_MAX = 4, PARTS = 4 };

/* Writes a problem file with d random masses, from rest to rest. */
static void write_case(const char *path, uint64_t *seed, int d, int segments, const char *model, const char *more) {
  const char *kind = strstr(more, "linear") ? "piecewise_linear" : "piecewise_constant";
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file, "model:\n  kind: friction\n  mass: [");
  for (int i = 0; i < d; i++) {
    fprintf(file, "%s[", i ? ", " : "");
    for (int j = 0; j < d; j++) fprintf(file, "%s%.3f", j ? ", " : "", i == j ? 3.0 + i : 0.4);
    fprintf(file, "]");
  }
  fprintf(file, "]\n");
  if (!strstr(model, "friction:")) {
    fprintf(file, "  friction: [");
    for (int i = 0; i < d; i++) fprintf(file, "%s%.4f", i ? ", " : "", 2 + fixture_random(seed));
    fprintf(file, "]\n");
  }
  fprintf(file, "%stime: {end: 2, steps: 64}\nscheme: {name: event}\ncontrol:\n", model);
  fprintf(file, "  signal: {kind: %s, segments: %d}\n  target: {velocity: 0, position: [", kind, segments);
  for (int i = 0; i < d; i++) fprintf(file, "%s%.4f", i ? ", " : "", fixture_random(seed));
  fprintf(file, "]}\n%s", more);
  assert_int_equal(fclose(file), 0);
}

typedef struct Trial {
  char folder[FIXTURE_DIRECTORY_SIZE], path[FIXTURE_PATH_SIZE];
  Case c;
  PatternMotions *motions;
  Pattern pattern;
  double *control;
} Trial;

static void open_trial(Trial *t, uint64_t *seed, int d, int segments, const char *model, const char *more) {
  assert_int_equal(fixture_directory(t->folder), 0);
  fixture_path(t->folder, "case.yaml", t->path);
  write_case(t->path, seed, d, segments, model, more);
  open_case_at(&t->c, t->path, 0, NULL);
  assert_true(pattern_takes(&t->c.problem.control, t->c.evaluated.problem));
  int parts = t->c.problem.control.signal == SIM_PIECEWISE_LINEAR ? PARTS : 1;
  t->motions = pattern_motions_create(&t->c.problem.control, t->c.evaluated.problem, segments, parts);
  t->control = calloc((size_t)t->c.problem.control.n, sizeof *t->control);
  assert_true(t->motions && t->control && pattern_init(&t->pattern, d, segments * parts));
}

static void close_trial(Trial *t) {
  pattern_clear(&t->pattern);
  pattern_motions_destroy(t->motions);
  close_case(&t->c);
  free(t->control);
  assert_int_equal(remove(t->path), 0);
  assert_int_equal(remove(t->folder), 0);
}

/* Returns how far the simulated motion is from its targets. */
static double miss_of(Trial *t) {
  double x[2 * D_MAX], errors[2];
  SimFinal final = {.x = x, .v = x + D_MAX};
  t->c.evaluator.evaluate(t->c.evaluator.context, (CtlWant){0}, 1, t->control, &final, NULL);
  assert_int_equal(final.status, SIM_OK);
  ctl_errors(&t->c.problem.control, final.x, final.v, errors);
  return fmax(errors[0], errors[1]);
}

/* If no force depends on the motion, the control of a pattern has a motion with that pattern, and its J is the cost of
 * the pattern. With twice as many pieces the cost is no higher. With the times of slip optimised it is no higher than
 * that. */
static void controls_make_their_motions(void **state) {
  uint64_t seed = 1;
  int found = 0;
  (void)state;
  for (int k = 0; k < TRIALS; k++) {
    Trial t;
    open_trial(&t, &seed, 1 + k % 3, 8, "", "");
    for (long number = 0; number < SEEDS && pattern_seed(t.motions, number, &t.pattern); number++) {
      double J = pattern_effort(t.motions, &t.pattern, t.control);
      if (!isfinite(J)) continue;
      found++;
      assert_true(fabs(J - ctl_cost(&t.c.problem.control, t.control)) <= 1e-7 * J);
      assert_true(miss_of(&t) < 1e-6);
    }
    double before = pattern_effort(t.motions, &t.pattern, NULL), after = pattern_shift(t.motions, &t.pattern);
    assert_true(isinf(before) || after <= before);
    close_trial(&t);
  }
  assert_true(found > 2 * TRIALS);
}

static void finer_costs_no_more(void **state) {
  uint64_t seed = 2;
  Trial coarse, fine;
  int found = 0;
  (void)state;
  for (int k = 0; k < 10; k++) {
    uint64_t same = seed;
    open_trial(&coarse, &seed, 2, 8, "", "");
    open_trial(&fine, &same, 2, 16, "", "");
    assert_true(pattern_seed(coarse.motions, k % 9, &coarse.pattern));
    pattern_copy(&coarse.pattern, &fine.pattern);
    pattern_refine(&fine.pattern, 2);
    double J = pattern_effort(coarse.motions, &coarse.pattern, NULL);
    found += isfinite(J);
    if (isfinite(J)) assert_true(pattern_effort(fine.motions, &fine.pattern, NULL) <= J * (1 + 1e-7));
    close_trial(&coarse);
    close_trial(&fine);
  }
  assert_true(found >= 5);
}

/* Bounds and rates hold, and thresholds by direction act as in the motion. If forces, thresholds or u change within a
 * piece, a joint may turn or start there; this is rare and has a small effect. */
static void problems_of_all_kinds(void **state) {
  static const struct {
    const char *model, *more;
    bool changes;
  } kinds[] = {
      {"", "  bounds: {lower: -12, upper: 12}\n", false},
      {"", "  bounds: {lower: -12, upper: 12, rate: 60}\n", false},
      {"", "  weight: [[2, 0.3], [0.3, 1]]\n", false},
      {"  friction: {forward: [2, 3], backward: [3, 1.5]}\n", "", false},
      {"  force: [\"0.3*sin(2*t)\", \"-0.2*t\"]\n", "", true},
      {"  friction: [\"2 + 0.5*t\", \"3 - t\"]\n", "", true},
      {"", "  # linear\n", true},
      {"", "  bounds: {lower: -30, upper: 30, rate: 80} # linear\n", true},
  };
  (void)state;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    uint64_t seed = 4;
    int found = 0, near = 0;
    for (int trial = 0; trial < 6; trial++) {
      Trial t;
      open_trial(&t, &seed, 2, 16, kinds[k].model, kinds[k].more);
      const CtlProblem *p = &t.c.problem.control;
      bool is_linear = p->signal == SIM_PIECEWISE_LINEAR;
      for (long number = 0; number < SEEDS && pattern_seed(t.motions, number, &t.pattern); number++) {
        double J = pattern_effort(t.motions, &t.pattern, t.control);
        if (!isfinite(J)) continue;
        found++;
        assert_true(fabs(J - ctl_cost(p, t.control)) <= 1e-7 * J);
        for (int i = 0; i < p->n; i++) {
          assert_true(t.control[i] <= p->upper[i] + 1e-6 && t.control[i] >= p->lower[i] - 1e-6);
          double before = i >= 2 ? t.control[i - 2] : is_linear ? 0 : t.control[i];
          assert_true(fabs(t.control[i] - before) <= p->rate[i % 2] * p->end / p->segments + 1e-6);
        }
        double miss = miss_of(&t);
        assert_true(miss < (kinds[k].changes ? 1e-2 : 1e-6));
        near += miss < 2e-5;
      }
      close_trial(&t);
    }
    assert_true(found > 6 && near > 0.9 * found);
  }
}

static bool count_down(void *left) { return (*(int *)left)-- <= 0; }

/* The pattern of a motion is the one by which its control was found. The evaluator's answers equal those of the
 * functions. */
static void answers(void **state) {
  uint64_t seed = 9;
  Trial t;
  (void)state;
  open_trial(&t, &seed, 2, 8, "", "");
  double J = INFINITY, x[2 * D_MAX], row[16];
  for (long k = 0; isinf(J) && pattern_seed(t.motions, k, &t.pattern); k++)
    J = pattern_effort(t.motions, &t.pattern, t.control);
  assert_true(isfinite(J));
  PatternAnswers *asked =
      pattern_answers_create(&t.c.problem.control, t.c.evaluated.problem, t.c.rollout.model, t.c.rollout.work);
  SimFinal final = {.x = x, .v = x + D_MAX};
  pattern_answer(asked, CTL_MOTION_SHIFTED, 8, t.control, &final, row);
  assert_int_equal(final.status, SIM_OK);
  assert_true(final.iterations > 0 && x[0] <= J * (1 + 1e-9));
  assert_true(fabs(x[0] - ctl_cost(&t.c.problem.control, row)) <= 1e-7 * J);
  /* If the calculation is stopped in the middle there is no answer. Run again, it gives the same answer as without a
   * stop. */
  double before = x[0];
  SimWorkspace *work = t.c.rollout.work;
  for (int part = 0; part < 40; part += 3) {
    int left = part;
    stiction_workspace_interrupt(work, &(SimInterrupt){.context = &left, .stops = count_down});
    pattern_answer(asked, CTL_MOTION_SHIFTED, 8, t.control, &final, row);
    assert_int_equal(final.status, SIM_CANCELLED);
  }
  stiction_workspace_interrupt(work, NULL);
  pattern_answer(asked, CTL_MOTION_SHIFTED, 8, t.control, &final, row);
  assert_true(final.status == SIM_OK && x[0] == before);
  /* The pattern itself is given as a code of numbers. If the ends of its slips are optimised, it costs no more than
   * before. An invalid code has no answer. */
  signed char ways[16], back[16];
  double code[16];
  pattern_ways(&t.pattern, 2, ways);
  pattern_encode(2, 8, ways, 2, code);
  assert_true(pattern_decode(2, 8, code, 2, back));
  assert_memory_equal(ways, back, sizeof ways);
  pattern_answer(asked, CTL_MOTION_WAYS, 8, code, &final, row);
  assert_true(final.status == SIM_OK && x[0] <= J * (1 + 1e-9));
  assert_true(fabs(x[0] - ctl_cost(&t.c.problem.control, row)) <= 1e-7 * J);
  for (int k = 0; k < 3; k++) {
    code[0] = (double[]){9, -1, 0.5}[k];
    pattern_answer(asked, CTL_MOTION_WAYS, 8, code, &final, row);
    assert_int_equal(final.status, SIM_NOT_CONVERGED);
  }
  row[0] = 1e6; /* this seed is invalid */
  pattern_answer(asked, CTL_MOTION_SEED, 8, row, &final, row);
  assert_int_equal(final.status, SIM_NOT_CONVERGED);
  pattern_answers_destroy(asked);
  close_trial(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(controls_make_their_motions),
                                     cmocka_unit_test(finer_costs_no_more), cmocka_unit_test(problems_of_all_kinds),
                                     cmocka_unit_test(answers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
