#include "src/search/plan_search.h"

#include "control/base/clock.h"
#include "sim/group.h"
#include "src/base/exit_code.h"
#include "src/file/sections/understood.h"
#include "src/process/process.h"
#include "src/process/stop_signal.h"
#include "src/search/model_message.h"
#include "src/search/plan_results.h"
#include "src/search/plan_tasks.h"
#include "src/search/search_checkpoint.h"
#include "src/search/spawned_workers.h"

#include <stdlib.h>

bool plan_search_is_asked(const Options *options) {
  int asked = 0;
  if (process_rank() == 0) asked = problem_file_has_plan(options->argument, options->settings, options->n_settings);
  sim_group_share(process_group(), &asked, sizeof asked);
  return asked;
}

/* Rank 0's. */
typedef struct PlanRun {
  SearchRun search;
  CtlPlan *plan;
  CtlProblem sought; /* of values; its search borrows it */
} PlanRun;

/* Everything that can fail before the first evaluation, but for the directory. */
static int prepare(PlanRun *run) {
  SearchRun *search = &run->search;
  const Options *options = search->options;
  if (search->resumed) search->results = search->record.results;
  const ModelRanks alone = {
      .copies = 1, .workers = search->ranks - 1, .limits = options->limits, .progress_line = options->progress_line};
  int code = problem_read(options, true, &alone, search->diagnostics, &search->problem);
  if (!code && search->resumed) code = run_record_check(&search->record, &search->problem);
  if (code) return code;
  understood_warn_of_work(&search->problem, search->diagnostics);
  SimStatus status = plan_tasks_open(&search->problem, &run->plan);
  if (status == SIM_OK) status = motion_plan_search(&search->problem, run->plan, &run->sought);
  if (status != SIM_OK)
    return diagnostics_error(search->diagnostics, EXIT_INTERNAL, "the plan: %s", sim_status_text(status));
  return search_checkpoint_open(search, &run->sought);
}

/* Up to the first evaluation: the others wait to hear whether there is one. */
static int begin(PlanRun *run, bool evaluates) {
  SearchRun *search = &run->search;
  const Options *options = search->options;
  const CtlPoolOptions pool = {.batch = options->batch, .evaluates = evaluates};
  bool others = process_ranks() > 1 && !options->elastic;
  int code = prepare(run);
  stop_signal_spare();
  if (!code && options->elastic) code = spawned_workers_check(options, MODEL_DENSE, search->diagnostics);
  if (!code && options->elastic) code = spawned_workers_start(options, &pool, &search->pool, search->diagnostics);
  if (!code) code = search_run_open(search, search->ranks - 1);
  if (others) code = sim_group_agree(process_group(), code);
  if (!code && others && ctl_pool_create(MPI_COMM_WORLD, &pool, &search->pool) != SIM_OK)
    process_end_without_memory(search->diagnostics);
  return code;
}

static int drive(PlanRun *run) {
  SearchRun *search = &run->search;
  CtlEvaluator evaluator = ctl_plan_evaluator(run->plan);
  const CtlListener listener = search_run_listener(search);
  if (!search->pool) return ctl_drive_serial(search->search, &evaluator, &listener, &search->times);
  CtlJob job = {.search = search->search, .evaluator = &evaluator, .listener = &listener};
  void *message = plan_tasks_pack(&search->problem, &job.model_size);
  job.model = message;
  int over = message ? ctl_pool_drive(search->pool, &job, &search->times) : CTL_DRIVE_NO_MEMORY;
  free(message);
  return over;
}

/* After a signal: a checkpoint. */
static int leave_off(PlanRun *run) {
  SearchRun *search = &run->search;
  int code = search_checkpoint_save(search, ctl_seconds());
  if (search_log_close(&search->log)) code = EXIT_INTERNAL;
  if (code) return code;
  return diagnostics_error(search->diagnostics, EXIT_STOPPED, "stopped on a signal; `stiction resume %s` goes on",
                           search->results.directory);
}

static int answer(PlanRun *run) {
  SearchRun *search = &run->search;
  PlanAnswer answer;
  int code = plan_answer_find(search, run->plan, &run->sought, &answer);
  if (!code) code = plan_answer_write(search, &run->sought, &answer);
  if (!code) {
    if (!search->options->quiet) plan_answer_print(search, &run->sought, &answer);
    code = plan_answer_verdict(search, &run->sought, &answer);
    if (code != EXIT_INTERNAL && run_record_end(&search->record, code)) code = EXIT_INTERNAL;
  }
  plan_answer_clear(&answer);
  return code == EXIT_STOPPED ? leave_off(run) : code;
}

static int finish(PlanRun *run, int over) {
  SearchRun *search = &run->search;
  progress_clear(&search->progress);
  if (over == CTL_DRIVE_STOPPED || over == CTL_DRIVE_ABANDONED) return leave_off(run);
  if (!over) {
    int code = answer(run);
    return search_log_close(&search->log) ? EXIT_INTERNAL : code;
  }
  if (search_log_close(&search->log)) return EXIT_INTERNAL;
  return diagnostics_error(search->diagnostics, EXIT_INTERNAL, "stopped: %s",
                           over == CTL_POOL_REFUSED ? "a worker could not build the plan (out of memory?)"
                           : over < 0               ? "out of memory"
                                                    : "search.csv or the checkpoint cannot be written");
}

static int run_first(PlanRun *run) {
  SearchRun *search = &run->search;
  const Options *options = search->options;
  bool evaluates = options->coordinator_evaluates != WHEN_NO;
  int code = begin(run, evaluates);
  if (!code) {
    search->evaluators = search->pool ? search->ranks - 1 + evaluates : 1;
    search->progress = (Progress){.stream = options->progress_line};
    code = finish(run, drive(run));
  }
  if (search->pool && !ctl_pool_close(search->pool))
    process_end_all(code, search->diagnostics, "a rank does not answer: all are ended by MPI_Abort");
  search_run_release(search);
  ctl_plan_destroy(run->plan);
  ctl_problem_clear(&run->sought);
  return code;
}

static int run_worker(const Options *options, Diagnostics *diagnostics) {
  const CtlBuilder builder = model_message_builder(options);
  int code = sim_group_agree(process_group(), 0);
  stop_signal_spare();
  if (!code && ctl_pool_serve(&builder, MPI_COMM_WORLD) != SIM_OK) process_end_without_memory(diagnostics);
  return code;
}

int plan_search_run(const Options *options, const RunRecord *record, Diagnostics *diagnostics) {
  PlanRun run = {.search = {.options = options,
                            .diagnostics = diagnostics,
                            .results.diagnostics = diagnostics,
                            .ranks = options->elastic ? 1 + options->elastic : process_ranks(),
                            .start = ctl_seconds(),
                            .resumed = record != NULL}};
  if (record) run.search.record = *record;
  int code = process_rank() == 0 ? run_first(&run) : run_worker(options, diagnostics);
  sim_group_share(process_group(), &code, sizeof code); /* one program, one exit code */
  return code;
}
