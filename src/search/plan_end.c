/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/search/plan_end.h"

#include "control/base/clock.h"
#include "control/solve/easier.h"
#include "src/file/sections/understood.h"
#include "src/process/stop_signal.h"
#include "src/search/plan_results.h"
#include "src/search/plan_tasks.h"
#include "src/search/search_checkpoint.h"

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

int plan_run_prepare(SearchRun *run) {
  if (!run->summary_wanted) understood_warn_of_work(&run->problem, run->diagnostics);
  if (!run->summary_wanted) understood_warn_of_target(&run->problem, run->diagnostics);
  if (run->problem.scenarios) {
    int code = scenario_set_open(&run->scenarios, &run->problem, NULL, false, run->diagnostics);
    if (code) return code;
  }
  SimStatus status = plan_tasks_open(&run->problem, &run->plan);
  if (status == SIM_OK) status = motion_plan_search(&run->problem, run->plan, &run->sought);
  if (status == SIM_OK) status = find_easier_starts(run);
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
