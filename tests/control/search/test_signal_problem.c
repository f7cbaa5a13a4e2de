/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests jobs/problems/signal-2x8.yaml: no constant control meets its target, but one that varies in time, with 2 x 8
 * variables, does. */
#include "tests/fixture.h"

#include "control/evaluator.h"
#include "control/outcome/penalty.h"
#include "sim/group.h"
#include "src/file/sections/file.h"
#include "src/run/rollout_context.h"

enum { P = 2, N = 16, GRID = 161 };

typedef struct Arm {
  Problem problem;
  RolloutContext rollout;
} Arm;

static void open_arm(Arm *arm, char *const *settings, int n) {
  char *all[] = {"search.method=pds", n ? settings[0] : NULL};
  assert_int_equal(problem_file_read(STICTION_ROOT "/jobs/problems/signal-2x8.yaml", all, n + 1, true,
                                     &(Diagnostics){.report = diagnostic_print, .to = stderr}, &arm->problem),
                   0);
  assert_int_equal(rollout_context_prepare(&arm->rollout, &arm->problem.sim,
                                           &(Diagnostics){.report = diagnostic_print, .to = stderr}),
                   0);
}

static void close_arm(Arm *arm) {
  rollout_context_release(&arm->rollout);
  problem_clear(&arm->problem);
}

static double miss(const CtlProblem *c, const double *x, const double *v) {
  return ctl_target_error(c->d, x, c->position, c->position_scale, 0) +
         ctl_target_error(c->d, v, c->velocity, c->velocity_scale, 0);
}

static int go_on(void *context, const CtlState *state, double seconds) {
  (void)context, (void)state, (void)seconds;
  return 0;
}

/* Searches from a start. u: set to the answer. Returns E1 + E2. */
static double search(Arm *arm, const double *start, double *u) {
  CtlProblem *control = &arm->problem.control;
  const CtlListener listener = {.simplex = go_on};
  CtlSimulation simulation = {.model = arm->rollout.model, .work = arm->rollout.work};
  const CtlEvaluator evaluator = ctl_simulator(&simulation);
  CtlSearch *s;
  CtlTimes times;
  CtlState state;
  control->derivatives = false; /* the evaluator gives no derivatives */
  memcpy(control->start, start, (size_t)control->n * sizeof *start);
  assert_int_equal(stiction_asktell_create(control, &s), CTL_OK);
  assert_int_equal(ctl_drive_serial(s, &evaluator, &listener, &times), 0);
  stiction_asktell_state(s, &state);
  memcpy(u, state.control, (size_t)control->n * sizeof *u);
  double sum = state.E1 + state.E2;
  stiction_asktell_destroy(s);
  return sum;
}

/* Tries all constant controls within the bounds in steps of half a newton, and searches from the best of them and from
 * the signal's start. E1 + E2 stays at 1, its value without motion. */
static void no_constant_meets_the_target(void **state) {
  (void)state;
  char *settings[] = {"control.signal.kind=constant"};
  static double u[GRID * GRID][P], states[GRID * GRID][4];
  static SimFinal final[GRID * GRID];
  Arm arm;
  open_arm(&arm, settings, 1);
  CtlProblem *control = &arm.problem.control;
  assert_int_equal(control->n, P);
  for (int k = 0; k < GRID * GRID; k++) {
    u[k][0] = control->lower[0] + k % GRID * (control->upper[0] - control->lower[0]) / (GRID - 1);
    u[k][1] = control->lower[1] + k / GRID * (control->upper[1] - control->lower[1]) / (GRID - 1);
    final[k] = (SimFinal){.x = states[k], .v = states[k] + 2};
  }
  stiction_batch(arm.rollout.model, arm.rollout.work, GRID * GRID, &u[0][0], final);
  double least = INFINITY, found[P];
  int best = 0;
  for (int k = 0; k < GRID * GRID; k++) {
    double E = miss(control, final[k].x, final[k].v);
    if (E < least) best = k;
    least = fmin(least, E);
  }
  assert_true(least > 0.9);
  for (int m = 0; m < 2; m++) {
    control->method = ctl_method_find(m ? "hybrid" : "pds");
    assert_true(search(&arm, u[best], found) > 0.9);
    for (int i = 0; i < P; i++) found[i] = 6;
    assert_true(search(&arm, found, found) > 0.9);
  }
  close_arm(&arm);
}

static void a_signal_of_eight_pieces_does(void **state) {
  (void)state;
  char *settings[] = {"search.stop_at=1e-7"};
  Arm arm;
  open_arm(&arm, settings, 1);
  CtlProblem *control = &arm.problem.control;
  assert_int_equal(control->n, N);
  double start[N], found[N];
  for (int i = 0; i < N; i++) start[i] = 6;
  assert_true(search(&arm, start, found) <= 1e-7);
  close_arm(&arm);
}

/* The answer with 2 pieces meets the target at the same cost if it is divided into 4 and 8 pieces, and the search
 * continues from it. */
static void a_coarse_answer_is_where_a_finer_search_starts(void **state) {
  (void)state;
  char *settings[][1] = {{"control.signal.segments=2"}, {"control.signal.segments=4"}, {"control.signal.segments=8"}};
  double u[N], finer[2 * N], last = INFINITY;
  for (int k = 0; k < 3; k++) {
    Arm arm;
    open_arm(&arm, settings[k], 1);
    CtlProblem *control = &arm.problem.control;
    const double *start = k ? finer : control->start;
    if (k) assert_true(fabs(ctl_cost(control, finer) / last - 1) <= 1e-13);
    if (k)
      assert_true(search(&arm, start, u) <= 1e-9); /* the start already meets the target */
    else
      assert_true(search(&arm, start, u) <= 1e-6);
    assert_true(ctl_cost(control, u) <= last * (1 + 1e-6)); /* the penalty function, which includes misses, decreases */
    last = ctl_cost(control, u);
    sim_signal_refine(SIM_PIECEWISE_CONSTANT, P, control->segments, 2, u, finer);
    close_arm(&arm);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_constant_meets_the_target),
      cmocka_unit_test(a_signal_of_eight_pieces_does),
      cmocka_unit_test(a_coarse_answer_is_where_a_finer_search_starts),
  };
  if (stiction_petsc_start(NULL) != SIM_OK) return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  stiction_petsc_stop();
  return failed;
}
