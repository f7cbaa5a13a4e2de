/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulates the answer of a motion plan in all scenarios of its file: stiction simulate --scenarios --control DIR. */
#include "control/base/clock.h"
#include "src/process/process.h"
#include "src/run/given_control.h"
#include "src/run/motion_effort.h"
#include "src/run/plan_replay.h"
#include "src/run/rollout_context.h"
#include "src/study/plan_scenarios.h"
#include "src/study/study.h"

#include <stdlib.h>

typedef struct PlanScenarioRun {
  const Options *options;
  Diagnostics *diagnostics;
  Problem *problem; /* borrowed */
  ScenarioSet set;
  CtlPlan *plan;            /* the plan with the numbers of the file */
  double *point;            /* [n] the answer */
  CtlQuantityValue *values; /* [quantities] values of the quantities with the numbers of the file */
  PlanScenarios scenarios;
  Results results;
} PlanScenarioRun;

/* Reads the answer, and makes its motion that of the problem. */
static int read_answer(PlanScenarioRun *run) {
  Problem *problem = run->problem;
  int code = plan_replay(run->options, problem, run->diagnostics);
  if (code) return code;
  motion_plan_start(problem, run->point);
  return given_control(run->options, problem, NULL, run->point, run->diagnostics);
}

static int prepare(PlanScenarioRun *run) {
  const Options *options = run->options;
  const Problem *problem = run->problem;
  if (!options->control || !given_control_is_directory(options->control))
    return diagnostics_error(run->diagnostics, EXIT_USAGE,
                             "--scenarios of %s simulates its answer (expected --control DIR, results of stiction "
                             "control)",
                             problem->plan->sentence);
  int code = scenario_set_open(&run->set, problem, NULL, false, run->diagnostics);
  if (code) return code;
  run->point = calloc((size_t)(problem->control.n + problem->plan->variables), sizeof *run->point);
  run->values = calloc((size_t)problem->plan->quantities, sizeof *run->values);
  if (!run->point || !run->values || motion_plan_create(problem, NULL, &run->plan) != SIM_OK)
    return diagnostics_no_memory(run->diagnostics);
  code = read_answer(run);
  if (!code) code = results_create(&run->results, options->output, options->argument, options->force);
  return code ? code : trajectory_check_room(&run->results, problem);
}

static int write_results(PlanScenarioRun *run, double begun) {
  const Problem *problem = run->problem;
  Summary summary = {.problem = problem,
                     .ranks = process_ranks(),
                     .control = run->point,
                     .J = motion_effort(problem, &problem->sim, run->point),
                     .scenarios = plan_scenarios_json(&run->scenarios)};
  char why[MOTION_FAILURE_SIZE];
  int code = plan_scenarios_write(&run->scenarios, &run->results);
  if (!code) code = rollout_context_write(&run->results, &summary, begun, why);
  json_decref(summary.scenarios);
  if (code) return code;
  if (!run->options->quiet) {
    plan_scenarios_print(&run->scenarios);
    printf("%.2f s on %d rank%s\nresults in %s\n", ctl_seconds() - begun, process_ranks(),
           process_ranks() == 1 ? "" : "s", run->results.directory);
  }
  plan_scenarios_warn(&run->scenarios, run->diagnostics);
  return *why ? diagnostics_error(run->diagnostics, EXIT_UNSOLVED, "%s; the results in %s end there", why,
                                  run->results.directory)
              : 0;
}

int plan_scenario_run(const Options *options, Problem *problem, double begun, Diagnostics *diagnostics) {
  PlanScenarioRun run = {
      .options = options, .diagnostics = diagnostics, .problem = problem, .results.diagnostics = diagnostics};
  Progress progress = {.stream = options->progress_line};
  int code = prepare(&run);
  if (!code && ctl_plan_read(run.plan, run.point, run.values) != SIM_OK)
    code = diagnostics_error(diagnostics, EXIT_UNSOLVED, "the answer has no motion to the end");
  if (!code) code = plan_scenarios_find(&run.set, run.point, run.values, &progress, diagnostics, &run.scenarios);
  if (code == EXIT_STOPPED)
    diagnostics_error(diagnostics, code, "stopped on a signal: scenarios are not gone on with, they begin anew");
  if (!code) code = write_results(&run, begun);
  plan_scenarios_clear(&run.scenarios);
  ctl_plan_destroy(run.plan);
  scenario_set_close(&run.set);
  free(run.values);
  free(run.point);
  return code;
}
