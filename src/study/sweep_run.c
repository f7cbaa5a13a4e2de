/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L /* declares strdup */
#include "src/study/sweep_run.h"

#include "src/base/path.h"
#include "src/run/simulation_run.h"
#include "src/run/storage.h"

#include <stdlib.h>
#include <string.h>

size_t sweep_row_size(const SweepPlan *plan) { return (size_t)(ROW_COLUMNS + plan->n_columns) * (SWEEP_CELL_MAX + 12); }

/* Making the row of a run ------------------------------------------------------------------------------------------ */

/* Returns the value in an object or a list to which the first `length` bytes of a path lead; NULL: there is none. */
static const json_t *entry(const json_t *json, const char *path, size_t length) {
  PathStep step;
  if (length == 0) return NULL;
  if (!json_is_array(json)) return json_object_getn(json, path, length);
  bool numbered = path_step(path, &step) == path + length && step.entry > 0;
  return numbered ? json_array_get(json, step.entry - 1) : NULL;
}

/* Returns the member of a summary at a path; NULL: there is none. A key may contain dots, as 0.95 in quantiles.0.95, so
 * at each step the longest key with which the path begins is used. */
static const json_t *member(const json_t *json, const char *path) {
  while (json && *path) {
    size_t length = strlen(path);
    const json_t *found = entry(json, path, length);
    while (!found && length) {
      do length--;
      while (length && path[length] != '.' && path[length] != '[');
      found = entry(json, path, length);
    }
    json = found;
    path += length;
    path += *path == '.';
  }
  return json;
}

/* Returns the size of a JSON text when it is written as a JSON string, in which quotes are escaped. */
static size_t size_in_row(const char *json) {
  size_t size = 0;
  for (; *json; json++) size += *json == '"' || *json == '\\' ? 2 : 1;
  return size;
}

/* Makes a cell of a row from a value, in the size that a row allows. A list or mapping becomes its JSON text. */
static json_t *cell(const json_t *value) {
  if (!value) return json_null();
  bool whole = json_is_object(value) || json_is_array(value);
  char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(17));
  char instead[64];
  json_t *made = NULL;
  if (text && (whole ? size_in_row(text) : strlen(text)) > SWEEP_CELL_MAX) {
    snprintf(instead, sizeof instead, "a value of %zu bytes", strlen(text));
    made = json_string(instead);
  } else if (text) {
    made = whole ? json_string(text) : json_deep_copy(value);
  }
  free(text);
  return made;
}

/* Returns the text of the first error, without file and position, which differ between machines. The caller owns the
 * reference. */
static json_t *first_error(const Diagnostics *diagnostics) {
  char text[SWEEP_CELL_MAX / 2];
  for (size_t k = 0; k < diagnostics->count; k++) {
    const Diagnostic *one = &diagnostics->list[k];
    if (one->warning) continue;
    int length = snprintf(text, sizeof text, "%s%s%s", one->key ? one->key : "", one->key ? ": " : "", one->text);
    if (length >= (int)sizeof text) text[text_cut(text, sizeof text - 1)] = '\0';
    return json_string(text);
  }
  return json_string("unknown");
}

static long count_warnings(const Diagnostics *diagnostics) {
  long count = 0;
  for (size_t k = 0; k < diagnostics->count; k++) count += diagnostics->list[k].warning;
  return count;
}

/* Returns the row of a run. code: exit code of the run. NULL: no memory. */
static char *row_of(const SweepRun *one, int code, const json_t *summary) {
  static const char *const met[2][2] = {{"not met", "met"}, {"not converged", "converged"}};
  const SweepPlan *plan = &one->worker->plan;
  const Diagnostics *diagnostics = &one->diagnostics;
  bool done = code == EXIT_DONE || code == EXIT_NOT_MET;
  const char *outcome = !done ? "failed" : !plan->control ? "done" : met[one->robust][code == EXIT_DONE];
  json_t *row = json_array(), *reason = done ? cell(member(summary, "outcome.reason")) : first_error(diagnostics);
  json_array_append_new(row, json_string(outcome));
  json_array_append_new(row, reason);
  json_array_append_new(row, json_integer(count_warnings(diagnostics)));
  for (int k = 0; k < plan->n_columns; k++) json_array_append_new(row, cell(member(summary, plan->columns[k].path)));
  bool whole = json_array_size(row) == (size_t)(ROW_COLUMNS + plan->n_columns);
  char *text = whole ? json_dumps(row, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
  json_decref(row);
  return text;
}

/* Preparing and ending a run --------------------------------------------------------------------------------------- */

/* Makes the options for a run, which are those of a separate command, and reads its problem. */
static int prepare(SweepRun *one, const SweepWorker *worker, long run, Problem *problem) {
  const SweepPlan *plan = &worker->plan;
  long index[SWEEP_AXES_MAX];
  axes_index(&plan->axes, run, index);
  *one = (SweepRun){.worker = worker, .diagnostics = {.origin = "stiction sweep"}};
  one->options = (Options){.argument = plan->file,
                           .output = one->directory,
                           .kernel = worker->kernel,
                           .limits = plan->limits,
                           .control = plan->applied,
                           .verify = plan->verify,
                           .unwritten = !plan->keep,
                           .only_asked = true,
                           .force = true,
                           .quiet = true};
  int length = snprintf(one->directory, sizeof one->directory, "%s/runs/%0*ld", worker->directory,
                        snprintf(NULL, 0, "%ld", plan->axes.runs - 1), run);
  if (length >= (int)sizeof one->directory)
    return diagnostics_error(&one->diagnostics, EXIT_USAGE, "%s: the name is too long", worker->directory);
  bool by_pattern = !plan->control && storage_by_pattern(&one->options);
  return sweep_plan_problem(plan, plan->file, index, by_pattern, &one->diagnostics, problem);
}

/* Returns the reason why the sweep must end with this run. The caller frees the text; NULL: no memory. */
static char *why_text(const Diagnostics *diagnostics) {
  json_t *reason = first_error(diagnostics);
  char *text = diagnostics->no_memory || !reason ? NULL : strdup(json_string_value(reason));
  json_decref(reason);
  return text;
}

/* Returns the row of a run that has ended, and clears its diagnostics. */
static char *finish(SweepRun *one, const json_t *summary, int *code) {
  char *row = NULL;
  if (*code == EXIT_INTERNAL)
    row = why_text(&one->diagnostics);
  else if (*code != EXIT_STOPPED)
    row = row_of(one, *code, summary);
  if (!row && *code != EXIT_STOPPED) *code = EXIT_INTERNAL;
  diagnostics_clear(&one->diagnostics);
  return row;
}

int sweep_run_begin(SweepRun *one, const SweepWorker *worker, long run) {
  Problem problem;
  int code = prepare(one, worker, run, &problem);
  if (!code) one->search = worker->searches->begin(&one->options, &problem, &one->diagnostics, &code);
  return code;
}

char *sweep_run_end(SweepRun *one, int begun, int drive, int *code) {
  json_t *summary = NULL;
  *code = begun;
  if (one->search) *code = one->worker->searches->end(one->search, begun, drive, &summary, &one->robust);
  char *row = finish(one, summary, code);
  json_decref(summary);
  return row;
}

static char *run_search(SweepRun *one, const SweepWorker *worker, long run, double *simulating, int *code) {
  int begun = sweep_run_begin(one, worker, run);
  return sweep_run_end(one, begun, begun ? 0 : worker->searches->drive(one->search, simulating), code);
}

static char *run_simulation(SweepRun *one, const SweepWorker *worker, long run, int *code) {
  Problem problem;
  json_t *summary = NULL;
  *code = prepare(one, worker, run, &problem);
  if (!*code) *code = simulation_run(&one->options, &problem, NULL, NULL, &summary, &one->diagnostics);
  char *row = finish(one, summary, code);
  json_decref(summary);
  return row;
}

char *sweep_run_whole(const SweepWorker *worker, long run, double *simulating, int *code) {
  SweepRun *one = calloc(1, sizeof *one);
  *simulating = 0;
  *code = EXIT_INTERNAL;
  if (!one) return NULL;
  char *row =
      worker->plan.control ? run_search(one, worker, run, simulating, code) : run_simulation(one, worker, run, code);
  free(one);
  return row;
}
