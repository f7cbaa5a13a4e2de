/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/study/study.h"

#include "control/base/clock.h"
#include "sim/group.h"
#include "src/file/sections/motion_plan.h"
#include "src/process/process.h"
#include "src/process/stop_signal.h"
#include "src/run/given_control.h"
#include "src/run/rollout_context.h"
#include "src/study/scenario_outcome.h"

#include <stdlib.h>

typedef struct ScenarioRun {
  const Options *options;
  Diagnostics *diagnostics; /* receives errors; on all ranks but the first they are dropped */
  Problem problem;
  double *control; /* [variables] owned */
  ScenarioSet set;
  ScenarioOutcome outcome;
  Results results;
  double begun;
} ScenarioRun;

static int read_file(ScenarioRun *run) {
  const Options *options = run->options;
  const ModelRanks alone = {.copies = 1, .limits = options->limits, .progress_line = options->progress_line};
  int code = problem_read(options, false, &alone, run->diagnostics, &run->problem);
  if (code) return code;
  if (options->verify)
    return diagnostics_error(run->diagnostics, EXIT_USAGE, "--verify is of one motion (expected without --scenarios)");
  if (!run->problem.scenarios)
    return diagnostics_error(run->diagnostics, EXIT_USAGE,
                             "%s: --scenarios of a file without a section scenarios (expected {vary: {PATH: {relative: "
                             "NUMBER}}})",
                             options->argument);
  given_control_segments(options, &run->problem);
  run->control = calloc((size_t)stiction_problem_variables(&run->problem.sim) + 1, sizeof *run->control);
  return run->control ? 0 : diagnostics_no_memory(run->diagnostics);
}

/* Makes all preparations that can fail before the first motion. The first rank creates the results directory. */
static int prepare(ScenarioRun *run) {
  const Options *options = run->options;
  const SimGroup *all = process_group();
  int code = given_control(options, &run->problem, all, run->control, run->diagnostics);
  if (!code) code = scenario_set_open(&run->set, &run->problem, all, false, run->diagnostics);
  if (!code && process_rank() == 0) {
    code = results_create(&run->results, options->output, options->argument, options->force);
    if (!code) code = trajectory_check_room(&run->results, &run->problem);
  }
  return sim_group_agree(all, code);
}

static const double *applied(const ScenarioRun *run) { return run->options->control ? run->control : NULL; }

/* Writes the motion for the numbers in the file, and the summary. Prints the distances from the target, and reports a
 * motion that failed. */
static int write_motion(ScenarioRun *run) {
  const Problem *problem = &run->problem;
  Summary summary = {.problem = problem,
                     .ranks = process_ranks(),
                     .control = applied(run),
                     .scenarios = scenario_outcome_json(&run->outcome)};
  bool controlled = summary.control && problem->has_control;
  char why[MOTION_FAILURE_SIZE];
  if (controlled) summary.J = ctl_cost(&problem->control, run->control);
  int code = rollout_context_write(&run->results, &summary, run->begun, why);
  if (!code && !run->options->quiet && controlled) misses_print(problem, "J(u)", summary.J, summary.misses);
  if (!code && *why)
    code = diagnostics_error(run->diagnostics, EXIT_UNSOLVED, "%s; the results in %s end there", why,
                             run->results.directory);
  json_decref(summary.scenarios);
  return code;
}

static int write_results(ScenarioRun *run) {
  int code = scenario_outcome_write(&run->outcome, &run->results);
  if (!code) code = write_motion(run);
  if (code) return code;
  if (!run->options->quiet) {
    scenario_outcome_print(&run->outcome);
    printf("%.2f s on %d rank%s\nresults in %s\n", ctl_seconds() - run->begun, process_ranks(),
           process_ranks() == 1 ? "" : "s", run->results.directory);
  }
  if (!run->outcome.failed) return 0;
  return diagnostics_error(run->diagnostics, EXIT_UNSOLVED, "%ld of %ld scenarios have no motion to the end",
                           run->outcome.failed, run->problem.scenarios->count);
}

/* Simulates the scenarios on all ranks. */
static int run_all(ScenarioRun *run, Progress *progress) {
  bool first = process_rank() == 0;
  int code = prepare(run);
  stop_signal_spare();
  if (!code) code = scenario_outcome_find(&run->set, applied(run), NULL, progress, run->diagnostics, &run->outcome);
  if (code == EXIT_STOPPED && first)
    diagnostics_error(run->diagnostics, code, "stopped on a signal: scenarios are not gone on with, they begin anew");
  return !code && first ? write_results(run) : code;
}

int scenario_run(const Options *options, Diagnostics *diagnostics) {
  Diagnostics unheard = {0};
  bool first = process_rank() == 0;
  ScenarioRun run = {.options = options, .diagnostics = first ? diagnostics : &unheard, .begun = ctl_seconds()};
  Progress progress = {.stream = first ? options->progress_line : NULL};
  run.results.diagnostics = run.diagnostics;
  int code = sim_group_agree(process_group(), read_file(&run));
  if (!code && !run.problem.plan) code = run_all(&run, &progress);
  if (!code && run.problem.plan) stop_signal_spare();
  if (!code && run.problem.plan && first) code = plan_scenario_run(options, &run.problem, run.begun, run.diagnostics);
  sim_group_share(process_group(), &code, sizeof code);
  scenario_outcome_clear(&run.outcome);
  scenario_set_close(&run.set);
  free(run.control);
  if (run.problem.kind) problem_clear(&run.problem);
  diagnostics_clear(&unheard);
  return code;
}
