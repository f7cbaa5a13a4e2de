/* SPDX-License-Identifier: BSD-2-Clause */
/* Repeats the reference counts of pds.md on TP1 (P, unregularized, right-angled simplex h = 1 from 0): the number of
 * simplexes until the edge is below 1e-10, and of evaluations until the error is below 1e-7. argv: s, simplexes,
 * evaluations. */
#include "tests/fixture.h"

#include "control/evaluator.h"
#include "src/file/sections/file.h"
#include "src/run/rollout_context.h"

#include <stdio.h>

static char *scheme_size;
static long expected_simplexes, expected_evaluations;

typedef struct Course {
  long evaluations; /* number at the end of the first simplex with E1 < 1e-7 */
  long before;      /* number of evaluations at the start of this simplex */
} Course;

static int follow(void *context, const CtlState *state, double seconds) {
  Course *course = context;
  (void)seconds;
  if (course->evaluations) return 0;
  if (state->E1 < 1e-7)
    course->evaluations = state->evaluations;
  else
    course->before = state->evaluations;
  return 0;
}

static void counts(void **unused) {
  (void)unused;
  char size[64];
  snprintf(size, sizeof size, "search.scheme_size=%s", scheme_size);
  char *settings[] = {size, "search.penalty=P", "search.restarts=0", "scheme.multiplier=unregularized"};
  Problem problem;
  RolloutContext rollout;
  CtlSearch *search;
  CtlTimes times;
  CtlState state;
  Course course = {0};
  assert_int_equal(problem_file_read(STICTION_ROOT "/jobs/problems/tp1.yaml", settings, 4, true,
                                     &(Diagnostics){.report = diagnostic_print, .to = stderr}, &problem),
                   0);
  assert_int_equal(
      rollout_context_prepare(&rollout, &problem.sim, &(Diagnostics){.report = diagnostic_print, .to = stderr}), 0);
  assert_int_equal(stiction_asktell_create(&problem.control, &search), CTL_OK);
  const CtlListener listener = {.context = &course, .simplex = follow};
  CtlSimulation simulation = {.model = rollout.model, .work = rollout.work};
  CtlEvaluator evaluator = ctl_simulator(&simulation);
  assert_int_equal(ctl_drive_serial(search, &evaluator, &listener, &times), 0);
  stiction_asktell_state(search, &state);
  printf("s = %s: %ld simplexes (expected %ld); error 1e-7 within evaluations %ld..%ld (expected %ld)\n", scheme_size,
         state.rounds, expected_simplexes, course.before, course.evaluations, expected_evaluations);
  assert_int_equal(state.rounds, expected_simplexes);
  assert_in_range(expected_evaluations, course.before, course.evaluations);
  stiction_asktell_destroy(search);
  rollout_context_release(&rollout);
  problem_clear(&problem);
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  scheme_size = argv[1];
  expected_simplexes = atol(argv[2]);
  expected_evaluations = atol(argv[3]);
  const struct CMUnitTest tests[] = {cmocka_unit_test(counts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
