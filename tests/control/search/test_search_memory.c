/* SPDX-License-Identifier: BSD-2-Clause */
/* Lets an allocation fail at any point of a search, of its saving and loading, of a refinement, and of an optimality
 * check. The failure is reported, or the answer is the same, and everything is freed. All methods are tested except
 * those of PETSc. */
#include "control/refine.h"
#include "sim/group.h"
#include "src/run/evaluated_model.h"
#include "tests/fixture.h"
#include "tests/no_memory.h"

enum { SAVED_MOST = 1 << 20, VARIABLES = 64 };

typedef struct Case {
  Problem problem;
  EvaluatedModel evaluated;
  RolloutContext rollout;
} Case;

/* The answer of a trial. reported: a failure of an allocation or a library was reported. */
typedef struct Answer {
  bool reported;
  double J, E1, E2, control[VARIABLES];
  SimStatus refined, judged;
  int rank, least; /* results of the optimality check */
} Answer;

typedef void Solve(const Case *c, const CtlEvaluator *evaluator, Answer *answer);

/* A case, and its answer if memory suffices. */
typedef struct Trial {
  Case of;
  Answer plain;
  Solve *solve;
} Trial;

static void keep(const CtlSearch *search, int n, Answer *answer) {
  CtlState state;
  stiction_asktell_state(search, &state);
  answer->reported |= state.no_memory || state.method_errors;
  answer->J = state.J;
  answer->E1 = state.E1;
  answer->E2 = state.E2;
  memcpy(answer->control, state.control, (size_t)n * sizeof(double));
}

static int after_a_round(void *context, const CtlState *state, double seconds) {
  (void)context, (void)seconds;
  return state->rounds == 2;
}

static int never(void *context, const CtlState *state, double seconds) {
  (void)context, (void)state, (void)seconds;
  return 0;
}

static CtlSearch *saved_and_loaded(const CtlProblem *problem, CtlSearch *search, Answer *answer) {
  static char bytes[SAVED_MOST];
  CtlSearch *loaded;
  size_t size = stiction_asktell_saved_size(search);
  assert_in_range(size, 1, sizeof bytes);
  stiction_asktell_save(search, bytes);
  stiction_asktell_destroy(search);
  CtlStatus status = stiction_asktell_load(problem, bytes, size, NULL, &loaded);
  assert_true(status == CTL_OK || status == CTL_NO_MEMORY);
  answer->reported |= status == CTL_NO_MEMORY;
  return loaded;
}

static void search_for(const Case *c, const CtlEvaluator *evaluator, Answer *answer) {
  static const CtlListener one = {.simplex = after_a_round}, all = {.simplex = never};
  const CtlProblem *problem = &c->problem.control;
  CtlTimes times;
  CtlSearch *search;
  answer->reported = stiction_asktell_create(problem, &search) == CTL_NO_MEMORY;
  if (!search) return;
  answer->reported |= ctl_drive_serial(search, evaluator, &one, &times) == CTL_DRIVE_NO_MEMORY;
  if (!answer->reported) search = saved_and_loaded(problem, search, answer);
  if (search && !answer->reported) {
    answer->reported = ctl_drive_serial(search, evaluator, &all, &times) == CTL_DRIVE_NO_MEMORY;
    keep(search, problem->n, answer);
  }
  stiction_asktell_destroy(search);
}

static void refine(const Case *c, const CtlEvaluator *evaluator, Answer *answer) {
  const CtlProblem *problem = &c->problem.control;
  double start[VARIABLES] = {20, -10, 5};
  CtlRefined refined;
  CtlOptimality optimality;
  answer->refined = ctl_refine(problem, evaluator, start, NULL, NULL, &refined);
  answer->reported = answer->refined == SIM_NO_MEMORY;
  if (answer->refined != SIM_OK) return;
  answer->J = refined.J;
  memcpy(answer->control, refined.control, (size_t)problem->n * sizeof(double));
  answer->judged = ctl_optimality_find(problem, evaluator, refined.control, &optimality);
  answer->reported = answer->judged == SIM_NO_MEMORY;
  answer->E1 = optimality.kkt;
  answer->E2 = optimality.reduced_hessian_min;
  answer->rank = optimality.rank;
  answer->least = (int)optimality.local_minimum;
  ctl_optimality_clear(&optimality);
  ctl_refined_clear(&refined);
}

static void solve(const Trial *trial, Answer *answer) {
  const Case *c = &trial->of;
  CtlSimulation simulation;
  *answer = (Answer){0};
  SimStatus status = evaluated_model_simulation(&c->evaluated, &c->rollout, &simulation);
  if (status == SIM_OK) {
    CtlEvaluator evaluator = ctl_simulator(&simulation);
    trial->solve(c, &evaluator, answer);
  }
  answer->reported |= status == SIM_NO_MEMORY;
  ctl_simulation_clear(&simulation);
}

static void attempt(void *context, long k) {
  const Trial *trial = context;
  const Answer *plain = &trial->plain;
  Answer answer;
  solve(trial, &answer);
  if (answer.reported && !no_memory_failed()) fail_msg("allocation %ld: none has failed", k);
  if (!answer.reported && memcmp(&answer, plain, sizeof answer) != 0)
    fail_msg("allocation %ld: another answer, J %.17g instead of %.17g, and no failure reported", k, answer.J,
             plain->J);
}

static void try_case(const char *method, int n, char **settings, Solve *how) {
  Diagnostics diagnostics = {.report = diagnostic_print, .to = stderr};
  Trial trial = {.solve = how};
  Case *c = &trial.of;
  assert_int_equal(
      problem_file_read(STICTION_ROOT "/jobs/problems/tp1.yaml", settings, n, true, &diagnostics, &c->problem), 0);
  assert_in_range(c->problem.control.n, 1, VARIABLES);
  assert_int_equal(evaluated_model_prepare(&c->problem, true, &c->evaluated), 0);
  assert_int_equal(rollout_context_prepare(&c->rollout, c->evaluated.problem, NULL), 0);
  solve(&trial, &trial.plain);
  assert_false(trial.plain.reported);
  assert_true(trial.plain.J > 0);
  long count = no_memory_each(attempt, &trial);
  if (count < 10) fail_msg("%s: only %ld allocations", method, count);
  rollout_context_release(&c->rollout);
  evaluated_model_clear(&c->evaluated);
  problem_clear(&c->problem);
}

static void searches(void **state) {
  (void)state;
  for (int k = 0; stiction_method_name(k); k++) {
    if (ctl_method_of_scenarios(k) || ctl_method_wants_petsc(k))
      continue; /* PETSc 3.18 crashes when it ends POUNDERS after its own memory has run out */
    char method[64], time[] = "time={end: 5, steps: 20}", size[] = "search.scheme_size=9",
                     starts[] = "search.local_starts=2", budget[] = "search.max_evaluations=40";
    char *settings[] = {method, time, size, starts, budget};
    snprintf(method, sizeof method, "search.method=\"%s\"", stiction_method_name(k));
    try_case(method, 5, settings, search_for);
  }
}

static void refinements(void **state) {
  (void)state;
  char time[] = "time={end: 5, steps: 40}", segments[] = "control.signal={kind: piecewise_constant, segments: 4}";
  char *settings[] = {time, segments};
  try_case("refined", 2, settings, refine);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(searches), cmocka_unit_test(refinements)};
  if (stiction_petsc_start(NULL) != SIM_OK) return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  stiction_petsc_stop();
  return failed;
}
