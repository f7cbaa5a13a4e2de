#include "src/readback/run_results.h"

#include "src/base/exit_code.h"
#include "src/base/file_open.h"
#include "src/base/formats.h"
#include "src/readback/event_sizes.h"
#include "src/readback/sweep_results.h"
#include "src/readback/table_hdf5.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char RUN_OF_PROGRAM[] = "a program of one's own";

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

/* A run that was killed writes it when it has been gone on with. */
static int refuse_running(const RunResults *run) {
  const char *directory = run->directory;
  char path[FILE_PATH_SIZE];
  struct stat info;
  if (sweep_results_there(directory))
    return refuse(run, directory,
                  "holds a sweep (the results of a single run were expected; `stiction plot` draws sweeps)");
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

/* Of x and v each dof's that is shown. */
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
         most = (double)(slips->rows + run->left_out);
  return dof >= 1 && dof <= run->d && dof == floor(dof) && start >= 0 && start <= end && isfinite(end) &&
         isfinite(table_at(slips, row, SLIP_WAY)) && number >= 1 && number <= most && number == floor(number);
}

/* events.h5, and the sizes of its events. */
static int read_slips(RunResults *run) {
  Table *slips = &run->slips;
  int code = table_read_slips(slips, run->directory, &run->left_out, run->diagnostics);
  for (long row = 0; !code && row < slips->rows; row++)
    if (!is_slip(run, row))
      code = diagnostics_error(run->diagnostics, EXIT_USAGE, "%s/events.h5: row %ld is no slip", run->directory, row);
  if (code || slips->columns == 0) return code;
  return event_sizes(slips, &run->sizes) ? 0 : diagnostics_no_memory(run->diagnostics);
}

/* The columns that are read here; those that pictures read are looked up by who makes them. */
static int check(const RunResults *run) {
  int code = check_motion(run, &run->trajectory);
  if (!code) code = check_motion(run, &run->beside);
  if (!code)
    code = check_names(run, &run->events,
                       run->intervals ? (const char *const[]){"dof", "from", "to", "state", NULL}
                                      : (const char *const[]){"t", "stick", "slip+", "slip-", NULL});
  return !code && run->intervals ? check_dofs(run) : code;
}

/* x along a string at SNAPSHOTS instants from the first to the last, in equal steps. */
static int take_snapshots(RunResults *run) {
  const Table *trajectory = &run->trajectory;
  Table *table = &run->snapshots;
  int shown = run_results_shown(run), first = table_find(trajectory, "x1"), t = table_find(trajectory, "t");
  if (run->spacing == 0 || trajectory->rows < SNAPSHOTS) return 0;
  *table = (Table){.columns = 1 + SNAPSHOTS, .rows = shown};
  table->header = calloc(1 + SNAPSHOTS, 32);
  table->names = calloc(1 + SNAPSHOTS, sizeof *table->names);
  table->values = calloc((size_t)shown * (1 + SNAPSHOTS), sizeof *table->values);
  if (!table->header || !table->names || !table->values) return diagnostics_no_memory(run->diagnostics);
  for (int c = 0; c <= SNAPSHOTS; c++) {
    long row = c ? (trajectory->rows - 1) * (c - 1) / (SNAPSHOTS - 1) : 0;
    table->names[c] = table->header + 32 * c;
    snprintf(table->names[c], 32, c ? "%.4g s" : "s", table_at(trajectory, row, t));
    for (int k = 0; k < shown; k++)
      table->values[k * (1 + SNAPSHOTS) + c] =
          c ? table_at(trajectory, row, first + k) : (1 + k * run->stride) * run->spacing;
  }
  return 0;
}

/* trajectory.h5; of many dofs it alone tells how many there are. */
static int read_large(RunResults *run) {
  int d = run->d;
  int code = table_read_hdf5(&run->trajectory, run->directory, &d, &run->stride, run->diagnostics);
  if (code || run->d == d) return code;
  if (run->d > 0) return refuse(run, run->directory, "trajectory.h5 and summary.json are of different sizes");
  run->d = d;
  return 0;
}

/* Columns called by names get numbers, as they have without. */
static int number_columns(const RunResults *run, Table *table) {
  static const char *const symbols[] = {"x", "v", "lambda"};
  enum { SYMBOLS = sizeof symbols / sizeof *symbols };
  char column[LABEL_COLUMN_SIZE];
  if (table->columns == 0) return 0;
  table->renamed = calloc((size_t)run->labels.n, sizeof *table->renamed * SYMBOLS);
  if (!table->renamed) return diagnostics_no_memory(run->diagnostics);
  for (int k = 0; k < SYMBOLS * run->labels.n; k++) {
    const char *symbol = symbols[k % SYMBOLS];
    int dof = 1 + k / SYMBOLS, found = table_find(table, labels_column(&run->labels, symbol, dof, column));
    if (found < 0) continue;
    snprintf(table->renamed[k], TABLE_NAME_SIZE, "%s%d", symbol, dof);
    table->names[found] = table->renamed[k];
  }
  return 0;
}

/* events.csv, in which states, and names of dofs, stand as words. */
static int read_events(RunResults *run) {
  static const char *const states[] = {"slip-",   "stick",    "slip+",    "contact",  "impact-",
                                       "impact+", "contact-", "contact+", "settled-", "settled+"};
  enum { STATES = sizeof states / sizeof *states };
  int n = run->labels.names ? run->labels.n : 0;
  const char **words = calloc(STATES + (size_t)n + 1, sizeof *words);
  if (!words) return diagnostics_no_memory(run->diagnostics);
  memcpy(words, states, sizeof states);
  for (int i = 0; i < n; i++) words[STATES + i] = run->labels.names[i];
  const char *name = run->refined ? "refined/events.csv" : "events.csv";
  int code = table_read(&run->events, run->directory, name, words, run->diagnostics);
  free(words);
  run->intervals = run->events.columns > 0 && table_find(&run->events, "step") < 0;
  return code;
}

/* The refined answer's motion and the grid's own, or the grid's and the motion itself. */
static int read_motion(RunResults *run) {
  const char *directory = run->directory;
  int code = table_read(&run->trajectory, directory, "trajectory.csv", NULL, run->diagnostics);
  if (!code && run_results_member(run, "outcome.refined.u"))
    code = table_read(&run->beside, directory, "refined/trajectory.csv", NULL, run->diagnostics);
  run->refined = run->beside.columns > 0 && run->trajectory.columns > 0;
  if (run->refined) {
    const Table grid = run->trajectory;
    run->trajectory = run->beside;
    run->beside = grid;
    return 0;
  }
  table_clear(&run->beside);
  if (!code && run->trajectory.columns == 0) code = read_large(run);
  return code ? code : table_read(&run->beside, directory, "exact/trajectory.csv", NULL, run->diagnostics);
}

int run_results_read(RunResults *run, const char *directory, Diagnostics *diagnostics) {
  *run = (RunResults){.directory = directory, .diagnostics = diagnostics, .stride = 1};
  int code = read_summary(run);
  if (!code) code = read_motion(run);
  if (!code && run->labels.names) code = number_columns(run, &run->trajectory);
  if (!code && run->labels.names) code = number_columns(run, &run->beside);
  if (!code)
    code = table_read(&run->energy, directory, run->refined ? "refined/energy.csv" : "energy.csv", NULL, diagnostics);
  if (!code && run->d > 0 && run->labels.names && run->labels.n != run->d)
    code = refuse(run, directory, "has names for another number of degrees of freedom than there are");
  if (!code) code = read_events(run);
  if (!code) code = table_read(&run->search, directory, "search.csv", NULL, diagnostics);
  if (!code) code = table_read(&run->fit, directory, "fit.csv", NULL, diagnostics);
  if (!code) code = table_read(&run->scenarios, directory, "scenarios.csv", NULL, diagnostics);
  if (!code) code = read_slips(run);
  if (!code && run->d == 0 && run->kind != RUN_OF_PROGRAM)
    code = refuse(run, directory, "does not tell how many degrees of freedom there are");
  if (!code) code = check(run);
  return code ? code : take_snapshots(run);
}

void run_results_clear(RunResults *run) {
  json_decref(run->summary);
  labels_clear(&run->labels);
  table_clear(&run->trajectory);
  table_clear(&run->beside);
  table_clear(&run->energy);
  table_clear(&run->events);
  table_clear(&run->slips);
  table_clear(&run->sizes);
  table_clear(&run->snapshots);
  table_clear(&run->search);
  table_clear(&run->fit);
  table_clear(&run->scenarios);
  *run = (RunResults){0};
}

double run_results_time_in(const RunResults *run, int dof, int state, long *intervals) {
  const Table *events = &run->events;
  int of = table_find(events, "dof"), from = table_find(events, "from"), to = table_find(events, "to"),
      in = table_find(events, "state");
  double time = 0;
  *intervals = 0;
  for (long k = 0; k < events->rows; k++) {
    if (table_at(events, k, of) != dof || table_at(events, k, in) != state) continue;
    time += table_at(events, k, to) - table_at(events, k, from);
    (*intervals)++;
  }
  return time;
}
