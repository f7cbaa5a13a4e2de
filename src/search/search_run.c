/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/search/search_run.h"

#include "control/base/clock.h"
#include "src/file/sections/rest.h"
#include "src/file/sections/understood.h"
#include "src/process/stop_signal.h"
#include "src/search/messages.h"
#include "src/search/plan_end.h"
#include "src/search/search_checkpoint.h"
#include "src/search/sequel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the problem that has the variables and the method of the search. It comes from the plan, if there is one;
 * otherwise from the section control. */
static const CtlProblem *steered(const SearchRun *run) {
  return run->problem.plan ? &run->sought : &run->problem.control;
}

const char *search_run_row(const SearchRun *run, bool several) {
  return ctl_method_round(ctl_problem_method(steered(run)), several);
}

static void draw_progress(SearchRun *run, const CtlState *state, double seconds) {
  progress_draw(&run->progress, "%s %ld  best %.8g  E1 %.2e  edge %.2e  %.0f evaluations/s  %d of %d busy",
                search_run_row(run, false), state->rounds, state->best, state->E1, state->edge,
                seconds > 0 ? (double)state->evaluations / seconds : 0, run->busy, run->evaluators);
}

void search_run_announce(SearchRun *run) {
  static const double LONG = 10; /* time after which a run without a progress line prints that it is running, in s */
  bool silent = run->options->quiet || run->options->unwritten || run->progress.stream;
  if (silent || run->announced || ctl_seconds() - run->start < LONG) return;
  run->announced = true;
  printf("under way since %.0f s: %d variables by %s (--progress prints more; search.csv has a row for each %s)\n",
         ctl_seconds() - run->start, steered(run)->n, stiction_method_name(ctl_problem_method(steered(run))),
         search_run_row(run, false));
  fflush(stdout);
}

static int on_simplex(void *context, const CtlState *state, double seconds) {
  SearchRun *run = context;
  draw_progress(run, state, state->seconds);
  if (run->options->unwritten) return 0;
  if (search_log_row(&run->log, state, seconds)) return EXIT_INTERNAL;
  double now = ctl_seconds();
  return ctl_checkpoint_due(&run->record.checkpoint, now) ? search_checkpoint_save(run, now) : 0;
}

static void on_tick(void *context, const CtlSearch *search, double seconds, int busy) {
  SearchRun *run = context;
  run->busy = busy;
  search_log_tick(&run->log, seconds);
  search_run_announce(run);
  if (!run->progress.stream) return;
  CtlState state;
  stiction_asktell_state(search, &state);
  draw_progress(run, &state, run->seconds_before + seconds);
}

/* After a signal the first call writes a checkpoint at once, since the sender of the signal (mpirun, for TERM or INT)
 * may not wait until evaluations in progress end. */
bool search_run_stopped(SearchRun *run) {
  bool seen = stop_signal_seen();
  if (seen && !run->warned) search_checkpoint_save(run, ctl_seconds());
  run->warned = seen;
  return seen;
}

static bool on_question(void *context) { return search_run_stopped(context); }

CtlListener search_run_listener(SearchRun *run) {
  return (CtlListener){.context = run,
                       .simplex = on_simplex,
                       .tick = on_tick,
                       .stopped = on_question,
                       .grace = run->problem.checkpoint_grace};
}

SearchSpent search_run_spent(const SearchRun *run) {
  const SearchSpent *before = &run->before;
  const CtlTimes *drive = &run->times;
  return (SearchSpent){.wall = before->wall + ctl_seconds() - run->start,
                       .driven = before->driven + drive->wall,
                       .evaluators = before->evaluators + drive->evaluators * drive->wall,
                       .ivps = before->ivps + drive->ivps,
                       .evaluating = before->evaluating + drive->evaluating,
                       .waiting = before->waiting + drive->waiting,
                       .coordinating = before->coordinating + drive->coordinating};
}

bool search_run_is_robust(const SearchRun *run) { return run->problem.control.statistic != CTL_NOMINAL; }

/* Returns the problem that a search without a plan solves: all scenarios together, or the problem of the section
 * control. */
static const CtlProblem *searched(const SearchRun *run) {
  return search_run_is_robust(run) ? &run->stacked : &run->problem.control;
}

static void warn_of_kernel(const SearchRun *run) {
  int kernel = run->options->kernel;
  const char *serves = sim_batch_kernel(run->rollout.model, run->rollout.work);
  if (kernel < 0 || !strcmp(serves, sim_kernel_name(kernel))) return;
  diagnostics_warn(run->diagnostics, "--batch-kernel %s has no lanes for this model and scheme: %s evaluates",
                   sim_kernel_name(kernel), serves);
}

/* Prepares the evaluator of this process, and the model to send to other ranks. */
static int prepare_evaluator(SearchRun *run) {
  EvaluatedModel *evaluated = &run->evaluated;
  const CtlProblem *control = &run->problem.control;
  int code = evaluated_model_prepare(&run->problem, ctl_problem_wants_derivatives(control), evaluated);
  if (!code && search_run_is_robust(run)) {
    evaluated->scenarios = run->scenarios.problems;
    evaluated->n_scenarios = (int)run->problem.scenarios->count;
    code = ctl_problem_stack(control, evaluated->n_scenarios, &run->stacked) == SIM_OK ? 0 : EXIT_INTERNAL;
  }
  if (!code && model_evaluator_open(evaluated, &run->rollout, run->options->kernel, &run->evaluator) != SIM_OK)
    code = EXIT_INTERNAL;
  return code ? diagnostics_no_memory(run->diagnostics) : 0;
}

int search_run_read(SearchRun *run) {
  const Options *options = run->options;
  const ModelRanks alone = {
      .copies = 1, .workers = run->ranks - 1, .limits = options->limits, .progress_line = options->progress_line};
  if (run->resumed) run->results = run->record.results;
  return problem_read(options, true, &alone, run->diagnostics, &run->problem);
}

/* Reports an error if no control can reach the target because nothing ever moves. */
static int refuse_rest(const SearchRun *run) {
  char why[REST_TEXT_SIZE];
  return rest_is_certain(&run->problem, why) ? diagnostics_error(run->diagnostics, EXIT_NOT_MET, "%s", why) : 0;
}

int search_run_prepare(SearchRun *run) {
  const Options *options = run->options;
  int code = run->resumed ? run_record_check(&run->record, &run->problem) : 0;
  if (!code && !run->resumed && !run->summary_wanted) code = refuse_rest(run);
  if (!code && run->problem.plan) return plan_run_prepare(run);
  if (!code && run->problem.scenarios)
    code = scenario_set_open(&run->scenarios, &run->problem, NULL, true, run->diagnostics);
  if (!code) code = rollout_context_prepare(&run->rollout, &run->problem.sim, run->diagnostics);
  if (!code) code = rollout_context_set_kernel(&run->rollout, options->kernel);
  if (!code) warn_of_kernel(run);
  if (!code && !run->summary_wanted) understood_warn_of_work(&run->problem, run->diagnostics);
  if (!code && !run->summary_wanted) understood_warn_of_target(&run->problem, run->diagnostics);
  if (!code) code = prepare_evaluator(run);
  return code ? code : search_checkpoint_open(run, searched(run));
}

CtlEvaluator search_run_evaluator(SearchRun *run) {
  if (run->robust.robust) return ctl_robust_evaluator(run->robust.robust);
  return run->plan ? ctl_plan_evaluator(run->plan) : model_evaluator(&run->evaluator);
}

void *search_run_message(const SearchRun *run, size_t *size) {
  return run->plan ? plan_tasks_pack(&run->problem, size)
                   : model_message_pack(&run->evaluated, run->options->argument, size);
}

bool search_run_is_sent(const SearchRun *run) { return run->plan || evaluated_model_packed_size(&run->evaluated) > 0; }

static void warn_of_scheme_size(const SearchRun *run, int workers) {
  const CtlProblem *problem = steered(run);
  long size = ctl_problem_scheme_size(problem);
  if (!ctl_method_has_simplexes(ctl_problem_method(problem))) return;
  if (workers > size)
    diagnostics_warn(run->diagnostics, "%d workers but only %ld points a simplex: some will idle (search.scheme_size)",
                     workers, size);
  if (size < 3L * problem->n)
    diagnostics_warn(run->diagnostics,
                     "search.scheme_size: %ld is less than 3 points for each of %d variables: a slow search is likely",
                     size, problem->n);
}

static int open_again(SearchRun *run) {
  CtlState state;
  stiction_asktell_state(run->search, &state);
  run->seconds_before = state.seconds;
  if (!run->options->quiet) printf("going on from %s %ld\n", search_run_row(run, false), state.rounds);
  const ResultsMark mark = run->log.mark;
  int code = search_log_open(&run->log, &run->results, mark.size ? &mark : NULL);
  if (code || state.rounds == 0) return code;
  const CtlListener listener = search_run_listener(run);
  return ctl_drive_resume(run->search, &listener);
}

int search_run_open(SearchRun *run, int workers) {
  const Options *options = run->options;
  const char *from = run->problem.start_from;
  int code = 0;
  if (options->unwritten) return 0;
  if (from && !run->resumed && results_is(options->output, options->argument, from))
    return diagnostics_error(run->diagnostics, EXIT_USAGE,
                             "%s is where control.start is from: its results would be lost (-o DIR takes another "
                             "place)",
                             from);
  if (!run->resumed) code = results_create(&run->results, options->output, options->argument, options->force);
  if (!code) code = trajectory_check_room(&run->results, &run->problem);
  if (!code && !run->resumed)
    code = run_record_create(&run->record, &run->results, run->problem.external ? "search" : "control", options,
                             &run->problem, NULL, NULL);
  if (!code) code = run->resumed ? open_again(run) : search_log_open(&run->log, &run->results, NULL);
  if (!code) warn_of_scheme_size(run, workers);
  const CtlProblem *control = &run->problem.control;
  int method = ctl_problem_method(control);
  if (!code && !options->quiet && search_run_is_robust(run))
    printf("by %s, over %ld scenarios\n", stiction_method_name(method), run->problem.scenarios->count);
  else if (!code && !options->quiet && method != control->method) {
    char reason[200];
    understood_reason(&run->problem, reason, sizeof reason);
    printf("by %s, %s\n", stiction_method_name(method), reason);
  }
  return code;
}

void search_run_release(SearchRun *run) {
  run_record_close(&run->record);
  stiction_asktell_destroy(run->search);
  ctl_problem_clear(&run->stacked);
  ctl_plan_destroy(run->plan);
  robust_plan_close(&run->robust);
  ctl_problem_clear(&run->sought);
  model_evaluator_close(&run->evaluator);
  scenario_set_close(&run->scenarios);
  free(run->proof_saved);
  lower_bound_kept_clear(&run->bound);
  evaluated_model_clear(&run->evaluated);
  rollout_context_release(&run->rollout);
  problem_clear(&run->problem);
  json_decref(run->summary);
  sequel_free(run->sequel);
}

int search_drive(const SearchDrive *drive, CtlTimes *times) {
  if (!drive->pool) return ctl_drive_serial(drive->search, drive->evaluator, drive->listener, times);
  CtlJob job = {
      .search = drive->search, .evaluator = drive->evaluator, .listener = drive->listener, .timeout = drive->timeout};
  void *message = drive->pack ? drive->pack(drive->owner, &job.model_size) : NULL;
  if (drive->pack && !message) return CTL_DRIVE_NO_MEMORY;
  job.model = message;
  int over = ctl_pool_drive(drive->pool, &job, times);
  free(message);
  return over;
}
