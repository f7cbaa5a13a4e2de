/* SPDX-License-Identifier: BSD-2-Clause */
#define _XOPEN_SOURCE 700 /* declares realpath */
#include "src/search/search_ranks.h"

#include "control/base/clock.h"
#include "sim/group.h"
#include "src/file/sections/understood.h"
#include "src/process/process.h"
#include "src/process/stop_signal.h"
#include "src/run/spawned_workers.h"
#include "src/search/external_evaluator.h"
#include "src/search/messages.h"
#include "src/search/search_checkpoint.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* State of the search on rank 0. */
typedef struct ExternalRun {
  SearchRun search; /* the search; its problem has a section evaluator */
  ExternalEvaluator evaluator;
  double asked; /* time (ctl_seconds) of the first signal; 0: none */
} ExternalRun;

/* Returns whether to end the running program. After a signal a checkpoint is written at once, but the program may
 * continue for the time checkpoint.grace. */
static bool is_cancelled(void *context) {
  ExternalRun *run = context;
  if (!search_run_stopped(&run->search)) return false;
  if (run->asked == 0) run->asked = ctl_seconds();
  return ctl_seconds() - run->asked >= run->search.problem.checkpoint_grace;
}

/* Makes all preparations that can fail before the first evaluation, except creating the results directory. */
static int prepare(SearchRun *run) {
  const Options *options = run->options;
  if (run->resumed) run->results = run->record.results;
  int code = problem_evaluator_read(options->argument, options->settings, options->n_settings, &options->limits,
                                    run->diagnostics, &run->problem);
  if (!code && run->resumed) code = run_record_check(&run->record, &run->problem);
  if (!code) understood_warn(&run->problem, run->diagnostics);
  return code ? code : search_checkpoint_open(run, &run->problem.control);
}

/* Sets the path of the folder that will contain the folders of the points. Removes what an earlier search has left in
 * it, which also happens if that search was killed before its first checkpoint. */
static int name_points(ExternalRun *run) {
  CtlState state;
  char whole[PATH_MAX], *points = run->evaluator.program.points;
  const Results *results = &run->search.results;
  if (realpath(results->directory, whole) && snprintf(points, FILE_PATH_SIZE, "%s/points", whole) < FILE_PATH_SIZE) {
    stiction_asktell_state(run->search.search, &state);
    if (state.evaluations == 0)
      point_folders_remove(points, false);
    else if (run->search.problem.external->keep != EXTERNAL_KEEP_ALL)
      point_folders_tidy(points);
    return 0;
  }
  return diagnostics_error(run->search.diagnostics, EXIT_USAGE, "%s: the name is too long", results->directory);
}

static void *pack(const void *owner, size_t *size) {
  const ExternalRun *run = owner;
  return external_message(&run->search.problem, run->evaluator.program.points, size);
}

static int drive(ExternalRun *run) {
  SearchRun *search = &run->search;
  const CtlEvaluator evaluator = external_evaluator(&run->evaluator);
  const CtlListener listener = search_run_listener(search);
  /* time, in s, after the program's time limit at which a rank that has not answered counts as dead */
  enum { SLACK = 30 };
  double timeout = search->problem.external->timeout;
  const SearchDrive how = {.pool = search->pool,
                           .search = search->search,
                           .evaluator = &evaluator,
                           .listener = &listener,
                           .timeout = timeout > 0 ? timeout + SLACK : 0,
                           .pack = pack,
                           .owner = run};
  return search_drive(&how, &search->times);
}

/* Prepares the search up to its first evaluation. The other ranks wait for the result. */
static int begin(ExternalRun *run, bool evaluates) {
  SearchRun *search = &run->search;
  const Options *options = search->options;
  enum { TO_END = 3 }; /* time after checkpoint.grace, in s, in which workers must have ended their programs */
  const CtlPoolOptions pool = {
      .batch = options->batch ? options->batch : 1, .evaluates = evaluates, .abandoned = TO_END};
  bool others = process_ranks() > 1 && !options->elastic;
  int code = prepare(search);
  stop_signal_spare();
  if (!code && options->elastic) code = spawned_workers_check(options, MODEL_DENSE, search->diagnostics);
  if (!code && options->elastic) code = spawned_workers_start(options, &pool, &search->pool, search->diagnostics);
  if (!code) code = search_run_open(search, search->ranks - 1);
  if (!code) code = name_points(run);
  if (others) code = sim_group_agree(process_group(), code);
  if (!code && others && ctl_pool_create(MPI_COMM_WORLD, &pool, &search->pool) != SIM_OK)
    process_end_without_memory(search->diagnostics);
  run->evaluator.program.external = search->problem.external;
  run->evaluator.program.cancelled = is_cancelled;
  run->evaluator.program.context = run;
  run->evaluator.diagnostics = search->diagnostics;
  return code;
}

/* Writes a checkpoint after a signal. */
static int leave_off(ExternalRun *run) {
  SearchRun *search = &run->search;
  CtlState state;
  int code = search_checkpoint_save(search, ctl_seconds());
  if (search_log_close(&search->log)) code = EXIT_INTERNAL;
  stiction_asktell_state(search->search, &state);
  state.reason = CTL_REASON_SIGNAL;
  if (external_results_write(search, &state, run->evaluator.program.points)) code = EXIT_INTERNAL;
  if (code) return code;
  return diagnostics_error(search->diagnostics, EXIT_STOPPED, "stopped on a signal; `stiction resume %s` goes on",
                           search->results.directory);
}

static int finish(ExternalRun *run, int drive) {
  SearchRun *search = &run->search;
  CtlState state;
  progress_clear(&search->progress);
  if (drive == CTL_DRIVE_STOPPED || drive == CTL_DRIVE_ABANDONED) return leave_off(run);
  if (search_log_close(&search->log)) return EXIT_INTERNAL;
  if (drive)
    return diagnostics_error(search->diagnostics, EXIT_INTERNAL, "stopped: %s",
                             drive == CTL_POOL_REFUSED ? "a worker has no such program, or folder, or no memory"
                             : drive < 0               ? "out of memory"
                                                       : "search.csv or the checkpoint cannot be written");
  stiction_asktell_state(search->search, &state);
  /* if there was no memory, the reason with which the search itself ended does not apply */
  if (state.no_memory) state.reason = CTL_REASON_FAILED;
  point_folders_remove(run->evaluator.program.points, true);
  if (external_results_write(search, &state, run->evaluator.program.points)) return EXIT_INTERNAL;
  int code = external_results_report(search, &state, run->evaluator.program.points);
  if (code == EXIT_INTERNAL)
    return code; /* the checkpoint is kept, so that `resume` can continue when there is memory or disk space again */
  return run_record_end(&search->record, code) ? EXIT_INTERNAL : code;
}

static int run_first(ExternalRun *run) {
  SearchRun *search = &run->search;
  const Options *options = search->options;
  bool evaluates = options->coordinator_evaluates == WHEN_YES;
  int code = begin(run, evaluates);
  if (!code) {
    search->evaluators = search->pool ? search->ranks - 1 + evaluates : 1;
    search->progress = (Progress){.stream = options->progress_line};
    code = finish(run, drive(run));
  }
  if (search->pool && !ctl_pool_close(search->pool))
    process_end_all(code, search->diagnostics, "a rank does not answer: all are ended by MPI_Abort");
  search_run_release(search);
  return code;
}

int external_search_run(const Options *options, const RunRecord *record, Diagnostics *diagnostics) {
  int ranks = process_ranks();
  ExternalRun run = {.search = {.options = options,
                                .diagnostics = diagnostics,
                                .results.diagnostics = diagnostics,
                                .ranks = options->elastic ? 1 + options->elastic : ranks,
                                .start = ctl_seconds(),
                                .resumed = record != NULL}};
  if (record) run.search.record = *record;
  int code = process_start_petsc(NULL, diagnostics);
  if (code) return code;
  code = process_rank() == 0 ? run_first(&run) : messages_serve(options, diagnostics);
  sim_group_share(process_group(), &code, sizeof code); /* all ranks must return the same exit code */
  return code;
}
