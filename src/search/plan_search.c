/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/search/plan_search.h"

#include "control/base/clock.h"
#include "sim/group.h"
#include "src/process/process.h"
#include "src/process/stop_signal.h"
#include "src/run/spawned_workers.h"
#include "src/search/messages.h"
#include "src/search/plan_end.h"

bool plan_search_is_asked(const Options *options) {
  int asked = 0;
  if (process_rank() == 0) asked = problem_file_has_plan(options->argument, options->settings, options->n_settings);
  sim_group_share(process_group(), &asked, sizeof asked);
  return asked;
}

/* Prepares the search up to its first evaluation. The other ranks wait for the exit code. */
static int begin(SearchRun *run, bool evaluates) {
  const Options *options = run->options;
  const CtlPoolOptions pool = {.batch = options->batch, .evaluates = evaluates};
  bool others = process_ranks() > 1 && !options->elastic;
  int code = search_run_read(run);
  if (!code) code = search_run_prepare(run);
  stop_signal_spare();
  if (!code && options->elastic) code = spawned_workers_check(options, MODEL_DENSE, run->diagnostics);
  if (!code && options->elastic) code = spawned_workers_start(options, &pool, &run->pool, run->diagnostics);
  if (!code) code = search_run_open(run, run->ranks - 1);
  if (others) code = sim_group_agree(process_group(), code);
  if (!code && others && ctl_pool_create(MPI_COMM_WORLD, &pool, &run->pool) != SIM_OK)
    process_end_without_memory(run->diagnostics);
  return code;
}

static void *pack(const void *run, size_t *size) { return search_run_message(run, size); }

static int drive(SearchRun *run) {
  const CtlEvaluator evaluator = search_run_evaluator(run);
  const CtlListener listener = search_run_listener(run);
  const SearchDrive how = {.pool = run->pool,
                           .search = run->search,
                           .evaluator = &evaluator,
                           .listener = &listener,
                           .pack = pack,
                           .owner = run};
  return search_drive(&how, &run->times);
}

static int run_first(SearchRun *run) {
  const Options *options = run->options;
  bool evaluates = options->coordinator_evaluates != WHEN_NO;
  run->progress = (Progress){.stream = options->progress_line};
  int code = begin(run, evaluates);
  if (!code) {
    run->evaluators = run->pool ? run->ranks - 1 + evaluates : 1;
    code = plan_run_finish(run, drive(run));
  }
  if (run->pool && !ctl_pool_close(run->pool))
    process_end_all(code, run->diagnostics, "a rank does not answer: all are ended by MPI_Abort");
  search_run_release(run);
  return code;
}

int plan_search_run(const Options *options, const RunRecord *record, Diagnostics *diagnostics) {
  SearchRun run = {.options = options,
                   .diagnostics = diagnostics,
                   .results.diagnostics = diagnostics,
                   .ranks = options->elastic ? 1 + options->elastic : process_ranks(),
                   .start = ctl_seconds(),
                   .resumed = record != NULL};
  if (record) run.record = *record;
  int code = process_rank() == 0 ? run_first(&run) : messages_serve(options, diagnostics);
  sim_group_share(process_group(), &code, sizeof code); /* all ranks must return the same exit code */
  return code;
}
