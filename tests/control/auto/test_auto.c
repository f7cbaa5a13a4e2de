/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the method auto, which works in stages. More segments or more starts never make the answer worse. The answer
 * has the same bits for any batch size, and after a save at any time. A budget ends it with an answer. */
#include "tests/control/sqp/search_for.h"

#include "sim/signal.h"

#include <math.h>

enum { PROBLEMS = 50, SETTING = 256 };
/* tolerance relative to J: a control with coarse segments has the same motion as with finer ones, up to round-off */
static const double ROUND_OFF = 1e-9;

/* Opens random problem k: two joints move from rest to rest, with this number of segments. kind: adds a spring, bounds,
 * or a free entry of the target. */
static void open_random(Case *c, int k, int segments, const char *kind) {
  char model[SETTING], control[SETTING], time[SETTING], second[16];
  uint64_t seed = 100 + (uint64_t)k;
  double r[8];
  for (int i = 0; i < 8; i++) r[i] = fixture_random(&seed);
  snprintf(model, sizeof model, "model={kind: friction, mass: [[%.3f, %.3f], [%.3f, 2]], friction: [%.3f, %.3f]%s}",
           3 + r[0], r[1], r[1], 3 + r[2], 3 + 2 * r[3], k % 3 == 1 ? ", stiffness: [5, 1]" : "");
  snprintf(second, sizeof second, k % 5 == 4 ? "null" : "%.3f", r[5]);
  snprintf(control, sizeof control,
           "control={signal: {kind: %s, segments: %d}, target: {position: [%.3f, %s], velocity: 0}%s}", kind, segments,
           r[4], second, k % 2 ? ", bounds: {lower: -30, upper: 30}" : "");
  snprintf(time, sizeof time, "time={end: %.3f, steps: 120}", 2 + 0.5 * r[6]);
  const char *settings[] = {model, control, time};
  open_case(c, "signal-2x8", 3, settings);
}

static bool meets(const Case *c, const Answer *answer) {
  return answer->state.E1 <= c->problem.control.accept && answer->state.E2 <= c->problem.control.accept;
}

/* Returns the J found with these numbers of segments and starts (starts 0: the default); INFINITY if the target is
 * missed. */
static double least(int k, int segments, int starts, int restarts) {
  Answer answer;
  Case c;
  open_random(&c, k, segments, k % 4 == 3 ? "piecewise_linear" : "piecewise_constant");
  c.problem.control.local_starts = starts;
  c.problem.control.restarts = restarts;
  search_for(&c, 64, 0, &answer);
  double J = meets(&c, &answer) ? answer.state.J : INFINITY;
  close_case(&c);
  return J;
}

static bool is_no_more(double J, double than) { return J <= than * (1 + ROUND_OFF) || J == than; }

/* Solves each problem with three numbers of segments, each a divisor of the next. */
static void more_segments_are_never_worse(void **state) {
  enum { LEVELS = 3 };
  static const int segments[][LEVELS] = {{2, 4, 8}, {3, 6, 12}, {1, 5, 10}, {2, 6, 18}, {4, 8, 16}, {1, 7, 14}};
  (void)state;
  int met = 0, fell = 0;
  for (int k = 0; k < PROBLEMS; k++) {
    double J = INFINITY;
    for (int level = 0; level < LEVELS; level++) {
      double finer = least(k, segments[(size_t)k % (sizeof segments / sizeof *segments)][level], 0, 2);
      assert_true(is_no_more(finer, J));
      met += isfinite(finer);
      fell += isfinite(J) && finer < J * (1 - ROUND_OFF);
      J = finer;
    }
  }
  assert_true(met > PROBLEMS * LEVELS / 2 && fell > PROBLEMS / 2);
}

static void more_starts_are_never_worse(void **state) {
  static const int starts[][2] = {{1, 2}, {2, 5}, {3, 16}, {4, 7}, {6, 10}, {1, 25}};
  (void)state;
  int fell = 0;
  for (int k = 0; k < PROBLEMS; k++) {
    const int *pair = starts[(size_t)k % (sizeof starts / sizeof *starts)];
    double few = least(k, 8, pair[0], 0), more = least(k, 8, pair[1], 0);
    assert_true(is_no_more(more, few));
    fell += isfinite(few) && more < few * (1 - ROUND_OFF);
  }
  assert_true(fell > 0);
}

/* The search is also saved in the middle of a round of a stage. After a load the points of the round are requested
 * again, so they must fit between two saves. */
static void batches_and_saves_do_not_matter(void **state) {
  Answer first, answer;
  Case c;
  (void)state;
  open_random(&c, 3, 12, "piecewise_constant");
  search_for(&c, 64, 0, &first);
  assert_true(meets(&c, &first));
  for (int batch = 1; batch <= 64; batch = 8 * batch + 5)
    for (int way = 0; way <= 2; way++) {
      enum {
        ROUND = 128,
        KINDS = 64
      }; /* KINDS: how often the kind of result that is requested may change from
          * point to point. */
      int saves = way ? way * (ROUND / batch + KINDS) + way : 0;
      search_for(&c, batch, saves, &answer);
      assert_memory_equal(answer.u, first.u, (size_t)c.problem.control.n * sizeof *first.u);
      assert_true(answer.state.J == first.state.J && answer.state.rounds == first.state.rounds);
      assert_true(answer.state.ivps == first.state.ivps && answer.state.evaluations == first.state.evaluations);
      assert_true(answer.state.starts == first.state.starts && answer.state.reached == first.state.reached);
    }
  close_case(&c);
}

/* In each stage an answer is known before the stage ends. So even a budget too small for all stages gives an answer
 * that meets the target. */
static void a_budget_has_an_answer(void **state) {
  Answer answer;
  Case c;
  (void)state;
  open_random(&c, 0, 24, "piecewise_constant");
  search_for(&c, 64, 0, &answer);
  long all = answer.state.evaluations;
  for (int part = 2; part <= 4; part++) {
    c.problem.control.max_evaluations = all / part;
    search_for(&c, 64, 0, &answer);
    assert_true(meets(&c, &answer) && answer.state.evaluations <= all / part);
  }
  close_case(&c);
}

static void starts_are_counted(void **state) {
  Answer answer;
  Case c;
  (void)state;
  open_random(&c, 0, 4, "piecewise_constant");
  c.problem.control.local_starts = 5;
  search_for(&c, 64, 0, &answer);
  assert_true(answer.state.starts >= 5 && answer.state.reached >= 1 && answer.state.reached <= answer.state.starts);
  close_case(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(more_segments_are_never_worse),
                                     cmocka_unit_test(more_starts_are_never_worse),
                                     cmocka_unit_test(batches_and_saves_do_not_matter),
                                     cmocka_unit_test(a_budget_has_an_answer), cmocka_unit_test(starts_are_counted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
