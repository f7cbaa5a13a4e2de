/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/study/sweep_drive.h"

#include "control/base/clock.h"
#include "src/process/stop_signal.h"
#include "src/study/sweep_run.h"

#include <math.h>
#include <stdlib.h>

/* Writes a duration as text, e.g. "3 h 20 min". Returns text. */
static const char *duration(double seconds, char text[32]) {
  if (!isfinite(seconds))
    snprintf(text, 32, "?");
  else if (seconds < 60)
    snprintf(text, 32, "%.0f s", seconds);
  else if (seconds < 3600)
    snprintf(text, 32, "%.0f min %.0f s", floor(seconds / 60), floor(fmod(seconds, 60)));
  else
    snprintf(text, 32, "%.0f h %.0f min", floor(seconds / 3600), floor(fmod(seconds, 3600) / 60));
  return text;
}

static void draw_progress(SweepDrive *drive) {
  const SweepRows *rows = drive->rows;
  double seconds = ctl_seconds() - drive->start;
  long here = rows->n_done - drive->before;
  char left[32];
  if (!drive->progress.stream) return;
  duration(here ? seconds / (double)here * (double)(rows->count - rows->n_done) : INFINITY, left);
  progress_draw(&drive->progress, "%ld of %ld runs  %ld failed  %.3g runs/s  %d of %d busy  %s left", rows->n_done,
                rows->count, rows->n_failed, seconds > 0 ? (double)here / seconds : 0, drive->busy, drive->ranks, left);
}

static int add_row(SweepDrive *drive, long run, SweepSeconds seconds, const char *row) {
  int code;
  if (!row || !*row)
    code = diagnostics_no_memory(drive->diagnostics);
  else if (*row != '[')
    code = diagnostics_error(drive->diagnostics, EXIT_INTERNAL, "run %ld: %s; `stiction resume %s` goes on", run, row,
                             drive->rows->results->directory);
  else
    code = sweep_rows_add(drive->rows, run, seconds, row);
  if (code) drive->code = code;
  draw_progress(drive);
  return code;
}

/* Runs that a single rank carries out ------------------------------------------------------------------------------ */

/* Stores the row of a run that a rank has carried out; called by the pool (CtlTasks). */
static int tell(void *context, long run, const CtlOutcome *outcome) {
  const SweepAnswer *answer = (const SweepAnswer *)(const void *)outcome->x;
  if (answer->stopped != 0) return 0;
  int code = add_row(context, run, (SweepSeconds){answer->seconds, answer->simulating}, answer->row);
  return code ? -code : 1;
}

static void on_tick(void *context, const CtlSearch *search, double seconds, int busy) {
  SweepDrive *drive = context;
  (void)search;
  (void)seconds;
  drive->busy = busy;
  draw_progress(drive);
}

static bool on_question(void *context) {
  (void)context;
  return stop_signal_seen();
}

/* Runs of which all ranks evaluate the points ---------------------------------------------------------------------- */

/* A run that is a search, of which all ranks evaluate the points. */
typedef struct Spread {
  long run;
  double start, simulating;
  SweepRun one;
  CtlPoolJob *job;
  struct Spread *next;
} Spread;

/* Chooses the last runs, of which all ranks evaluate the points together, since there are fewer of these runs than
 * ranks. They must be searches with a dense model. A run with a time limit stays on one rank, since its row would
 * otherwise depend on the number of free ranks. */
static void divide(SweepDrive *drive) {
  CtlTasks *tasks = &drive->tasks;
  const SweepPlan *plan = &drive->worker->plan;
  long undone = drive->rows->count - drive->rows->n_done, spread = undone % drive->ranks, first = tasks->count;
  if (!plan->control) return;
  while (spread > 0) {
    if (tasks->done[--first]) continue;
    if (sweep_plan_limits_seconds(plan, first)) return;
    spread--;
  }
  tasks->count = first;
}

/* Ends a search and adds its row. begun: exit code of its beginning; stop: code with which the evaluation of points
 * ended. */
static int end(SweepDrive *drive, Spread *spread, int begun, int stop) {
  int code;
  char *row = sweep_run_end(&spread->one, begun, stop, &code);
  if (row || code != EXIT_STOPPED)
    code = add_row(drive, spread->run, (SweepSeconds){ctl_seconds() - spread->start, spread->simulating}, row);
  free(row);
  free(spread);
  return code == EXIT_STOPPED ? CTL_DRIVE_STOPPED : code;
}

/* Begins a search and adds it to the list. A search with a sparse model, which messages cannot contain, is carried out
 * in this process instead. Returns 0, or a code of ctl_pool_over. */
static int begin(SweepDrive *drive, CtlPool *pool, long run, Spread **list) {
  const SweepSearches *searches = drive->worker->searches;
  Spread *spread = calloc(1, sizeof *spread);
  if (!spread) return CTL_DRIVE_NO_MEMORY;
  spread->run = run;
  spread->start = ctl_seconds();
  int begun = sweep_run_begin(&spread->one, drive->worker, run);
  if (begun) return end(drive, spread, begun, 0);
  SimStatus added = searches->add(spread->one.search, pool, &spread->job);
  if (added == SIM_BAD_PROBLEM) return end(drive, spread, 0, searches->drive(spread->one.search, &spread->simulating));
  if (added != SIM_OK) return end(drive, spread, diagnostics_no_memory(&spread->one.diagnostics), 0);
  spread->next = *list;
  *list = spread;
  return 0;
}

/* Ends those searches in the list of which all points have been evaluated. */
static int take_ended(SweepDrive *drive, CtlPool *pool, Spread **list) {
  int stop = 0, one;
  for (Spread **at = list; *at;) {
    Spread *spread = *at;
    if (!ctl_pool_over(spread->job, &one)) {
      at = &spread->next;
      continue;
    }
    CtlTimes times;
    *at = spread->next;
    ctl_pool_times(pool, spread->job, &times);
    spread->simulating = times.ivps;
    ctl_pool_remove(pool, spread->job);
    one = end(drive, spread, 0, one);
    if (one) stop = one;
  }
  return stop;
}

/* Carrying out runs by a pool -------------------------------------------------------------------------------------- */

/* Runs the pool until all rows exist, or one job was stopped. In the latter case all other jobs are stopped, too.
 * Returns the code of a job that was stopped; otherwise 0. */
static int turn(SweepDrive *drive, CtlPool *pool, CtlPoolJob *whole) {
  Spread *list = NULL;
  long next = drive->tasks.count;
  int stop = 0, one;
  bool over = false;
  while (!(over && (stop || next == drive->rows->count) && !list)) {
    over = ctl_pool_over(whole, &one);
    if (over && one) stop = one;
    for (; !stop && drive->tasks.left == 0 && next < drive->rows->count; next++)
      if (!drive->rows->done[next] && (one = begin(drive, pool, next, &list)) != 0) stop = one;
    if (stop > 0) break; /* a row could not be written */
    ctl_pool_turn(pool);
    one = take_ended(drive, pool, &list);
    if (one) stop = one;
  }
  while (list) {
    Spread *spread = list;
    list = spread->next;
    ctl_pool_remove(pool, spread->job);
    end(drive, spread, 0, CTL_DRIVE_STOPPED);
  }
  return stop;
}

static int drive_pool(SweepDrive *drive, CtlJob *job, CtlPool *pool) {
  CtlPoolJob *whole;
  void *plan = sweep_message_pack(drive->worker, &job->model_size);
  job->model = plan;
  bool added = plan && ctl_pool_add(pool, job, &whole) == SIM_OK;
  free(plan);
  if (!added) return CTL_DRIVE_NO_MEMORY;
  int stop = turn(drive, pool, whole);
  ctl_pool_remove(pool, whole);
  return stop;
}

int sweep_drive(SweepDrive *drive, CtlPool *pool) {
  const CtlEvaluator evaluator = sweep_evaluator(drive->worker);
  const CtlListener listener = {.context = drive, .tick = on_tick, .stopped = on_question, .grace = drive->grace};
  CtlJob job = {.tasks = &drive->tasks, .evaluator = &evaluator, .listener = &listener, .timeout = INFINITY};
  CtlTimes times;
  drive->tasks = (CtlTasks){.count = drive->rows->count, .done = drive->rows->done, .context = drive, .tell = tell};
  if (pool) divide(drive);
  ctl_tasks_init(&drive->tasks);
  int stop = pool ? drive_pool(drive, &job, pool) : ctl_drive_tasks(&drive->tasks, &evaluator, &listener, &times);
  progress_clear(&drive->progress);
  if (stop == CTL_DRIVE_NO_MEMORY) return diagnostics_no_memory(drive->diagnostics);
  if (stop == CTL_POOL_REFUSED)
    return diagnostics_error(drive->diagnostics, EXIT_INTERNAL, "a worker could not take the sweep (out of memory?)");
  return stop < 0 ? EXIT_STOPPED : stop;
}
