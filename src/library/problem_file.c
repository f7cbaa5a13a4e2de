/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/library/problem_file.h"

#include "sim/base/argument.h"
#include "src/base/plain_locale.h"
#include "src/file/sections/file.h"
#include "src/file/sections/motion_plan.h"
#include "src/file/sections/originals.h"

#include <stdio.h>
#include <stdlib.h>

enum { FIRST_SIZE = 320 };

struct StictionFile {
  Problem problem;
  Originals originals;
  /* for a file with a plan: the plan, and its search problem, which stiction_solve solves; otherwise NULL and zeros */
  CtlPlan *plan;
  CtlProblem sought;
};

/* Receivers of the diagnostics while a file is read. The listener, which may be NULL, gets all of them.
 * stiction_status_text returns the first error. */
typedef struct Hearers {
  const StictionListener *listener;
  SimReport first;
  bool kept;
} Hearers;

/* Passes a diagnostic of the reader to the listener. Keeps the first error for stiction_status_text. */
static void pass(void *to, const Diagnostic *diagnostic) {
  const Hearers *hearers = to;
  const StictionListener *listener = hearers->listener;
  const Place *place = &diagnostic->place;
  if (!diagnostic->warning) {
    char key[FIRST_SIZE];
    if (diagnostic->key && place->line)
      snprintf(key, sizeof key, "%s:%ld:%ld: %s", place->name, place->line, place->column, diagnostic->key);
    else
      snprintf(key, sizeof key, "%s%s%s", place->name && diagnostic->key ? place->name : "problem file",
               diagnostic->key ? ": " : "", diagnostic->key ? diagnostic->key : "");
    hearers->first.complain(hearers->first.context, key, diagnostic->text);
  }
  if (!listener || !listener->tell) return;
  listener->tell(listener->context, &(StictionMessage){.file = diagnostic->key ? place->name : NULL,
                                                       .line = place->line,
                                                       .column = place->column,
                                                       .key = diagnostic->key,
                                                       .text = diagnostic->text,
                                                       .warning = diagnostic->warning});
}

static void report(void *context, const char *key, const char *text) {
  const StictionListener *listener = context;
  if (listener && listener->tell) listener->tell(listener->context, &(StictionMessage){.key = key, .text = text});
}

SimReport stiction_listener_report(const StictionListener *listener) { return (SimReport){(void *)listener, report}; }

/* Returns a list that passes diagnostics to `hearers`, which must exist as long as the list is used. */
static Diagnostics diagnostics_for(const StictionListener *listener, Hearers *hearers) {
  *hearers = (Hearers){.listener = listener};
  hearers->first = argument_first_error(&hearers->kept);
  return (Diagnostics){.report = pass, .to = hearers};
}

/* Returns whether a required argument is NULL, and reports it if so. */
static bool is_missing(const void *argument, const char *name, Diagnostics *diagnostics) {
  if (argument) return false;
  diagnostics_error(diagnostics, EXIT_USAGE, "%s: NULL", name);
  return true;
}

/* Returns whether the list of settings, or one of them, is NULL, and reports it if so. */
static bool misses_settings(int n, char *const *settings, Diagnostics *diagnostics) {
  if (n > 0 && is_missing(settings, "settings", diagnostics)) return true;
  for (int k = 0; k < n; k++)
    if (is_missing(settings[k], "settings", diagnostics)) return true;
  return false;
}

/* Creates the search problem of a file with a plan. */
static SimStatus prepare_plan(StictionFile *file) {
  SimStatus status = motion_plan_create(&file->problem, NULL, &file->plan);
  if (status == SIM_OK) status = motion_plan_search(&file->problem, file->plan, &file->sought);
  file->sought.statistic = file->problem.plan->statistic; /* stiction_solve refuses one over scenarios */
  return status;
}

/* Ends reading. Sets *out to the file, or to NULL after an error. Returns the status that corresponds to the exit
 * code. */
static SimStatus finish(int code, StictionFile *file, StictionFile **out, Diagnostics *diagnostics) {
  diagnostics_clear(diagnostics);
  *out = NULL;
  if (code) free(file);
  if (code) return code == EXIT_INTERNAL ? SIM_NO_MEMORY : SIM_BAD_PROBLEM;
  problem_originals(&file->problem, &file->originals);
  file->problem.control.motion = &file->problem.sim; /* stiction_solve reads the motion from here */
  SimStatus status = file->problem.plan ? prepare_plan(file) : SIM_OK;
  if (status == SIM_OK)
    *out = file;
  else
    stiction_file_destroy(file);
  return status;
}

SimStatus stiction_file_read(const char *path, int n, char *const *settings, SimGroup *group,
                             const StictionListener *listener, StictionFile **out) {
  const ModelRanks ranks = {.group = group, .copies = 1};
  Hearers hearers;
  Diagnostics diagnostics = diagnostics_for(listener, &hearers);
  if (is_missing(out, "file", &diagnostics)) return SIM_BAD_PROBLEM;
  *out = NULL;
  if (is_missing(path, "path", &diagnostics) || misses_settings(n, settings, &diagnostics)) return SIM_BAD_PROBLEM;
  StictionFile *file = calloc(1, sizeof *file);
  int missing = sim_group_agree(group, file ? 0 : EXIT_INTERNAL);
  if (missing) return finish(missing, file, out, &diagnostics);
  PlainLocale locale = plain_locale_enter();
  int code = problem_file_read_shared(path, settings, n, false, &ranks, &diagnostics, &file->problem);
  SimStatus status = finish(code, file, out, &diagnostics);
  plain_locale_leave(locale);
  return status;
}

SimStatus stiction_text_read(const char *name, const char *text, size_t size, int n, char *const *settings,
                             const StictionListener *listener, StictionFile **out) {
  const ModelRanks ranks = {.copies = 1};
  Hearers hearers;
  Diagnostics diagnostics = diagnostics_for(listener, &hearers);
  if (is_missing(out, "file", &diagnostics)) return SIM_BAD_PROBLEM;
  *out = NULL;
  if (is_missing(name, "name", &diagnostics) || is_missing(text, "text", &diagnostics) ||
      misses_settings(n, settings, &diagnostics))
    return SIM_BAD_PROBLEM;
  StictionFile *file = calloc(1, sizeof *file);
  if (!file) return finish(EXIT_INTERNAL, file, out, &diagnostics);
  PlainLocale locale = plain_locale_enter();
  int code = problem_text_read(name, text, size, settings, n, &ranks, &diagnostics, &file->problem);
  SimStatus status = finish(code, file, out, &diagnostics);
  plain_locale_leave(locale);
  return status;
}

void stiction_file_destroy(StictionFile *file) {
  if (!file) return;
  ctl_problem_clear(&file->sought);
  ctl_plan_destroy(file->plan);
  problem_clear(&file->problem);
  free(file);
}

const SimProblem *stiction_file_problem(const StictionFile *file) { return file ? &file->problem.sim : NULL; }

const CtlProblem *stiction_file_control(const StictionFile *file) {
  if (!file || !file->problem.has_control) return NULL;
  return file->plan ? &file->sought : &file->problem.control;
}

bool stiction_file_has_plan(const StictionFile *file) { return file && file->plan; }

SimStatus stiction_file_motion(const StictionFile *file, const double *point, SimProblem **motion) {
  ARGUMENT_THERE(motion);
  *motion = NULL;
  ARGUMENT_THERE(file);
  ARGUMENT_THERE(point);
  if (!file->plan) return stiction_problem_clone(&file->problem.sim, motion);
  SimProblem *own = calloc(1, sizeof *own);
  if (!own) return SIM_NO_MEMORY;
  SimStatus status = motion_plan_motion(&file->problem, file->plan, point, own);
  if (status == SIM_OK)
    *motion = own;
  else
    free(own);
  return status;
}

const char *stiction_file_title(const StictionFile *file) { return file ? file->problem.title : NULL; }

long stiction_file_every(const StictionFile *file) { return file ? file->problem.output_every : 0; }

SimStatus stiction_file_examine(const StictionFile *file, SimWorkspace *work) {
  ARGUMENT_THERE(file);
  ARGUMENT_THERE(work);
  return sim_workspace_examine(work, &file->originals.functions);
}

char *stiction_file_echo(const StictionFile *file) {
  json_t *echo = file ? problem_echo(&file->problem) : NULL;
  char *text = echo ? json_dumps(echo, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
  json_decref(echo);
  return text;
}
