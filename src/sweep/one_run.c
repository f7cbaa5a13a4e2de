#define _POSIX_C_SOURCE 200809L /* strdup */
#include "src/sweep/one_run.h"

#include "control/base/clock.h"
#include "src/base/exit_code.h"
#include "src/base/path.h"
#include "src/file/text/document.h"
#include "src/run/simulation_run.h"
#include "src/search/search_end.h"

#include <stdlib.h>
#include <string.h>

size_t sweep_row_size(const SweepPlan *plan) { return (size_t)(ROW_COLUMNS + plan->n_columns) * (SWEEP_CELL_MAX + 12); }

/* Rows ------------------------------------------------------------------------------------------------------------ */

/* What an object or a list has by the path's first bytes; NULL: nothing. */
static const json_t *entry(const json_t *json, const char *path, size_t length) {
  PathStep step;
  if (length == 0) return NULL;
  if (!json_is_array(json)) return json_object_getn(json, path, length);
  bool numbered = path_step(path, &step) == path + length && step.entry > 0;
  return numbered ? json_array_get(json, step.entry - 1) : NULL;
}

/* The member of a summary at a path; NULL: none. A key may have dots itself, as
 * quantiles.0.95: of the keys that the path begins with the longest is meant. */
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

/* How many bytes a row has of a text that is JSON itself: two of each quote in it. */
static size_t size_in_row(const char *json) {
  size_t size = 0;
  for (; *json; json++) size += *json == '"' || *json == '\\' ? 2 : 1;
  return size;
}

/* A cell, which fits into a row: a list or a mapping as its text. */
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

/* The first error, without the file's name and place, which differ from machine to machine; to be released. */
static json_t *why(const Diagnostics *diagnostics) {
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

/* The row of a run that has ended with that exit code; NULL: no memory. */
static char *row_of(const SweepSearch *one, int code, const json_t *summary) {
  static const char *const met[2][2] = {{"not met", "met"}, {"not converged", "converged"}};
  const SweepPlan *plan = one->plan;
  const Diagnostics *diagnostics = &one->diagnostics;
  bool done = code == EXIT_DONE || code == EXIT_NOT_MET;
  const char *outcome = !done ? "failed" : !plan->control ? "done" : met[one->robust][code == EXIT_DONE];
  json_t *row = json_array(), *reason = done ? cell(member(summary, "outcome.reason")) : why(diagnostics);
  json_array_append_new(row, json_string(outcome));
  json_array_append_new(row, reason);
  json_array_append_new(row, json_integer(count_warnings(diagnostics)));
  for (int k = 0; k < plan->n_columns; k++) json_array_append_new(row, cell(member(summary, plan->columns[k].path)));
  bool whole = json_array_size(row) == (size_t)(ROW_COLUMNS + plan->n_columns);
  char *text = whole ? json_dumps(row, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
  json_decref(row);
  return text;
}

/* Runs ------------------------------------------------------------------------------------------------------------ */

/* As if the command had been asked for this run alone. */
static int prepare(SweepSearch *one, const SweepPlan *plan, const char *directory, long run, int kernel) {
  long index[SWEEP_AXES_MAX];
  axes_index(&plan->axes, run, index);
  *one = (SweepSearch){.plan = plan, .diagnostics = {.origin = "stiction sweep"}};
  one->options = (Options){.argument = plan->file,
                           .output = one->directory,
                           .kernel = kernel,
                           .limits = plan->limits,
                           .control = plan->applied,
                           .verify = plan->verify,
                           .unwritten = !plan->keep,
                           .only_asked = true,
                           .force = true,
                           .quiet = true};
  int length = snprintf(one->directory, sizeof one->directory, "%s/runs/%0*ld", directory,
                        snprintf(NULL, 0, "%ld", plan->axes.runs - 1), run);
  if (length >= (int)sizeof one->directory)
    return diagnostics_error(&one->diagnostics, EXIT_USAGE, "%s: the name is too long", directory);
  one->options.document = sweep_plan_document(plan, plan->file, index, &one->diagnostics);
  if (one->diagnostics.no_memory) return EXIT_INTERNAL;
  return one->options.document && !one->diagnostics.errors ? 0 : EXIT_USAGE;
}

/* Why the sweep must end with a run: memory or a disk has, which is nothing to keep. */
static char *why_text(const Diagnostics *diagnostics) {
  json_t *reason = why(diagnostics);
  char *text = diagnostics->no_memory || !reason ? NULL : strdup(json_string_value(reason));
  json_decref(reason);
  return text;
}

/* The row, and the end of all that prepare has made. */
static char *finish(SweepSearch *one, const json_t *summary, int *code) {
  char *row = NULL;
  if (*code == EXIT_INTERNAL)
    row = why_text(&one->diagnostics);
  else if (*code != EXIT_STOPPED)
    row = row_of(one, *code, summary);
  if (!row && *code != EXIT_STOPPED) *code = EXIT_INTERNAL;
  document_destroy(one->options.document);
  diagnostics_clear(&one->diagnostics);
  return row;
}

int sweep_search_begin(SweepSearch *search, const SweepPlan *plan, const char *directory, long run, int kernel) {
  int code = prepare(search, plan, directory, run, kernel);
  search->run = (SearchRun){.options = &search->options,
                            .diagnostics = &search->diagnostics,
                            .ranks = 1,
                            .start = ctl_seconds(),
                            .results = {.diagnostics = &search->diagnostics, .lock = -1},
                            .evaluators = 1,
                            .summary_wanted = true};
  if (!code) code = search_run_prepare(&search->run);
  if (!code && search->run.problem.ranks_per_evaluation > 1)
    code = diagnostics_error(&search->diagnostics, EXIT_USAGE,
                             "search.ranks_per_evaluation: %ld (expected 1: a sweep's "
                             "ranks evaluate alone)",
                             search->run.problem.ranks_per_evaluation);
  if (code) return code;
  code = search_run_open(&search->run, 0);
  return code == EXIT_USAGE ? EXIT_INTERNAL : code; /* of where its results go: the problem has been read */
}

char *sweep_search_finish(SweepSearch *search, int begun, int drive, int *code) {
  *code = begun ? begun : search_run_finish(&search->run, drive);
  json_t *summary = json_incref(search->run.summary);
  search->robust = search->run.problem.control.statistic != CTL_NOMINAL;
  search_run_release(&search->run);
  char *row = finish(search, summary, code);
  json_decref(summary);
  return row;
}

int sweep_search_drive(SweepSearch *search, double *simulating) {
  const CtlEvaluator evaluator = model_evaluator(&search->run.evaluator);
  const CtlListener listener = search_run_listener(&search->run);
  CtlTimes times;
  int stop = ctl_drive_serial(search->run.search, &evaluator, &listener, &times);
  *simulating = times.ivps;
  return stop;
}

static char *run_search(const SweepPlan *plan, const char *directory, long run, int kernel, double *simulating,
                        int *code) {
  SweepSearch *search = calloc(1, sizeof *search);
  *code = EXIT_INTERNAL;
  if (!search) return NULL;
  int begun = sweep_search_begin(search, plan, directory, run, kernel);
  char *row = sweep_search_finish(search, begun, begun ? 0 : sweep_search_drive(search, simulating), code);
  free(search);
  return row;
}

static char *run_simulation(const SweepPlan *plan, const char *directory, long run, int kernel, int *code) {
  SweepSearch *one = calloc(1, sizeof *one);
  json_t *summary = NULL;
  *code = EXIT_INTERNAL;
  if (!one) return NULL;
  *code = prepare(one, plan, directory, run, kernel);
  if (!*code) *code = simulation_run(&one->options, NULL, NULL, &summary, &one->diagnostics);
  char *row = finish(one, summary, code);
  json_decref(summary);
  free(one);
  return row;
}

char *sweep_run_one(const SweepPlan *plan, const char *directory, long run, int kernel, double *simulating, int *code) {
  *simulating = 0;
  return plan->control ? run_search(plan, directory, run, kernel, simulating, code)
                       : run_simulation(plan, directory, run, kernel, code);
}
