/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/results/run_results.h"

#include "src/base/file_open.h"
#include "src/base/formats.h"
#include "src/results/slips_file.h"
#include "src/results/sweep_results.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char RUN_OF_PROGRAM[] = "an external program";

static int refuse(const RunResults *run, const char *path, const char *what) {
  return diagnostics_error(run->diagnostics, EXIT_USAGE, "%s: %s", path, what);
}

json_t *run_results_member(const RunResults *run, const char *path) {
  json_t *at = run->summary;
  while (at && *path) {
    size_t length = strcspn(path, ".");
    at = json_object_getn(at, path, length);
    path += length + (path[length] == '.');
  }
  return at;
}

/* Reports a directory without summary.json. A run that was killed has none until it is resumed and ends. */
static int refuse_running(const RunResults *run) {
  const char *directory = run->directory;
  char path[FILE_PATH_SIZE];
  struct stat info;
  if (sweep_results_there(directory))
    return refuse(run, directory,
                  "holds a sweep (the results of a single run were expected; `stiction plot` and `stiction report` "
                  "show sweeps)");
  int length = snprintf(path, sizeof path, "%s/checkpoint", directory);
  if (length >= (int)sizeof path || stat(path, &info))
    return refuse(run, directory, "has no summary.json (the results of an ended run were expected)");
  return diagnostics_error(run->diagnostics, EXIT_USAGE,
                           "%s: has no summary.json: its run has not ended (if it does not go on, `stiction resume %s` "
                           "first)",
                           directory, directory);
}

static int read_summary(RunResults *run) {
  char path[FILE_PATH_SIZE], fault[FORMAT_FAULT_SIZE];
  struct stat info;
  json_error_t error;
  if (snprintf(path, sizeof path, "%s/summary.json", run->directory) >= (int)sizeof path)
    return refuse(run, run->directory, "the name is too long");
  if (stat(run->directory, &info) || !S_ISDIR(info.st_mode)) return refuse(run, run->directory, "is not a directory");
  if (stat(path, &info)) return refuse_running(run);
  run->summary = file_json(path, &error);
  if (!run->summary)
    return diagnostics_error(run->diagnostics, EXIT_USAGE, "%s:%d:%d: %s", path, error.line, error.column, error.text);
  if (format_fault(format_of_json(run->summary), FORMAT_SUMMARY, fault)) return refuse(run, path, fault);
  run->kind = json_string_value(run_results_member(run, "problem.model.kind"));
  run->title = json_string_value(run_results_member(run, "problem.title"));
  if (run_results_member(run, "problem.evaluator")) run->kind = RUN_OF_PROGRAM;
  if (!run->kind) return refuse(run, path, "has no problem.model.kind");
  if (!labels_take(&run->labels, run_results_member(run, "problem.model")))
    return diagnostics_no_memory(run->diagnostics);
  run->d = (int)json_array_size(run_results_member(run, "outcome.x_T"));
  if (strcmp(run->kind, "string") != 0) return 0;
  json_int_t nodes = json_integer_value(run_results_member(run, "problem.model.nodes"));
  if (nodes < 1 || nodes > INT_MAX)
    return refuse(run, path, "problem.model.nodes is not the number of a string's nodes");
  run->d = (int)nodes;
  run->spacing = json_number_value(run_results_member(run, "problem.model.length")) / (run->d + 1.0);
  return 0;
}

bool run_results_stopped(const RunResults *run) {
  const char *reason = json_string_value(run_results_member(run, "outcome.reason"));
  return reason && (strcmp(reason, "signal") == 0 || strcmp(reason, "cancelled") == 0);
}

int run_results_lacks(const RunResults *run, const Table *table, const char *column) {
  return diagnostics_error(run->diagnostics, EXIT_USAGE, "%s/%s: has no column %s", run->directory, table->place,
                           column);
}

int run_results_shown(const RunResults *run) { return (run->d + run->stride - 1) / run->stride; }

static int check_names(const RunResults *run, const Table *table, const char *const *names) {
  for (int k = 0; table->columns && names[k]; k++)
    if (table_find(table, names[k]) < 0) return run_results_lacks(run, table, names[k]);
  return 0;
}

/* Checks that the trajectory has the columns of x and v of each dof that it shows. */
static int check_motion(const RunResults *run, const Table *table) {
  char missing[TABLE_NAME_SIZE];
  int code = check_names(run, table, (const char *const[]){"t", NULL}), shown = run_results_shown(run);
  for (int k = 0; table->columns && !code && k < 2; k++)
    if (table_find_dofs(table, k ? "v" : "x", shown, run->stride, missing) < 0)
      code = run_results_lacks(run, table, missing);
  return code;
}

static int check_dofs(const RunResults *run) {
  const Table *events = &run->events;
  int of = table_find(events, "dof");
  for (long row = 0; row < events->rows; row++) {
    double dof = table_at(events, row, of);
    if (!(dof >= 1 && dof <= run->d && dof == floor(dof)))
      return diagnostics_error(run->diagnostics, EXIT_USAGE, "%s/events.csv:%ld:1: dof %g (expected one of 1 to %d)",
                               run->directory, row + 2, dof, run->d);
  }
  return 0;
}

static bool is_slip(const RunResults *run, long row) {
  const Table *slips = &run->slips;
  double dof = table_at(slips, row, SLIP_DOF), start = table_at(slips, row, SLIP_START),
         end = table_at(slips, row, SLIP_END);
  double number = slips->columns > SLIP_EVENT ? table_at(slips, row, SLIP_EVENT) : 1,
         most = (double)(slips->rows + slips->left_out);
  return dof >= 1 && dof <= run->d && dof == floor(dof) && start >= 0 && start <= end && isfinite(end) &&
         isfinite(table_at(slips, row, SLIP_WAY)) && number >= 1 && number <= most && number == floor(number);
}

/* Reads events.h5 and computes the sizes of its events. */
static int read_slips(RunResults *run) {
  Table *slips = &run->slips;
  int code = table_read(slips, run->directory, "events.h5", NULL, run->diagnostics);
  for (long row = 0; !code && row < slips->rows; row++)
    if (!is_slip(run, row))
      code = diagnostics_error(run->diagnostics, EXIT_USAGE, "%s/events.h5: row %ld is no slip", run->directory, row);
  if (code || slips->columns == 0) return code;
  return event_sizes(slips, &run->sizes) ? 0 : diagnostics_no_memory(run->diagnostics);
}

/* Checks that the columns exist that the functions of this file use. Columns for figures are checked when figures are
 * made. */
static int check(const RunResults *run) {
  int code = check_motion(run, &run->trajectory);
  if (!code) code = check_motion(run, &run->beside);
  if (!code)
    code = check_names(run, &run->events,
                       run->intervals ? (const char *const[]){"dof", "from", "to", "state", NULL}
                                      : (const char *const[]){"t", "stick", "slip+", "slip-", NULL});
  return !code && run->intervals ? check_dofs(run) : code;
}

/* Returns the row of the trajectory that column `column`, from 1, of the snapshots shows; 0 for column 0. */
static long row_of_snapshot(const Table *trajectory, int column) {
  return column ? (trajectory->rows - 1) * (column - 1) / (SNAPSHOTS - 1) : 0;
}

/* Copies x along a string at SNAPSHOTS equally spaced times into a table. */
static int take_snapshots(RunResults *run) {
  const Table *trajectory = &run->trajectory;
  Table *table = &run->snapshots;
  int shown = run_results_shown(run), first = table_find(trajectory, "x1"), t = table_find(trajectory, "t");
  if (run->spacing == 0 || trajectory->rows < SNAPSHOTS) return 0;
  bool made = table_make(table, 1 + SNAPSHOTS, shown, false);
  for (int c = 0; made && c <= SNAPSHOTS; c++)
    made = table_name(table, c, c ? "%.4g s" : "s", table_at(trajectory, row_of_snapshot(trajectory, c), t));
  if (!made) return diagnostics_no_memory(run->diagnostics);
  for (int k = 0; k < shown; k++) {
    double *row = table_add_row(table);
    row[0] = (1 + k * run->stride) * run->spacing;
    for (int c = 1; c <= SNAPSHOTS; c++) row[c] = table_at(trajectory, row_of_snapshot(trajectory, c), first + k);
  }
  return 0;
}

/* Reads trajectory.h5. If there are many dofs, their number is found only in this file. */
static int read_large(RunResults *run) {
  int code = table_read(&run->trajectory, run->directory, "trajectory.h5", NULL, run->diagnostics),
      d = run->trajectory.d;
  if (code || run->trajectory.columns == 0) return code;
  run->stride = run->trajectory.stride;
  if (run->d == d) return 0;
  if (run->d > 0) return refuse(run, run->directory, "trajectory.h5 and summary.json are of different sizes");
  run->d = d;
  return 0;
}

/* Renames columns with names of dofs, e.g. x:arm, to numbers of dofs, e.g. x2. */
static int number_columns(const RunResults *run, Table *table) {
  static const char *const symbols[] = {"x", "v", "lambda"};
  enum { SYMBOLS = sizeof symbols / sizeof *symbols };
  char column[LABEL_COLUMN_SIZE];
  for (int k = 0; table->columns && k < SYMBOLS * run->labels.n; k++) {
    const char *symbol = symbols[k % SYMBOLS];
    int dof = 1 + k / SYMBOLS, found = table_find(table, labels_column(&run->labels, symbol, dof, column));
    if (found >= 0 && !table_name(table, found, "%s%d", symbol, dof)) return diagnostics_no_memory(run->diagnostics);
  }
  return 0;
}

/* Reads events.csv, in which states are words and dofs may have names. */
static int read_events(RunResults *run) {
  size_t states = 0;
  while (event_states[states]) states++;
  int n = run->labels.names ? run->labels.n : 0;
  const char **words = calloc(states + (size_t)n + 1, sizeof *words);
  if (!words) return diagnostics_no_memory(run->diagnostics);
  memcpy(words, event_states, states * sizeof *words);
  for (int i = 0; i < n; i++) words[states + (size_t)i] = run->labels.names[i];
  const char *name = run->refined ? "refined/events.csv" : "events.csv";
  int code = table_read(&run->events, run->directory, name, words, run->diagnostics);
  free(words);
  run->intervals = run->events.columns > 0 && table_find(&run->events, "step") < 0;
  return code;
}

static int read_table(RunResults *run, Table *table, const char *name) {
  return table_read(table, run->directory, name, NULL, run->diagnostics);
}

/* Reads two motions for comparison: the refined motion and the one with time steps or, without a refined control, the
 * motion with time steps and the exact one. */
static int read_motions(RunResults *run) {
  int code = read_table(run, &run->trajectory, "trajectory.csv");
  if (!code && run_results_member(run, "outcome.refined.u"))
    code = read_table(run, &run->beside, "refined/trajectory.csv");
  run->refined = run->beside.columns > 0 && run->trajectory.columns > 0;
  if (run->refined) {
    const Table grid = run->trajectory;
    run->trajectory = run->beside;
    run->beside = grid;
  } else {
    table_clear(&run->beside);
    if (!code && run->trajectory.columns == 0) code = read_large(run);
    if (!code) code = read_table(run, &run->beside, "exact/trajectory.csv");
  }
  if (!code && run->labels.names) code = number_columns(run, &run->trajectory);
  if (!code && run->labels.names) code = number_columns(run, &run->beside);
  return code;
}

int run_results_read(RunResults *run, const char *directory, Diagnostics *diagnostics) {
  *run = (RunResults){.directory = directory, .diagnostics = diagnostics, .stride = 1};
  int code = read_summary(run);
  if (!code) code = read_motions(run);
  if (!code) code = read_table(run, &run->energy, run->refined ? "refined/energy.csv" : "energy.csv");
  if (!code && run->d > 0 && run->labels.names && run->labels.n != run->d)
    code = refuse(run, directory, "has names for another number of degrees of freedom than there are");
  if (!code) code = read_events(run);
  if (!code) code = read_table(run, &run->search, "search.csv");
  if (!code) code = read_table(run, &run->fit, "fit.csv");
  if (!code) code = read_table(run, &run->scenarios, "scenarios.csv");
  if (!code) code = read_slips(run);
  if (!code && run->d == 0 && run->kind != RUN_OF_PROGRAM)
    code = refuse(run, directory, "does not have the number of degrees of freedom");
  if (!code) code = check(run);
  return code ? code : take_snapshots(run);
}

void run_results_clear(RunResults *run) {
  Table *const tables[] = {&run->trajectory, &run->beside,    &run->energy, &run->events, &run->slips,
                           &run->sizes,      &run->snapshots, &run->search, &run->fit,    &run->scenarios};
  json_decref(run->summary);
  labels_clear(&run->labels);
  for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) table_clear(tables[k]);
  *run = (RunResults){0};
}

/* Intervals shorter than this, relative to a time step, are left out. Their two ends differ only by the errors with
 * which times of events are computed. For example, a joint that comes to rest exactly at T sticks for 1e-15 s. */
static const double ROUNDED = 1e-9;

double run_results_time_in(const RunResults *run, int dof, int state, long *intervals) {
  const Table *events = &run->events;
  int of = table_find(events, "dof"), from = table_find(events, "from"), to = table_find(events, "to"),
      in = table_find(events, "state");
  double time = 0, least = ROUNDED * json_number_value(run_results_member(run, "problem.time.step"));
  *intervals = 0;
  for (long k = 0; k < events->rows; k++) {
    double length = table_at(events, k, to) - table_at(events, k, from);
    if (table_at(events, k, of) != dof || table_at(events, k, in) != state || length < least) continue;
    time += length;
    (*intervals)++;
  }
  return time;
}

long run_results_friction_intervals(const RunResults *run, int dof) {
  long sum = 0, n;
  for (int state = STATE_SLIP_BACK; state <= STATE_SLIP_ON; state++) {
    run_results_time_in(run, dof, state, &n);
    sum += n;
  }
  return sum;
}
