/* SPDX-License-Identifier: BSD-2-Clause */
/* Repeats the control paper's 16 runs on the shipped problem files. argv: problem (tp1|tp2), penalty (P|Pi), rho
 * (constant|dynamic), multiplier (regularized|unregularized). Each must end at the minimiser of models.md, section
 * 5. */
#include "tests/fixture.h"

#include "control/evaluator.h"
#include "src/file/sections/file.h"
#include "src/run/rollout_context.h"

#include <stdio.h>

static const char *problem_name, *penalty_name, *rho_name, *multiplier_name;

static const struct {
  const char *problem, *multiplier;
  double u[3], J;
} minimisers[] = {{"tp1", "unregularized", {12.00569, -6.94506, -9.49548}, 470.89110},
                  {"tp1", "regularized", {11.99386, -6.88995, -9.46129}, 468.06686},
                  {"tp2", "unregularized", {-6.61089, -14.66416, 48.75249}, 8785.15491},
                  {"tp2", "regularized", {-6.68626, -14.56915, 48.77182}, 8785.52089}};

typedef struct Course {
  long simplexes_before_restarts;
  bool restarted;
} Course;

static int follow(void *context, const CtlState *state, double seconds) {
  Course *course = context;
  (void)seconds;
  if (!course->restarted) course->simplexes_before_restarts = state->rounds;
  course->restarted = state->restarts > 0; /* after the simplex that brought no progress this is already true */
  return 0;
}

static void ends_at_the_minimiser(void **unused) {
  (void)unused;
  char path[4096], penalty[64], rho[64], multiplier[64];
  snprintf(path, sizeof path, "%s/jobs/problems/%s.yaml", STICTION_ROOT, problem_name);
  snprintf(penalty, sizeof penalty, "search.penalty=%s", penalty_name);
  snprintf(rho, sizeof rho, "search.rho_update=%s", rho_name);
  snprintf(multiplier, sizeof multiplier, "scheme.multiplier=%s", multiplier_name);
  char *settings[] = {penalty, rho, multiplier, "search.scheme_size=paper"};

  Problem problem;
  RolloutContext rollout;
  CtlSearch *search;
  CtlTimes times;
  CtlState state;
  Course course = {0};
  assert_int_equal(
      problem_file_read(path, settings, 4, true, &(Diagnostics){.report = diagnostic_print, .to = stderr}, &problem),
      0);
  assert_int_equal(
      rollout_context_prepare(&rollout, &problem.sim, &(Diagnostics){.report = diagnostic_print, .to = stderr}), 0);
  assert_int_equal(stiction_asktell_create(&problem.control, &search), CTL_OK);
  const CtlListener listener = {.context = &course, .simplex = follow};
  CtlSimulation simulation = {.model = rollout.model, .work = rollout.work};
  CtlEvaluator evaluator = ctl_simulator(&simulation);
  assert_int_equal(ctl_drive_serial(search, &evaluator, &listener, &times), 0);
  stiction_asktell_state(search, &state);

  printf(
      "%s %s %s %s: %ld simplexes, %ld evaluations, %ld ivps, %ld restarts, E1 %.2e E2 %.2e J %.8g u %.6g %.6g %.6g, "
      "%.2f s\n",
      problem_name, penalty_name, rho_name, multiplier_name, state.rounds, state.evaluations, state.ivps,
      state.restarts, state.E1, state.E2, state.J, state.control[0], state.control[1], state.control[2], times.wall);
  assert_int_equal(state.reason, CTL_REASON_TOLERANCE);
  assert_true(state.E1 <= 1e-9);
  assert_true(state.E2 <= 1e-8);
  assert_in_range(course.simplexes_before_restarts, 15, 28);
  assert_int_equal(state.non_finite, 0);
  int compared = 0;
  for (size_t k = 0; k < sizeof minimisers / sizeof *minimisers; k++) {
    if (strcmp(minimisers[k].problem, problem_name) || strcmp(minimisers[k].multiplier, multiplier_name)) continue;
    for (int i = 0; i < 3; i++) assert_true(fabs(state.control[i] - minimisers[k].u[i]) <= 1e-4);
    assert_true(fabs(state.J - minimisers[k].J) <= 1e-3 * minimisers[k].J / 100);
    compared++;
  }
  assert_int_equal(compared, 1);
  stiction_asktell_destroy(search);
  rollout_context_release(&rollout);
  problem_clear(&problem);
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  problem_name = argv[1];
  penalty_name = argv[2];
  rho_name = argv[3];
  multiplier_name = argv[4];
  const struct CMUnitTest tests[] = {cmocka_unit_test(ends_at_the_minimiser)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
