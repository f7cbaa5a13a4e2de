/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that the answer of a hybrid search (PDS, then a local method) is never worse than that of PDS alone, judged by
 * the penalty with which PDS ends and by the target. */
#include "tests/fixture.h"

#include "control/evaluator.h"
#include "control/outcome/penalty.h"
#include "control/search/hybrid.h"
#include "control/search/internal.h"
#include "sim/group.h"
#include "src/file/sections/file.h"
#include "src/run/evaluated_model.h"

enum { N_MAX = 16, D_MAX = 4, SETTINGS = 8 };

typedef struct Answer {
  CtlState state;
  double u[N_MAX], x[D_MAX], v[D_MAX];
} Answer;

static int go_on(void *context, const CtlState *state, double seconds) {
  (void)context, (void)state, (void)seconds;
  return 0;
}

static void search(const char *method, CtlSimulation *simulation, CtlProblem *control, Answer *answer) {
  const CtlListener listener = {.simplex = go_on};
  const CtlEvaluator evaluator = ctl_simulator(simulation);
  CtlSearch *s;
  CtlTimes times;
  control->method = ctl_method_find(method);
  assert_int_equal(stiction_asktell_create(control, &s), CTL_OK);
  assert_int_equal(ctl_drive_serial(s, &evaluator, &listener, &times), 0);
  stiction_asktell_state(s, &answer->state);
  memcpy(answer->u, answer->state.control, (size_t)control->n * sizeof(double));
  memcpy(answer->x, answer->state.x, (size_t)control->d * sizeof(double));
  memcpy(answer->v, answer->state.v, (size_t)control->d * sizeof(double));
  stiction_asktell_destroy(s);
}

static bool meets(const CtlProblem *control, const Answer *answer) {
  return answer->state.E1 <= control->accept && answer->state.E2 <= control->accept;
}

/* Compares the answer of hybrid with that of PDS alone. Returns 0 if it is the same, and 1 if it is better. */
static int compare(CtlSimulation *simulation, CtlProblem *control) {
  static Answer alone, hybrid;
  CtlPenalty penalty;
  search("pds", simulation, control, &alone);
  search("hybrid", simulation, control, &hybrid);
  ctl_penalty_start(&penalty, control);
  memcpy(penalty.rho, alone.state.rho, sizeof penalty.rho);
  ctl_penalty_centre(&penalty, control, alone.state.J, alone.x, alone.v);
  double merit = ctl_penalty_merit(&penalty, control, hybrid.state.J, hybrid.x, hybrid.v);
  assert_true(ctl_penalty_merit(&penalty, control, alone.state.J, alone.x, alone.v) == alone.state.best);
  assert_memory_equal(hybrid.state.rho, alone.state.rho, sizeof alone.state.rho);
  assert_true(merit <= alone.state.best);
  assert_true(meets(control, &hybrid) || !meets(control, &alone));
  assert_int_equal(hybrid.state.restarts, alone.state.restarts);
  assert_true(hybrid.state.ivps > alone.state.ivps);
  if (merit < alone.state.best) return 1;
  assert_memory_equal(hybrid.u, alone.u, (size_t)control->n * sizeof(double));
  return 0;
}

typedef struct Trials {
  const char *problem;
  char *settings[SETTINGS];
  int starts;
} Trials;

/* Compares from random starts with random settings. With derivatives the local method is SQP; otherwise POUNDERS and
 * COBYLA alternate. Returns how often the answer is better. */
static int compare_all(const Trials *trials, bool derivatives) {
  char file[256];
  char *settings[SETTINGS];
  Problem problem;
  RolloutContext rollout;
  EvaluatedModel evaluated;
  CtlSimulation simulation;
  uint64_t seed = 5;
  int better = 0, n = 0;
  memcpy(settings, trials->settings, sizeof settings);
  while (n < SETTINGS && settings[n]) n++;
  snprintf(file, sizeof file, STICTION_ROOT "/jobs/problems/%s.yaml", trials->problem);
  assert_int_equal(
      problem_file_read(file, settings, n, true, &(Diagnostics){.report = diagnostic_print, .to = stderr}, &problem),
      0);
  assert_int_equal(
      rollout_context_prepare(&rollout, &problem.sim, &(Diagnostics){.report = diagnostic_print, .to = stderr}), 0);
  problem.control.derivatives = derivatives;
  assert_int_equal(evaluated_model_prepare(&problem, derivatives, &evaluated), 0);
  assert_int_equal(evaluated_model_simulation(&evaluated, &rollout, &simulation), SIM_OK);
  better += compare(&simulation, &problem.control);
  for (int k = 0; k < trials->starts; k++) {
    for (int i = 0; i < problem.control.n; i++) problem.control.start[i] = 15 * fixture_random(&seed);
    better += compare(&simulation, &problem.control);
  }
  ctl_simulation_clear(&simulation);
  evaluated_model_clear(&evaluated);
  rollout_context_release(&rollout);
  problem_clear(&problem);
  return better;
}

static void never_worse_where_pds_meets_the_target(void **state) {
  (void)state;
  static const Trials trials[] = {
      {"tp1", {"search.scheme_size=64", "search.penalty=P"}, 1},
      {"tp1", {"search.scheme_size=64", "search.penalty=P", "search.norm=1"}, 0},
      {"tp1", {"search.scheme_size=64", "search.penalty=P", "search.norm=inf"}, 0},
      {"tp1", {"search.scheme_size=64", "search.penalty=Pi"}, 1},
      {"tp2", {"search.scheme_size=64", "search.penalty=Pi", "search.rho_update=dynamic", "search.rho=1e4"}, 1},
  };
  for (size_t k = 0; k < sizeof trials / sizeof *trials; k++)
    for (int with = 0; with < 2; with++) compare_all(&trials[k], with);
}

/* If a simplex has few points and there are plateaus and several minima, the first part of hybrid and PDS alone may end
 * at different points, and either may be better. Even so the answer of hybrid is never worse. */
static void never_worse_where_they_end_apart(void **state) {
  (void)state;
  static char two[] = "control.signal.segments=2", p[] = "search.penalty=P";
  static const Trials trials[] = {
      {"tp1", {"search.scheme_size=6", "search.penalty=P", "search.norm=inf"}, 3},
      {"signal-2x8", {two, p}, 2},
      {"signal-2x8", {two, "search.penalty=Pi"}, 2},
      {"signal-2x8", {two, p, "control.start=[-1.905, 2.391]"}, 0},
      {"signal-2x8", {two, p, "control.start=[-12.614, 0.476]"}, 0},
      {"signal-2x8", {p, "search.max_evaluations=20000", "control.start=[-0.818, 6.565]"}, 0},
  };
  for (int with = 0; with < 2; with++) {
    int better = 0, runs = 0;
    for (size_t k = 0; k < sizeof trials / sizeof *trials; k++) {
      better += compare_all(&trials[k], with);
      runs += 1 + trials[k].starts;
    }
    assert_true(better > 0 && (with || better < runs));
  }
}

/* Returns E1 of the answer that is accepted, given J and miss of PDS's best point and of the answer of the first
 * part. */
static double counts(double stop_at, double best_J, double best_miss, double answer_J, double answer_miss) {
  CtlProblem problem;
  CtlSearch *search;
  CtlState state;
  assert_int_equal(ctl_problem_init(&problem, 1, 1), SIM_OK);
  problem.position[0] = 0;
  problem.rho = 1; /* the penalty is not exact, so a point that misses the target may have the smaller penalty
                    * function */
  problem.end = 1;
  problem.method = ctl_method_find("hybrid");
  problem.stop_at = stop_at;
  assert_int_equal(stiction_asktell_create(&problem, &search), CTL_OK);
  CtlObjective *objective = &search->objective;
  objective->keeps = true;
  objective->best.J = best_J;
  objective->best.x[0] = best_miss;
  objective->kept.J = answer_J;
  objective->kept.x[0] = answer_miss;
  objective->best.v[0] = objective->kept.v[0] = 0;
  ctl_objective_centre(objective);
  stiction_asktell_state(search, &state);
  stiction_asktell_destroy(search);
  ctl_problem_clear(&problem);
  return state.E1;
}

static void a_better_penalty_does_not_cost_the_target(void **state) {
  (void)state;
  assert_true(counts(0, 1, 0, 0.5, 0.1) == 0);     /* only PDS meets the target */
  assert_true(counts(0, 1, 0.2, 0.5, 0.1) == 0.1); /* neither meets the target */
  assert_true(counts(0, 1, 0.2, 0.5, 0) == 0);
  assert_true(counts(0, 0.1, 0.2, 0.5, 0) == 0.2); /* by the penalty function, PDS's answer is never replaced */
  assert_true(counts(0, 1, 1e-8, 0.5, 1e-7) == 1e-7);
  assert_true(counts(5e-8, 1, 1e-8, 0.5, 1e-7) == 1e-8); /* only PDS meets the target to the requested tolerance */
  assert_true(counts(5e-8, 1, 1e-7, 0.5, 2e-7) == 2e-7); /* neither meets the target to the requested tolerance */
  assert_true(counts(5e-8, 1, 1e-7, 0.5, 1e-2) == 1e-7);
}

/* Drives the first part of hybrid to its end for x = A(u - c), where x_1 can be made unreachable. Returns how often
 * hybrid hands over to a local method. *at_once: most points that local methods request at a time. */
static int hand_overs(bool reachable, bool derivatives, int starts, int *at_once) {
  CtlProblem problem;
  CtlWant want;
  CtlSearch *search;
  double u[64 * 2], x[2], v[2] = {0, 0};
  long tickets[64];
  assert_int_equal(ctl_problem_init(&problem, 2, 2), SIM_OK);
  problem.end = 1;
  problem.method = ctl_method_find("hybrid");
  problem.local_starts = starts;
  problem.derivatives = derivatives;
  problem.position[0] = problem.position[1] = 0;
  assert_int_equal(stiction_asktell_create(&problem, &search), CTL_OK);
  const CtlHybridRun *hybrid = (const CtlHybridRun *)search->run;
  *at_once = 0;
  for (int count; !hybrid->verifying && (count = stiction_asktell_ask(search, 64, tickets, u, &want)) > 0;) {
    assert_true(want.derivatives == (derivatives && hybrid->local));
    if (hybrid->local && count > *at_once) *at_once = count;
    assert_true(hybrid->local || count <= 6); /* a round of PDS has 3n points, a first simplex n + 1 */
    for (int k = 0; k < count; k++) {
      x[0] = 2 * (u[2 * k] - 1.2) + 0.3 * u[2 * k + 1];
      x[1] = u[2 * k + 1] - 0.7;
      double sign = reachable || x[0] > 0 ? 1 : -1, rows[2][4] = {{2 * sign, 0.3 * sign}, {0, 1}};
      if (!reachable) x[0] = 1 + fabs(x[0]);
      stiction_asktell_tell(search, tickets[k],
                            &(CtlOutcome){.x = x, .v = v, .rows = want.derivatives ? rows[0] : NULL}, 0);
    }
    while (stiction_asktell_advance(search)) {
    }
  }
  int handovers = hybrid->handovers;
  assert_true(hybrid->verifying);
  stiction_asktell_destroy(search);
  ctl_problem_clear(&problem);
  return handovers;
}

static void first_part_obeys_its_settings(void **state) {
  (void)state;
  for (int starts = 1, at_once; starts <= 5; starts++) /* this number of starts is searched side by side */
    for (int with = 0; with < 2; with++) {
      assert_int_equal(hand_overs(true, with, starts, &at_once), 1);
      assert_int_equal(at_once, starts);
      assert_int_equal(hand_overs(false, with, starts, &at_once), 4);
      assert_int_equal(at_once, starts);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_better_penalty_does_not_cost_the_target),
      cmocka_unit_test(first_part_obeys_its_settings),
      cmocka_unit_test(never_worse_where_pds_meets_the_target),
      cmocka_unit_test(never_worse_where_they_end_apart),
  };
  if (stiction_petsc_start(NULL) != SIM_OK) return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  stiction_petsc_stop();
  return failed;
}
