/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/sections/saved_control.h"

#include "src/base/file_open.h"
#include "src/base/formats.h"
#include "src/base/json_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* maximum length in a message of a path, and of the reason why a control does not fit */
enum { PATH_SIZE = 400, FAULT_SIZE = 120 };

static const char *const names[] = {[SIM_CONSTANT] = "constant",
                                    [SIM_PIECEWISE_CONSTANT] = "piecewise_constant",
                                    [SIM_PIECEWISE_LINEAR] = "piecewise_linear"};

const char *signal_name(SimSignal signal) { return names[signal]; }

json_t *signal_values(const SimProblem *sim, int segments, const double *control) {
  return sim->signal == SIM_CONSTANT ? echo_vector(sim->n_control, control)
                                     : echo_rows(segments, sim->n_control, control);
}

/* A control u found in a summary.json. */
typedef struct Found {
  bool refined;    /* true: the refined control; false: the control that the search found on its grid */
  const char *key; /* name of the member that has u */
  json_t *u;       /* values of u; borrowed */
  SimSignal signal;
  int segments;
  double end; /* end T of the motion, in s; NAN: summary.json does not give it */
} Found;

/* Finds the refined control if `refined`; otherwise the control that the search found on its grid. */
static Found find(json_t *summary, bool refined) {
  json_t *problem = json_object_get(summary, "problem");
  json_t *signal = json_object_get(json_object_get(problem, "control"), "signal");
  json_t *end = json_object_get(json_object_get(problem, "time"), "end");
  const char *kind = json_string_value(json_object_get(signal, "kind"));
  json_t *outcome = json_object_get(summary, "outcome"), *own = json_object_get(outcome, "end");
  if (json_is_number(own)) end = own; /* end T of this result, if T was a variable of the search */
  json_t *from = refined ? json_object_get(outcome, "refined") : outcome;
  Found found = {.refined = refined,
                 .key = refined ? "outcome.refined.u" : "outcome.u",
                 .u = json_object_get(from, "u"),
                 .segments = 1};
  for (int k = SIM_PIECEWISE_CONSTANT; kind && k <= SIM_PIECEWISE_LINEAR; k++)
    if (strcmp(kind, names[k]) == 0) found.signal = (SimSignal)k;
  if (found.signal != SIM_CONSTANT) found.segments = (int)json_array_size(found.u);
  found.end = json_is_number(end) ? json_number_value(end) : NAN;
  return found;
}

static bool numbers(const json_t *list, int n, double *values) {
  bool good = json_array_size(list) == (size_t)n;
  for (int i = 0; i < n && good; i++) {
    json_t *value = json_array_get(list, (size_t)i);
    good = json_is_number(value);
    values[i] = json_number_value(value);
  }
  return good;
}

/* Copies the values of u to coarse [p found->segments]. Returns false if they are not numbers. */
static bool take_values(const Found *found, int p, double *coarse) {
  if (found->signal == SIM_CONSTANT) return numbers(found->u, p, coarse);
  bool good = found->segments > 0;
  for (int k = 0; k < found->segments && good; k++)
    good = numbers(json_array_get(found->u, (size_t)k), p, coarse + k * p);
  return good;
}

/* Sets text to the reason why the saved control does not fit the problem, and returns true. Returns false if it fits.
 * any_end: the saved control may belong to another T. */
static bool find_fault(const Found *found, const SimProblem *sim, bool any_end, char text[FAULT_SIZE]) {
  bool constant = found->signal == SIM_CONSTANT;
  if (found->signal != sim->signal && !(constant && sim->signal == SIM_PIECEWISE_CONSTANT))
    snprintf(text, FAULT_SIZE, "cannot be written as one (expected control.signal.kind: %s)", names[found->signal]);
  else if (found->segments < 1 || sim->segments % found->segments)
    snprintf(text, FAULT_SIZE, "no multiple of that (expected control.signal.%s: %d%s)",
             found->refined ? "refine_to" : "segments", found->segments, found->refined ? "" : ", or a multiple");
  else if (!constant && !any_end && !(fabs(found->end - sim->end) <= 1e-12 * sim->end))
    snprintf(text, FAULT_SIZE, "with another time.end (expected %g s)", found->end);
  else
    return false;
  return true;
}

static bool fill(const char *path, json_t *summary, bool grid, const SimProblem *sim, bool any_end, double *control,
                 char *message) {
  int p = sim->n_control;
  Found found = find(summary, true);
  /* a scheme without time steps may have more segments than the refined control, which is then subdivided */
  bool event = sim_scheme_by_events(sim->scheme);
  char wrong[FAULT_SIZE];
  if (grid || !found.u || (!event && find_fault(&found, sim, any_end, wrong))) found = find(summary, false);
  if (find_fault(&found, sim, any_end, wrong)) {
    snprintf(message, SAVED_CONTROL_MESSAGE_SIZE, "%.*s: %s is %s in %d segments; this problem's is %s in %d, %s",
             PATH_SIZE, path, found.key, names[found.signal], found.segments, names[sim->signal], sim->segments, wrong);
    return false;
  }
  double *coarse = calloc((size_t)(p * found.segments) + 1, sizeof *coarse);
  bool good = coarse && take_values(&found, p, coarse);
  if (good) sim_signal_refine(sim->signal, p, found.segments, sim->segments / found.segments, coarse, control);
  if (!coarse)
    snprintf(message, SAVED_CONTROL_MESSAGE_SIZE, "out of memory");
  else if (!good)
    snprintf(message, SAVED_CONTROL_MESSAGE_SIZE, "%.*s: %s is not a list of %d numbers%s, one per control", PATH_SIZE,
             path, found.key, p, found.signal == SIM_CONSTANT ? "" : " for each segment");
  free(coarse);
  return good;
}

size_t saved_control_directory(const char *given) {
  static const char GRID[] = ":grid";
  size_t length = strlen(given), suffix = sizeof GRID - 1;
  return length > suffix && strcmp(given + length - suffix, GRID) == 0 ? length - suffix : length;
}

bool saved_control_read(const char *directory, const SimProblem *sim, bool any_end, double *control,
                        char message[SAVED_CONTROL_MESSAGE_SIZE]) {
  char path[FILE_PATH_SIZE], fault[FORMAT_FAULT_SIZE];
  json_error_t error;
  size_t length = saved_control_directory(directory);
  bool grid = directory[length];
  if (length >= sizeof path ||
      snprintf(path, sizeof path, "%.*s/summary.json", (int)length, directory) >= (int)sizeof path) {
    snprintf(message, SAVED_CONTROL_MESSAGE_SIZE, "the name is too long");
    return false;
  }
  if (access(path, F_OK)) {
    snprintf(message, SAVED_CONTROL_MESSAGE_SIZE, "%.*s: has no summary.json (the results of a run were expected)",
             PATH_SIZE, directory);
    return false;
  }
  json_t *summary = file_json(path, &error);
  if (!summary) {
    snprintf(message, SAVED_CONTROL_MESSAGE_SIZE, "%.*s:%d:%d: %s", PATH_SIZE, path, error.line, error.column,
             error.text);
    return false;
  }
  bool good = !format_fault(format_of_json(summary), FORMAT_SUMMARY, fault);
  if (good)
    good = fill(path, summary, grid, sim, any_end, control, message);
  else
    snprintf(message, SAVED_CONTROL_MESSAGE_SIZE, "%.*s: %s", PATH_SIZE, path, fault);
  json_decref(summary);
  return good;
}
