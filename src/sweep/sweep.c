#include "src/sweep/sweep.h"

#include "control/base/clock.h"
#include "src/base/exit_code.h"
#include "src/base/progress.h"
#include "src/process/process.h"
#include "src/process/settings.h"
#include "src/process/stop_signal.h"
#include "src/sweep/check.h"
#include "src/sweep/one_run.h"
#include "src/sweep/table.h"
#include "src/sweep/worker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Rank 0. */
typedef struct Sweep {
  const Options *options;
  Diagnostics *diagnostics;
  SweepWorker worker; /* its plan */
  Results results;
  RunRecord record;
  SweepRows rows;
  Progress progress;
  CtlTasks tasks;
  double start; /* s, of ctl_seconds */
  long before;  /* rows that were there then */
  double grace; /* s that runs under way have to stop */
  int code;     /* of a mistake that ends it */
} Sweep;

/* While runs come -------------------------------------------------------------------------------------------------- */

/* "3 h 20 min" */
static const char *duration(double seconds, char text[32]) {
  if (!isfinite(seconds))
    snprintf(text, 32, "?");
  else if (seconds < 60)
    snprintf(text, 32, "%.0f s", seconds);
  else if (seconds < 3600)
    snprintf(text, 32, "%.0f min %.0f s", floor(seconds / 60), fmod(seconds, 60));
  else
    snprintf(text, 32, "%.0f h %.0f min", floor(seconds / 3600), floor(fmod(seconds, 3600) / 60));
  return text;
}

static void draw_progress(Sweep *sweep, int busy) {
  const SweepRows *rows = &sweep->rows;
  double seconds = ctl_seconds() - sweep->start;
  long here = rows->n_done - sweep->before;
  char left[32];
  if (!sweep->progress.stream) return;
  duration(here ? seconds / (double)here * (double)(rows->count - rows->n_done) : INFINITY, left);
  progress_draw(&sweep->progress, seconds, "%ld of %ld runs  %ld failed  %.3g runs/s  %d of %d busy  %s left",
                rows->n_done, rows->count, rows->n_failed, seconds > 0 ? (double)here / seconds : 0, busy,
                process_ranks(), left);
}

/* An answer: CtlTasks. */
static int tell(void *context, long run, const CtlOutcome *outcome) {
  Sweep *sweep = context;
  const SweepAnswer *answer = (const SweepAnswer *)(const void *)outcome->x;
  if (answer->stopped != 0) return 0;
  sweep->code = *answer->row ? sweep_rows_add(&sweep->rows, run, answer->seconds, answer->row)
                             : diagnostics_no_memory(sweep->diagnostics);
  draw_progress(sweep, 0);
  return sweep->code ? -sweep->code : 1;
}

static void on_tick(void *context, const CtlSearch *search, double seconds, int busy) {
  (void)search;
  (void)seconds;
  draw_progress(context, busy);
}

static bool on_question(void *context) {
  (void)context;
  return stop_signal_seen();
}

/* By this process alone. Returns as ctl_pool_drive. */
static int drive_alone(Sweep *sweep, const CtlEvaluator *evaluator) {
  SimFinal final = {.x = calloc(2 * (size_t)evaluator->d, sizeof(double))};
  int stop = final.x ? 0 : CTL_DRIVE_NO_MEMORY;
  for (long run = 0; run < sweep->tasks.count && !stop; run++) {
    double task = (double)run;
    if (sweep->tasks.done[run]) continue;
    draw_progress(sweep, 1);
    evaluator->evaluate(evaluator->context, (CtlWant){0}, 1, &task, &final, NULL);
    int told = tell(sweep, run, &(CtlOutcome){.x = final.x});
    stop = told > 0 ? 0 : told < 0 ? -told : CTL_DRIVE_STOPPED;
  }
  free(final.x);
  return stop;
}

static int drive_pool(Sweep *sweep, const CtlEvaluator *evaluator, CtlPool *pool) {
  const CtlListener listener = {.context = sweep, .tick = on_tick, .stopped = on_question, .grace = sweep->grace};
  CtlTimes times;
  CtlJob job = {.tasks = &sweep->tasks, .evaluator = evaluator, .listener = &listener, .timeout = INFINITY};
  void *plan = sweep_message_pack(&sweep->worker, &job.model_size);
  job.model = plan;
  int stop = plan ? ctl_pool_drive(pool, &job, &times) : CTL_DRIVE_NO_MEMORY;
  free(plan);
  return stop;
}

/* Beginning and ending ------------------------------------------------------------------------------------------- */

/* What the record holds of one to go on with. */
static int reopen(Sweep *sweep) {
  Problem base;
  Options options = {0};
  char path[FILE_PATH_SIZE];
  json_t *json = run_record_sweep(&sweep->record);
  int code = json ? sweep_plan_read(json_incref(json), &sweep->worker.plan, sweep->diagnostics)
                  : diagnostics_error(sweep->diagnostics, EXIT_USAGE, "%s: not a sweep", sweep->options->argument);
  if (!code) code = run_record_options(&sweep->record, path, &options);
  if (!code) code = problem_file_read(path, NULL, 0, sweep->worker.plan.control, sweep->diagnostics, &base);
  if (code) return code;
  sweep->grace = base.checkpoint_grace;
  code = run_record_check(&sweep->record, &base);
  problem_clear(&base);
  sweep->results = sweep->record.results;
  return code;
}

/* The options of the first run that can be read, for the record. */
static int add_settings(const SweepPlan *plan, const long *base, Options *options, Diagnostics *diagnostics) {
  if (options->n_settings + plan->axes.n > SETTINGS_MAX)
    return diagnostics_error(diagnostics, EXIT_USAGE, "too many --set and --vary (at most %d)", SETTINGS_MAX);
  for (int k = 0; k < plan->axes.n; k++)
    options->settings[options->n_settings++] = plan->axes.axes[k].settings[base[k]];
  return 0;
}

static int create(Sweep *sweep) {
  Problem problem;
  long base[SWEEP_AXES_MAX];
  SweepPlan *plan = &sweep->worker.plan;
  Options options = *sweep->options;
  int code = sweep_plan_make(&options, plan, sweep->diagnostics);
  if (!code) code = sweep_check(plan, base, &problem, sweep->diagnostics);
  if (code) return code;
  sweep->grace = problem.checkpoint_grace;
  code = add_settings(plan, base, &options, sweep->diagnostics);
  if (!code) code = results_create(&sweep->results, options.output, options.argument, options.force);
  if (!code) code = run_record_create(&sweep->record, &sweep->results, "sweep", &options, &problem, NULL, plan->json);
  problem_clear(&problem);
  return code;
}

static int begin(Sweep *sweep, bool resumed) {
  int code = resumed ? reopen(sweep) : create(sweep);
  if (!code) code = sweep_rows_open(&sweep->rows, &sweep->worker.plan, &sweep->results, resumed);
  if (code) return code;
  snprintf(sweep->worker.directory, sizeof sweep->worker.directory, "%s", sweep->results.directory);
  sweep->before = sweep->rows.n_done;
  sweep->tasks = (CtlTasks){.count = sweep->rows.count, .done = sweep->rows.done, .context = sweep, .tell = tell};
  sweep->progress.stream = sweep->options->progress_line;
  if (resumed && !sweep->options->quiet) printf("going on after %ld of %ld runs\n", sweep->before, sweep->rows.count);
  return 0;
}

static void print_outcome(const Sweep *sweep) {
  const SweepRows *rows = &sweep->rows;
  double seconds = ctl_seconds() - sweep->start;
  long good = rows->count - rows->n_failed - rows->n_not_met, here = rows->n_done - sweep->before;
  printf("%ld runs: %ld %s", rows->count, good, sweep->worker.plan.control ? "met" : "done");
  if (sweep->worker.plan.control) printf(", %ld not met", rows->n_not_met);
  printf(", %ld failed\n%.2f s on %d rank%s, %.3g runs a second\nresults in %s\n", rows->n_failed, seconds,
         process_ranks(), process_ranks() == 1 ? "" : "s", seconds > 0 ? (double)here / seconds : 0,
         sweep->results.directory);
}

/* Exit code of one whose runs have all ended. */
static int verdict(const Sweep *sweep) {
  const SweepRows *rows = &sweep->rows;
  if (rows->n_failed)
    return diagnostics_error(sweep->diagnostics, EXIT_UNSOLVED, "%ld of %ld runs failed: sweep.csv tells why",
                             rows->n_failed, rows->count);
  if (rows->n_not_met)
    return diagnostics_error(sweep->diagnostics, EXIT_NOT_MET, "%ld of %ld runs did not meet their target",
                             rows->n_not_met, rows->count);
  return EXIT_DONE;
}

static int finish(Sweep *sweep, int stop) {
  SweepRows *rows = &sweep->rows;
  progress_clear(&sweep->progress);
  if (stop == CTL_DRIVE_NO_MEMORY) return diagnostics_no_memory(sweep->diagnostics);
  if (stop == CTL_POOL_REFUSED)
    return diagnostics_error(sweep->diagnostics, EXIT_INTERNAL, "a worker could not take the sweep (out of memory?)");
  if (stop > 0) return sweep->code;
  int code = sweep_rows_sync(rows);
  if (!code) code = sweep_table_write(&sweep->worker.plan, rows);
  if (code) return code;
  if (stop)
    return diagnostics_error(sweep->diagnostics, EXIT_STOPPED,
                             "stopped on a signal after %ld of %ld runs; `stiction resume %s` goes on", rows->n_done,
                             rows->count, sweep->results.directory);
  if (!sweep->options->quiet) print_outcome(sweep);
  code = verdict(sweep);
  if (run_record_end(&sweep->record, code)) return EXIT_INTERNAL;
  char path[FILE_PATH_SIZE];
  if (results_path(&sweep->results, SWEEP_ROWS, path) == 0) unlink(path);
  return code;
}

static void clear(Sweep *sweep) {
  sweep_rows_close(&sweep->rows);
  sweep_plan_clear(&sweep->worker.plan);
  run_record_close(&sweep->record);
}

/* All ranks -------------------------------------------------------------------------------------------------------- */

static void end_all(int code, Diagnostics *diagnostics) {
  diagnostics_error(diagnostics, code, "a rank does not answer: all are ended by MPI_Abort");
  fflush(stdout);
  MPI_Abort(MPI_COMM_WORLD, code);
}

static int run_first(Sweep *sweep, bool resumed) {
  bool alone = process_ranks() == 1;
  CtlPool *pool = NULL;
  stop_signal_spare();
  int code = begin(sweep, resumed);
  sim_group_share(process_group(), &code, sizeof code);
  if (!code) {
    const CtlPoolOptions pool_options = {.evaluates = true};
    const CtlEvaluator evaluator = sweep_evaluator(&sweep->worker);
    if (!alone && ctl_pool_create(MPI_COMM_WORLD, &pool_options, &pool) != SIM_OK)
      end_all(diagnostics_no_memory(sweep->diagnostics), sweep->diagnostics);
    ctl_tasks_init(&sweep->tasks);
    code = finish(sweep, alone ? drive_alone(sweep, &evaluator) : drive_pool(sweep, &evaluator, pool));
    if (pool && !ctl_pool_close(pool)) end_all(code, sweep->diagnostics);
  }
  clear(sweep);
  return code;
}

static int run_worker(const Options *options, Diagnostics *diagnostics) {
  int code = 0;
  stop_signal_spare();
  sim_group_share(process_group(), &code, sizeof code);
  const CtlBuilder builder = sweep_builder(options);
  if (code || ctl_pool_serve(&builder, MPI_COMM_WORLD) == SIM_OK) return code;
  diagnostics_error(diagnostics, EXIT_INTERNAL, "rank %d is out of memory", process_rank());
  MPI_Abort(MPI_COMM_WORLD, EXIT_INTERNAL);
  return EXIT_INTERNAL;
}

int sweep_command(const Options *options, RunRecord *record, Diagnostics *diagnostics) {
  if (process_petsc_start(NULL) != SIM_OK) return EXIT_INTERNAL; /* some run may need it, and all ranks must start it */
  Sweep *sweep = calloc(1, sizeof *sweep);
  if (!sweep) return diagnostics_no_memory(diagnostics);
  *sweep = (Sweep){.options = options,
                   .diagnostics = diagnostics,
                   .worker.kernel = options->kernel,
                   .results = {.diagnostics = diagnostics, .lock = -1},
                   .record.results.lock = -1,
                   .start = ctl_seconds()};
  if (record) sweep->record = *record;
  int code = process_rank() == 0 ? run_first(sweep, record != NULL) : run_worker(options, diagnostics);
  free(sweep);
  sim_group_share(process_group(), &code, sizeof code); /* one program, one exit code */
  return code;
}
