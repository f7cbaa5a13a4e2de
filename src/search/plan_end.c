/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/search/plan_end.h"

#include "control/base/clock.h"
#include "control/solve/easier.h"
#include "src/file/sections/understood.h"
#include "src/process/stop_signal.h"
#include "src/search/plan_results.h"
#include "src/search/plan_tasks.h"
#include "src/search/search_checkpoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_stopped(void *context) {
  SearchRun *run = context;
  progress_draw(&run->progress, "easier problems, which give starts  %.0f s", ctl_seconds() - run->start);
  search_run_announce(run);
  return stop_signal_seen();
}

/* Adds the solutions of easier problems to the starts of the search. They depend only on the problem and not on the
 * clock, so a resumed run has the same starts. */
static SimStatus find_easier_starts(SearchRun *run) {
  const CtlStop stop = {.stopped = is_stopped, .context = run};
  SimStatus status = ctl_plan_easier_starts(&run->sought, &stop, &run->easier);
  progress_clear(&run->progress);
  return status;
}

/* Returns the status of a drive. */
static SimStatus driven(int drive) {
  return drive == CTL_DRIVE_STOPPED || drive == CTL_DRIVE_ABANDONED ? SIM_CANCELLED : drive ? SIM_NO_MEMORY : SIM_OK;
}

/* Adds the answer for the numbers of the file as the first start of a search over scenarios, besides control.start. It
 * spends at most a quarter of search.max_evaluations or of search.max_seconds. */
static SimStatus find_nominal_start(SearchRun *run) {
  static const double BUDGET = 0.25; /* part of the search that the numbers of the file may take */
  CtlProblem *sought = &run->sought, nominal = *sought;
  size_t n = (size_t)sought->n;
  const CtlEvaluator evaluator = ctl_plan_evaluator(run->plan);
  const CtlListener listener = {.stopped = is_stopped, .context = run};
  CtlSearch *search;
  CtlState state;
  if (sought->local_starts == 1) return SIM_OK;
  if (sought->max_evaluations) nominal.max_evaluations = (long)ceil(BUDGET * (double)sought->max_evaluations);
  nominal.max_seconds = BUDGET * sought->max_seconds;
  double *starts = malloc((size_t)(sought->start_count + 1) * n * sizeof *starts);
  SimStatus status = starts ? (SimStatus)stiction_asktell_create(&nominal, &search) : SIM_NO_MEMORY;
  if (status != SIM_OK) {
    free(starts);
    return status;
  }
  status = driven(ctl_drive_serial(search, &evaluator, &listener, NULL));
  progress_clear(&run->progress);
  stiction_asktell_state(search, &state);
  if (status == SIM_OK && isfinite(state.best)) {
    memcpy(starts, state.control, n * sizeof *starts);
    memcpy(starts + n, sought->starts, (size_t)sought->start_count * n * sizeof *starts);
    double *before = sought->starts;
    sought->starts = starts;
    sought->start_count++;
    starts = before;
  }
  free(starts);
  run->easier += state.evaluations;
  if (sought->max_seconds > 0) sought->max_seconds *= 1 - BUDGET;
  if (sought->max_evaluations) sought->max_evaluations -= state.evaluations;
  if (nominal.max_evaluations && sought->max_evaluations < 1) sought->max_evaluations = 1;
  stiction_asktell_destroy(search);
  return status;
}

/* Replaces the search problem of the numbers of the file by that of all scenarios. */
static SimStatus take_scenarios(SearchRun *run) {
  SimStatus status = find_nominal_start(run);
  CtlProblem nominal = run->sought, robust = {0};
  if (status == SIM_OK) status = ctl_robust_problem(run->robust.robust, &nominal, &robust);
  if (status != SIM_OK) return status;
  ctl_problem_clear(&nominal);
  run->sought = robust;
  return SIM_OK;
}

int plan_run_prepare(SearchRun *run) {
  if (!run->summary_wanted) understood_warn_of_work(&run->problem, run->diagnostics);
  if (!run->summary_wanted) understood_warn_of_target(&run->problem, run->diagnostics);
  if (run->problem.scenarios) {
    int code = scenario_set_open(&run->scenarios, &run->problem, NULL, false, run->diagnostics);
    if (!code) code = plan_tasks_open_robust(&run->scenarios, run->diagnostics, &run->robust);
    if (code) return code;
  }
  SimStatus status = plan_tasks_open(&run->problem, &run->plan);
  if (status == SIM_OK) status = motion_plan_search(&run->problem, run->plan, &run->sought);
  if (status == SIM_OK) status = find_easier_starts(run);
  if (status == SIM_OK && run->robust.robust) status = take_scenarios(run);
  if (status == SIM_CANCELLED)
    return diagnostics_error(run->diagnostics, EXIT_STOPPED, "stopped on a signal before the search began");
  if (status != SIM_OK)
    return diagnostics_error(run->diagnostics, EXIT_INTERNAL, "the plan: %s", stiction_status_text(status));
  return search_checkpoint_open(run, &run->sought);
}

/* Writes a checkpoint after a signal has stopped the search. */
static int leave_off(SearchRun *run) {
  if (run->options->unwritten) return EXIT_STOPPED;
  int code = search_checkpoint_save(run, ctl_seconds());
  if (search_log_close(&run->log)) code = EXIT_INTERNAL;
  if (code) return code;
  return diagnostics_error(run->diagnostics, EXIT_STOPPED, "stopped on a signal; `stiction resume %s` goes on",
                           run->results.directory);
}

static int answer(SearchRun *run) {
  PlanAnswer answer;
  int code = plan_answer_find(run, &answer);
  if (!code) code = plan_answer_write(run, &answer);
  if (!code) {
    if (!run->options->quiet) plan_answer_print(run, &answer);
    code = plan_answer_verdict(run, &answer);
    bool ends = code != EXIT_INTERNAL && !run->options->unwritten;
    if (ends && run_record_end(&run->record, code)) code = EXIT_INTERNAL;
  }
  plan_answer_clear(&answer);
  return code == EXIT_STOPPED ? leave_off(run) : code;
}

int plan_run_finish(SearchRun *run, int drive) {
  progress_clear(&run->progress);
  if (drive == CTL_DRIVE_STOPPED || drive == CTL_DRIVE_ABANDONED) return leave_off(run);
  if (!drive) {
    int code = answer(run);
    return search_log_close(&run->log) ? EXIT_INTERNAL : code;
  }
  if (search_log_close(&run->log)) return EXIT_INTERNAL;
  return diagnostics_error(run->diagnostics, EXIT_INTERNAL, "stopped: %s",
                           drive == CTL_POOL_REFUSED ? "a worker could not build the plan (out of memory?)"
                           : drive < 0               ? "out of memory"
                                                     : "search.csv or the checkpoint cannot be written");
}
