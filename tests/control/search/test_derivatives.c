/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests points with derivatives, or of another motion: they are requested, answered, kept out of the cache, and
 * saved. */
#include "tests/control/search/derivative_method.h"
#include "tests/fixture.h"

/* The result of a search. */
typedef struct Course {
  long rounds;
  CtlState state;
  double u[PROBE_N], best[PROBE_STEPS + 1];
  ProbeCounts counts;
} Course;

static void take_state(const CtlSearch *search, Course *course) {
  stiction_asktell_state(search, &course->state);
  memcpy(course->u, course->state.control, sizeof course->u);
  course->best[course->state.rounds] = course->state.best;
  course->rounds = course->state.rounds;
}

/* Saves the search and loads it again. */
static CtlSearch *again(CtlSearch *search, const CtlProblem *problem) {
  size_t size = stiction_asktell_saved_size(search);
  char *bytes = malloc(size);
  CtlSearch *loaded;
  assert_non_null(bytes);
  stiction_asktell_save(search, bytes);
  assert_int_equal(stiction_asktell_load(problem, bytes, size, NULL, &loaded), CTL_OK);
  stiction_asktell_destroy(search);
  free(bytes);
  return loaded;
}

/* Asks for up to `batch` points at a time, and answers the last one first. Saves and loads after every `saves`
 * outcomes; 0: never. */
static void run(int batch, int saves, Course *course) {
  CtlProblem problem;
  CtlSearch *search;
  const CtlEvaluator evaluator = probe_evaluator(&course->counts);
  double controls[8 * PROBE_N], states[8][2 * PROBE_N], rows[8 * PROBE_N * (PROBE_N + 2)];
  long tickets[8], outcomes = 0;
  SimFinal final[8];
  CtlWant want, next;
  *course = (Course){.rounds = 0};
  probe_wrong = false;
  assert_int_equal(probe_problem(&problem), SIM_OK);
  assert_int_equal(stiction_control_check(&problem, NULL), CTL_OK);
  assert_int_equal(stiction_asktell_create(&problem, &search), CTL_OK);
  while (ctl_search_unasked(search, &next)) {
    int count = stiction_asktell_ask(search, batch, tickets, controls, &want);
    bool loaded = false;
    assert_true(count > 0 && want.motion == next.motion && want.derivatives == next.derivatives);
    for (int k = 0; k < count; k++) final[k] = (SimFinal){.x = states[k], .v = states[k] + PROBE_N};
    evaluator.evaluate(evaluator.context, want, count, controls, final, want.derivatives ? rows : NULL);
    for (int k = count - 1; k >= 0 && !loaded; k--) {
      CtlOutcome outcome = {.x = final[k].x, .v = final[k].v, .iterations = final[k].iterations};
      if (want.derivatives) outcome.rows = rows + k * PROBE_N * (PROBE_N + 2);
      bool ended = stiction_asktell_tell(search, tickets[k], &outcome, 0);
      if (ended) take_state(search, course);
      loaded = saves && ++outcomes % saves == 0;
    }
    if (loaded) search = again(search, &problem);
  }
  take_state(search, course);
  stiction_asktell_destroy(search);
  ctl_problem_clear(&problem);
  assert_false(probe_wrong);
}

static void same(const Course *a, const Course *b) {
  assert_memory_equal(a->u, b->u, sizeof a->u);
  assert_memory_equal(a->best, b->best, sizeof a->best);
  assert_int_equal(a->rounds, b->rounds);
  assert_int_equal(a->state.evaluations, b->state.evaluations);
  assert_int_equal(a->state.ivps, b->state.ivps);
  assert_int_equal(a->state.iterations, b->state.iterations);
  assert_int_equal(a->state.reason, b->state.reason);
}

/* One of the six points of a round is out of bounds. The others are simulated each time, except the two that request
 * only the final state, which the cache can have. */
static void points_that_are_wanted_with_more_bypass_the_cache(void **state) {
  Course course;
  (void)state;
  run(8, 0, &course);
  assert_int_equal(course.rounds, PROBE_STEPS);
  assert_int_equal(course.state.evaluations, 5 * PROBE_STEPS);
  assert_int_equal(course.counts.points[1][CTL_MOTION_FILE], PROBE_STEPS);
  assert_int_equal(course.counts.points[1][CTL_MOTION_THIRD], PROBE_STEPS);
  assert_int_equal(course.counts.points[0][CTL_MOTION_FREE], PROBE_STEPS);
  assert_int_equal(course.counts.points[0][CTL_MOTION_FILE] + course.state.cache_hits, 2 * PROBE_STEPS);
  assert_int_equal(course.state.ivps + course.state.cache_hits, course.state.evaluations);
  long by_motion = 0;
  for (int k = 0; k < CTL_MOTIONS; k++)
    by_motion += (1 + k) * (course.counts.points[0][k] + course.counts.points[1][k]);
  assert_int_equal(course.state.iterations, by_motion);
  assert_int_equal(course.state.non_finite, 0);
}

/* The merit of a point of another motion than that of the problem never becomes the best of the search, even if it is
 * smaller. */
static void another_motion_is_no_answer(void **state) {
  Course course;
  double x[PROBE_N];
  (void)state;
  run(3, 0, &course);
  for (long k = 2; k <= course.rounds; k++) assert_true(course.best[k] <= course.best[k - 1]);
  probe_state(course.u, CTL_MOTION_FILE, x);
  assert_memory_equal(x, course.state.x, sizeof x);
}

static void any_batch_and_any_save_is_the_same(void **state) {
  Course first, course;
  (void)state;
  run(8, 0, &first);
  for (int batch = 1; batch <= 8; batch++)
    for (int saves = 0; saves <= 9; saves += saves ? 1 : 4) { /* after a load, up to three points are requested again */
      run(batch, saves, &course);
      same(&first, &course);
    }
}

/* A point with a derivative that is not finite counts as failed. */
static void derivatives_must_be_finite(void **state) {
  CtlProblem problem;
  CtlSearch *search;
  double control[PROBE_N], rows[PROBE_N * (PROBE_N + 2)] = {0};
  long ticket;
  (void)state;
  rows[4] = NAN;
  assert_int_equal(probe_problem(&problem), SIM_OK);
  assert_int_equal(stiction_asktell_create(&problem, &search), CTL_OK);
  CtlWant want;
  while (stiction_asktell_ask(search, 1, &ticket, control, &want)) {
    double x[PROBE_N] = {0};
    CtlOutcome outcome = {.x = x, .v = x, .rows = want.derivatives ? rows : NULL};
    if (stiction_asktell_tell(search, ticket, &outcome, 0)) break;
  }
  CtlState found_state;
  stiction_asktell_state(search, &found_state);
  assert_int_equal(found_state.non_finite, 2);
  stiction_asktell_destroy(search);
  ctl_problem_clear(&problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(points_that_are_wanted_with_more_bypass_the_cache),
                                     cmocka_unit_test(another_motion_is_no_answer),
                                     cmocka_unit_test(any_batch_and_any_save_is_the_same),
                                     cmocka_unit_test(derivatives_must_be_finite)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
