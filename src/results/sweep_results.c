/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/results/sweep_results.h"

#include "src/base/formats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_there(const char *directory, const char *name) {
  char path[FILE_PATH_SIZE];
  return snprintf(path, sizeof path, "%s/%s", directory, name) < (int)sizeof path && access(path, F_OK) == 0;
}

bool sweep_results_there(const char *directory) {
  return is_there(directory, "sweep.csv") && !is_there(directory, "summary.json");
}

int sweep_results_axes(const Table *sweep) { return table_find(sweep, "outcome") - 1; }

/* Reads the units of sweep.h5 if it exists. */
static int take_units(Table *sweep, const char *directory, Diagnostics *diagnostics) {
  Table large;
  int code = table_read(&large, directory, "sweep.h5", NULL, diagnostics);
  for (int c = 0; !code && c < large.columns; c++) {
    int at = table_find(sweep, large.names[c]);
    if (at >= 0 && !table_set_unit(sweep, at, table_unit(&large, c))) code = diagnostics_no_memory(diagnostics);
  }
  table_clear(&large);
  return code;
}

int sweep_results_read(Table *sweep, const char *directory, Diagnostics *diagnostics) {
  int code = table_read_texts(sweep, directory, "sweep.csv", diagnostics);
  if (code) return code;
  if (sweep->columns > 0 && strcmp(sweep->names[0], "run") == 0 && sweep_results_axes(sweep) > 0)
    return take_units(sweep, directory, diagnostics);
  return diagnostics_error(diagnostics, EXIT_USAGE,
                           "%s/sweep.csv:1:1: not the table of a sweep (expected run, what was varied, outcome, ..)",
                           directory);
}

static json_t *json_at(const char *directory, const char *name, int format) {
  char path[FILE_PATH_SIZE], fault[FORMAT_FAULT_SIZE];
  json_error_t error;
  if (snprintf(path, sizeof path, "%s/checkpoint/%s", directory, name) >= (int)sizeof path) return NULL;
  json_t *json = file_json(path, &error);
  if (!format_fault(format_of_json(json), format, fault)) return json;
  json_decref(json);
  return NULL;
}

json_t *sweep_results_record(const char *directory) { return json_at(directory, "run.json", FORMAT_RUN); }
json_t *sweep_results_problem(const char *directory) { return json_at(directory, "problem.yaml", FORMAT_RUN); }

/* Returns whether a cell equals a value: as a text or, if both are numbers, as a number. */
static bool is_value(const char *cell, const char *value) {
  char *of_cell, *of_value;
  if (strcmp(cell, value) == 0) return true;
  double a = strtod(cell, &of_cell), b = strtod(value, &of_value);
  return *cell && *value && !*of_cell && !*of_value && fabs(a - b) <= 1e-12 * fabs(b);
}

/* Lists the names of the varied keys (axis 0), or the values of varied key number `axis`, for a message. */
static const char *list(const Table *sweep, int axis, char *out, size_t size) {
  long n = axis ? sweep->rows : sweep_results_axes(sweep);
  *out = '\0';
  for (long k = 0; k < n; k++) {
    size_t length = strlen(out);
    bool new = true;
    for (long before = 0; axis && before < k && new; before++)
      new = strcmp(table_text(sweep, before, axis), table_text(sweep, k, axis)) != 0;
    if (!new) continue;
    const char *word = axis ? table_text(sweep, k, axis) : sweep->names[1 + k];
    snprintf(out + length, size - length, "%s%s", length ? ", " : "", word);
  }
  return out;
}

/* Returns the column of the key in a setting KEY=VALUE; -1 if the sweep does not vary this key. length: length of
 * KEY. */
static int axis_of(const Table *sweep, const char *setting, size_t length) {
  for (int axis = 1; axis <= sweep_results_axes(sweep); axis++)
    if (strlen(sweep->names[axis]) == length && strncmp(sweep->names[axis], setting, length) == 0) return axis;
  return -1;
}

int sweep_results_fix(Table *sweep, const char *setting, Diagnostics *diagnostics) {
  const char *equals = strchr(setting, '=');
  char there[200];
  int axis = equals ? axis_of(sweep, setting, (size_t)(equals - setting)) : -1;
  if (axis < 0)
    return diagnostics_error(diagnostics, EXIT_USAGE, "--set %.100s: expected KEY=VALUE of a key that varies: %s",
                             setting, list(sweep, 0, there, sizeof there));
  bool *keep = calloc((size_t)sweep->rows + 1, sizeof *keep), some = false;
  if (!keep) return diagnostics_no_memory(diagnostics);
  for (long row = 0; row < sweep->rows; row++) some |= keep[row] = is_value(table_text(sweep, row, axis), equals + 1);
  if (some) table_keep(sweep, keep, axis);
  free(keep);
  if (some) return 0;
  return diagnostics_error(diagnostics, EXIT_USAGE, "--set %.100s: no run has this value (the values are %s)", setting,
                           list(sweep, axis, there, sizeof there));
}
