/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/study/study.h"

#include "control/base/clock.h"
#include "sim/group.h"
#include "src/process/process.h"
#include "src/process/stop_signal.h"
#include "src/run/spawned_workers.h"
#include "src/study/sweep_drive.h"
#include "src/study/sweep_plan.h"
#include "src/study/sweep_rows.h"
#include "src/study/sweep_run.h"

#include <stdlib.h>
#include <unistd.h>

/* State of a sweep on rank 0. */
typedef struct Sweep {
  const Options *options;
  Diagnostics *diagnostics;
  SweepWorker worker; /* carries out runs in this process; it also has the plan of the sweep */
  Results results;
  RunRecord record;
  SweepRows rows;
  SweepDrive drive;
  CtlPool *pool; /* the pool; NULL: this process carries out all runs */
} Sweep;

/* Beginning and ending a sweep ------------------------------------------------------------------------------------- */

/* Starts the workers of --elastic. This is done before anything is written. */
static int spawn(Sweep *sweep) {
  const CtlPoolOptions pool_options = {0};
  if (!sweep->options->elastic) return 0;
  return spawned_workers_start(sweep->options, &pool_options, &sweep->pool, sweep->diagnostics);
}

/* Reads the plan of a sweep that is resumed from its record. */
static int reopen(Sweep *sweep) {
  Problem base;
  Options options = {0};
  char path[FILE_PATH_SIZE];
  json_t *json = run_record_sweep(&sweep->record);
  int code = json ? sweep_plan_read(json, &sweep->worker.plan, sweep->diagnostics)
                  : diagnostics_error(sweep->diagnostics, EXIT_USAGE, "%s: not a sweep", sweep->options->argument);
  if (!code) code = run_record_options(&sweep->record, path, &options);
  if (!code) code = problem_file_read(path, NULL, 0, sweep->worker.plan.control, sweep->diagnostics, &base);
  if (code) return code;
  sweep->drive.grace = base.checkpoint_grace;
  code = run_record_check(&sweep->record, &base);
  problem_clear(&base);
  sweep->results = sweep->record.results;
  return code ? code : spawn(sweep);
}

/* Adds the settings of the base run to the options, for the record. base: numbers of the values of the axes in this
 * run. */
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
  sweep->drive.grace = problem.checkpoint_grace;
  code = add_settings(plan, base, &options, sweep->diagnostics);
  if (!code) code = spawn(sweep);
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
  sweep->drive.before = sweep->rows.n_done;
  if (resumed && !sweep->options->quiet)
    printf("going on after %ld of %ld runs\n", sweep->drive.before, sweep->rows.count);
  return 0;
}

/* Returns the word that describes good runs: "done" for simulations; "met" for searches; "converged" for searches with
 * an objective over scenarios. */
static const char *good_runs(const Sweep *sweep) {
  const SweepRows *rows = &sweep->rows;
  if (!sweep->worker.plan.control) return "done";
  if (!rows->n_robust) return "met";
  return rows->n_robust + rows->n_failed == rows->count ? "converged" : "met or converged";
}

static void print_outcome(const Sweep *sweep) {
  const SweepRows *rows = &sweep->rows;
  double seconds = ctl_seconds() - sweep->drive.start;
  long good = rows->count - rows->n_failed - rows->n_not_met, here = rows->n_done - sweep->drive.before;
  printf("%ld runs: %ld %s", rows->count, good, good_runs(sweep));
  if (sweep->worker.plan.control) printf(", %ld not %s", rows->n_not_met, good_runs(sweep));
  printf(", %ld failed\n%.2f s on %d rank%s, %.3g runs a second\nresults in %s\n", rows->n_failed, seconds,
         sweep->drive.ranks, sweep->drive.ranks == 1 ? "" : "s", seconds > 0 ? (double)here / seconds : 0,
         sweep->results.directory);
}

/* Warns about a column of --column that no run has, since its path may be wrong. */
static void warn_of_columns(const Sweep *sweep) {
  const SweepPlan *plan = &sweep->worker.plan;
  const json_t *asked = json_object_get(plan->json, "columns");
  int first = plan->n_columns - (int)json_array_size(asked);
  bool has[SWEEP_COLUMNS_MAX] = {false};
  for (long run = 0; first < plan->n_columns && run < sweep->rows.count; run++) {
    json_t *row = json_loads(sweep->rows.rows[run], 0, NULL);
    for (int k = first; k < plan->n_columns; k++)
      has[k] = has[k] || !json_is_null(json_array_get(row, (size_t)(ROW_COLUMNS + k)));
    json_decref(row);
  }
  for (int k = first; k < plan->n_columns && sweep->rows.n_failed < sweep->rows.count; k++)
    if (!has[k])
      diagnostics_warn(sweep->diagnostics, "--column %s: no run's summary.json has it", plan->columns[k].path);
}

/* Returns the exit code of a sweep after its last run. */
static int verdict(const Sweep *sweep) {
  const SweepRows *rows = &sweep->rows;
  if (rows->n_failed)
    return diagnostics_error(sweep->diagnostics, EXIT_UNSOLVED, "%ld of %ld runs failed: sweep.csv has the reasons",
                             rows->n_failed, rows->count);
  if (rows->n_not_met)
    return diagnostics_error(sweep->diagnostics, EXIT_NOT_MET, "%ld of %ld runs %s", rows->n_not_met, rows->count,
                             rows->n_robust ? "have not met their target or not converged"
                                            : "did not meet their target");
  return EXIT_DONE;
}

/* Ends the sweep after all runs have been carried out, or it was stopped. code: how the runs ended. */
static int finish(Sweep *sweep, int code) {
  SweepRows *rows = &sweep->rows;
  bool stopped = code == EXIT_STOPPED;
  if (code && !stopped) return code;
  code = sweep_rows_sync(rows);
  if (!code) code = sweep_table_write(&sweep->worker.plan, rows);
  if (code) return code;
  if (stopped)
    return diagnostics_error(sweep->diagnostics, EXIT_STOPPED,
                             "stopped on a signal after %ld of %ld runs; `stiction resume %s` goes on", rows->n_done,
                             rows->count, sweep->results.directory);
  warn_of_columns(sweep);
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

/* Functions for all ranks ------------------------------------------------------------------------------------------ */

/* Number of ranks up to which rank 0 carries out runs, too. While it carries out a run, it sends no runs to other
 * ranks. With few ranks, one more rank that carries out runs is worth this delay; with many ranks, too many of them
 * would wait. */
enum { EVALUATES_RANKS_MAX = 8 };

/* Opens a pool of the ranks that mpirun has started. */
static void open_pool(Sweep *sweep) {
  const CtlPoolOptions pool_options = {.evaluates = process_ranks() <= EVALUATES_RANKS_MAX};
  if (process_ranks() > 1 && ctl_pool_create(MPI_COMM_WORLD, &pool_options, &sweep->pool) != SIM_OK)
    process_end_without_memory(sweep->diagnostics);
}

static int run_first(Sweep *sweep, bool resumed) {
  stop_signal_spare();
  int code = begin(sweep, resumed);
  sim_group_share(process_group(), &code, sizeof code);
  if (!code) open_pool(sweep);
  if (!code) code = finish(sweep, sweep_drive(&sweep->drive, sweep->pool));
  if (sweep->pool && !ctl_pool_close(sweep->pool))
    process_end_all(code, sweep->diagnostics, "a rank does not answer: all are ended by MPI_Abort");
  clear(sweep);
  return code;
}

static int run_worker(const CtlBuilder *builder, Diagnostics *diagnostics) {
  int code = 0;
  stop_signal_spare();
  sim_group_share(process_group(), &code, sizeof code);
  if (code || ctl_pool_serve(builder, MPI_COMM_WORLD) == SIM_OK) return code;
  process_end_without_memory(diagnostics);
  return EXIT_INTERNAL;
}

int sweep_command(const Options *options, const CtlBuilder *builder, const SweepSearches *searches, RunRecord *record,
                  Diagnostics *diagnostics) {
  /* a run may need PETSc, which can only be started by all ranks together */
  int code = process_ranks() > 1 ? process_start_petsc(NULL, diagnostics) : 0;
  if (code) return code;
  if (options->elastic && spawned_workers_check(options, MODEL_DENSE, diagnostics)) return EXIT_USAGE;
  Sweep *sweep = calloc(1, sizeof *sweep);
  if (!sweep) return diagnostics_no_memory(diagnostics);
  *sweep = (Sweep){.options = options,
                   .diagnostics = diagnostics,
                   .worker = {.kernel = options->kernel, .searches = searches},
                   .results = {.diagnostics = diagnostics, .lock = -1},
                   .record.results.lock = -1};
  sweep->drive = (SweepDrive){.worker = &sweep->worker,
                              .rows = &sweep->rows,
                              .diagnostics = diagnostics,
                              .progress.stream = options->progress_line,
                              .ranks = options->elastic ? 1 + options->elastic : process_ranks(),
                              .start = ctl_seconds()};
  if (record) sweep->record = *record;
  code = process_rank() == 0 ? run_first(sweep, record != NULL) : run_worker(builder, diagnostics);
  free(sweep);
  sim_group_share(process_group(), &code, sizeof code); /* all ranks must return the same exit code */
  return code;
}
