/* SPDX-License-Identifier: BSD-2-Clause */
#define _XOPEN_SOURCE 700 /* declares realpath */
#include "src/run/run_record.h"

#include "control/base/clock.h"
#include "sim/version.h"
#include "src/base/file_open.h"
#include "src/base/formats.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char UP[] = "../", RUN[] = "checkpoint/run.json", PROBLEM[] = "checkpoint/problem.yaml",
                  PROBLEM_SUM[] = "problem_sum";

static int path_of(const RunRecord *record, const char *name, char *path) {
  if (snprintf(path, FILE_PATH_SIZE, "%s/%s", record->results.directory, name) < FILE_PATH_SIZE) return 0;
  return diagnostics_error(record->results.diagnostics, EXIT_USAGE, "%s: the name is too long",
                           record->results.directory);
}

static int checkpoint_error(const RunRecord *record, int code) {
  return diagnostics_error(record->results.diagnostics, code, "%s", record->checkpoint.text);
}

/* Makes the names of files in `folder`, which ends with /, relative to its subfolder checkpoint/. The folder can then
 * be moved. */
static void make_relative(json_t *json, const char *folder) {
  char name[FILE_PATH_SIZE];
  const char *key, *file = json_string_value(json_object_get(json, "file"));
  size_t i, length = strlen(folder);
  json_t *value;
  if (file && strncmp(file, folder, length) == 0 &&
      snprintf(name, sizeof name, "%s%s", UP, file + length) < FILE_PATH_SIZE)
    json_object_set_new(json, "file", json_string(name));
  json_object_foreach(json, key, value) make_relative(value, folder);
  json_array_foreach(json, i, value) make_relative(value, folder);
}

/* Returns a copy of a resolved problem, or of the plan of a sweep, with relative names of files. The run can be resumed
 * from it. The caller owns the reference; NULL if there is no memory. */
static json_t *portable(const RunRecord *record, const json_t *echo) {
  json_t *copy = json_deep_copy(echo);
  char *real = realpath(record->results.directory, NULL), folder[FILE_PATH_SIZE];
  if (copy && real && snprintf(folder, sizeof folder, "%s/", real) < FILE_PATH_SIZE) make_relative(copy, folder);
  free(real);
  return copy;
}

/* Returns a hash of everything that affects the results, including the build of the program. */
static uint64_t identity(const RunRecord *record, const json_t *echo) {
  json_t *meaning = portable(record, echo);
  json_object_del(meaning, "checkpoint");
  json_object_set_new(meaning, "sources", json_string(source_hash()));
  char *text = meaning ? json_dumps(meaning, JSON_SORT_KEYS | JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
  uint64_t value = text ? ctl_checkpoint_identity(text, strlen(text)) : 0;
  free(text);
  json_decref(meaning);
  return value;
}

static int take_lock(RunRecord *record) {
  Results *results = &record->results;
  if (results->lock < 0) results->lock = results_lock(results, RESULTS_LOCK, O_CREAT);
  return results->lock < 0 ? EXIT_USAGE : 0;
}

static int write_json(const RunRecord *record, const char *name, const json_t *json) {
  return results_write_json(&record->results, name, json, 17) ? EXIT_INTERNAL : 0;
}

/* Writes the CRC-32 of the file checkpoint/problem.yaml in hexadecimal; "" if the file cannot be read. */
static void sum_problem(const RunRecord *record, char text[16]) {
  char path[FILE_PATH_SIZE];
  size_t size;
  Diagnostics ignored = {0}; /* errors are reported later, when the file is read as a problem */
  char *bytes = path_of(record, PROBLEM, path) ? NULL : file_read(path, &size, &ignored);
  /* reads the file a second time, since a signal may have interrupted the first attempt */
  if (!bytes) bytes = file_read(path, &size, &ignored);
  *text = '\0';
  if (bytes) snprintf(text, 16, "%08" PRIx32, ctl_checkpoint_sum(0, bytes, size));
  diagnostics_clear(&ignored);
  free(bytes);
}

/* Checks that the problem is exactly the one with which the run began. This includes keys that do not affect the
 * results. Records of older versions have no checksum, so this is not checked for them. */
static int check_problem(const RunRecord *record) {
  const char *sum = json_string_value(json_object_get(record->json, PROBLEM_SUM));
  char now[16];
  if (!sum) return 0;
  sum_problem(record, now);
  if (!*now || strcmp(sum, now) == 0) return 0;
  return diagnostics_error(record->results.diagnostics, EXIT_USAGE, "%s/%s: has been changed since the run began",
                           record->results.directory, PROBLEM);
}

/* Refuses texts (paths and options) that are not UTF-8, which JSON cannot represent. */
static int check_texts(const Results *results, const Options *options) {
  char *path = realpath(options->argument, NULL);
  json_t *texts = json_pack("[s, s]", path ? path : options->argument, options->petsc);
  bool good = texts != NULL;
  json_decref(texts);
  free(path);
  if (good) return 0;
  rmdir(results->directory); /* removes the directory if it is empty, as it was created for this run */
  return diagnostics_error(results->diagnostics, EXIT_USAGE,
                           "%s: its path, or an option, is not text in UTF-8, as results are (rename it)",
                           options->argument);
}

/* Returns the limits of a run as JSON, from which other programs compute how much is left. */
static json_t *limits_of(const Problem *problem) {
  const CtlProblem *control = &problem->control;
  return json_pack("{s:f, s:I, s:I, s:f}", "seconds", control->max_seconds, "simplexes",
                   (json_int_t)control->max_simplexes, "evaluations", (json_int_t)control->max_evaluations, "end",
                   problem->sim.end);
}

static json_t *describe(const char *command, const Options *options, const Problem *problem, const double *control) {
  char *path = realpath(options->argument, NULL);
  json_t *settings = json_array(), *list = control ? json_array() : NULL;
  for (int i = 0; i < options->n_settings; i++) json_array_append_new(settings, json_string(options->settings[i]));
  for (int i = 0; control && i < stiction_problem_variables(&problem->sim); i++)
    json_array_append_new(list, json_real(control[i]));
  json_t *json = json_pack("{s:i, s:s, s:s, s:s, s:s, s:o, s:o}", "format", FORMAT_RUN, "command", command, "version",
                           STICTION_VERSION, "sources", source_hash(), "file", path ? path : options->argument,
                           "settings", settings, "limits", limits_of(problem));
  if (json && list) json_object_set_new(json, "u", list);
  if (json && options->verify) json_object_set_new(json, "verify", json_true());
  if (json && options->only_asked) json_object_set_new(json, "only_asked", json_true());
  if (json && *options->petsc) json_object_set_new(json, "petsc", json_string(options->petsc));
  free(path);
  return json;
}

static int open_checkpoint(RunRecord *record, const Problem *problem, const json_t *echo) {
  char path[FILE_PATH_SIZE];
  if (path_of(record, "checkpoint", path)) return EXIT_USAGE;
  if (!ctl_checkpoint_open(&record->checkpoint, path, identity(record, echo), problem->checkpoint_seconds,
                           ctl_seconds()))
    return 0;
  return checkpoint_error(record, EXIT_USAGE);
}

int run_record_create(RunRecord *record, const Results *results, const char *command, const Options *options,
                      const Problem *problem, const double *control, json_t *sweep) {
  if (check_texts(results, options)) return EXIT_USAGE;
  json_t *echo = problem_echo(problem);
  *record = (RunRecord){.results = *results};
  record->json = describe(command, options, problem, control);
  if (sweep && json_object_set_new(record->json, "sweep", portable(record, sweep))) {
    json_decref(record->json);
    record->json = NULL;
  }
  int code = echo && record->json ? open_checkpoint(record, problem, echo)
                                  : diagnostics_no_memory(record->results.diagnostics);
  if (!code) code = take_lock(record);
  /* Removes states that another run may have written before it released the lock. */
  if (!code) ctl_checkpoint_clear(&record->checkpoint);
  json_t *kept = code ? NULL : portable(record, echo);
  if (!code) code = kept ? write_json(record, PROBLEM, kept) : diagnostics_no_memory(record->results.diagnostics);
  json_decref(kept);
  char sum[16] = "";
  if (!code) sum_problem(record, sum);
  if (!code && !*sum)
    code = diagnostics_error(record->results.diagnostics, EXIT_INTERNAL, "%s/%s: cannot be read",
                             record->results.directory, PROBLEM);
  if (!code && json_object_set_new(record->json, PROBLEM_SUM, json_string(sum)))
    code = diagnostics_no_memory(record->results.diagnostics);
  if (!code) code = write_json(record, RUN, record->json);
  json_decref(echo);
  return code;
}

/* Checks that this build gives the same results as the one with which the run began. */
static int check_build(const RunRecord *record, const char *path) {
  char fault[FORMAT_FAULT_SIZE];
  if (format_fault(format_of_json(record->json), FORMAT_RUN, fault))
    return diagnostics_error(record->results.diagnostics, EXIT_USAGE, "%s: %s", path, fault);
  const char *version = json_string_value(json_object_get(record->json, "version"));
  const char *sources = json_string_value(json_object_get(record->json, "sources"));
  if (version && sources && !strcmp(version, STICTION_VERSION) && !strcmp(sources, source_hash())) return 0;
  return diagnostics_error(record->results.diagnostics, EXIT_USAGE,
                           "%s: begun by version %s (sources %s); this is %s (%s), and its answer might differ",
                           record->results.directory, version ? version : "unknown", sources ? sources : "unknown",
                           STICTION_VERSION, source_hash());
}

int run_record_open(RunRecord *record, const char *directory, Diagnostics *diagnostics) {
  char path[FILE_PATH_SIZE];
  json_error_t error;
  *record = (RunRecord){.results = {.diagnostics = diagnostics, .lock = -1}};
  if (strlen(directory) >= sizeof record->results.directory) return EXIT_USAGE;
  strcpy(record->results.directory, directory);
  if (path_of(record, RUN, path) || results_check_folders(&record->results)) return EXIT_USAGE;
  if (access(path, F_OK))
    return diagnostics_error(record->results.diagnostics, EXIT_USAGE, "%s: no run to go on with (%s: %s)", directory,
                             RUN, strerror(errno));
  /* The lock is taken before the record is read, since the process that holds it may be about to end the run. A value
   * -1 means that there is no lock, e.g. on a read-only disk. */
  int lock = results_lock(&record->results, RESULTS_LOCK, 0);
  if (lock == -2) return EXIT_USAGE;
  record->json = file_json(path, &error);
  if (record->json)
    record->results.lock = lock;
  else if (lock >= 0)
    close(lock);
  if (!record->json || !run_record_command(record))
    return diagnostics_error(record->results.diagnostics, EXIT_USAGE, "%s:%d:%d: %s", path, error.line, error.column,
                             record->json ? "not a run of stiction" : error.text);
  int code = check_build(record, path);
  return code ? code : check_problem(record);
}

const char *run_record_command(const RunRecord *record) {
  return json_string_value(json_object_get(record->json, "command"));
}

bool run_record_ended(const RunRecord *record, int *code) {
  const json_t *value = json_object_get(record->json, "exit");
  *code = (int)json_integer_value(value);
  return json_is_integer(value);
}

/* Checks that the problem file of the run is unchanged, if it still exists. */
static int compare_with_file(const RunRecord *record, const WorkLimits *limits, bool control, json_t *echo) {
  json_t *list = json_object_get(record->json, "settings");
  const char *file = json_string_value(json_object_get(record->json, "file"));
  char *settings[SETTINGS_MAX];
  int n = (int)json_array_size(list);
  if (!file || n > SETTINGS_MAX) return 0;
  for (int i = 0; i < n; i++) {
    /* the cast is safe, since the texts are only read */
    settings[i] = (char *)json_string_value(json_array_get(list, (size_t)i));
    if (!settings[i]) return 0;
  }
  int code = access(file, F_OK)
                 ? 0
                 : problem_changes_report(file, settings, n, control, echo, limits, record->results.diagnostics);
  if (code == EXIT_USAGE)
    diagnostics_error(record->results.diagnostics, EXIT_USAGE,
                      "%s: its problem file has changed, or cannot be read, since the run began",
                      record->results.directory);
  return code;
}

int run_record_options(const RunRecord *record, char path[FILE_PATH_SIZE], Options *options) {
  const char *petsc = json_string_value(json_object_get(record->json, "petsc"));
  snprintf(options->petsc, sizeof options->petsc, "%s", petsc ? petsc : "");
  options->verify = json_is_true(json_object_get(record->json, "verify"));
  options->only_asked = json_is_true(json_object_get(record->json, "only_asked"));
  return path_of(record, PROBLEM, path);
}

int run_record_check(RunRecord *record, const Problem *problem) {
  bool control = strcmp(run_record_command(record), "control") == 0;
  int code = take_lock(record);
  if (code) return code;
  json_t *echo = problem_echo(problem);
  code = echo ? compare_with_file(record, &problem->limits, control, echo)
              : diagnostics_no_memory(record->results.diagnostics);
  if (!code) code = open_checkpoint(record, problem, echo);
  json_decref(echo);
  return code;
}

json_t *run_record_sweep(const RunRecord *record) {
  char path[FILE_PATH_SIZE];
  json_t *sweep = json_copy(json_object_get(record->json, "sweep"));
  const char *file = json_string_value(json_object_get(sweep, "file"));
  size_t up = strlen(UP);
  bool moves = file && strncmp(file, UP, up) == 0 && !path_of(record, file + up, path);
  char *real = moves ? realpath(path, NULL) : NULL;
  if (real) json_object_set_new(sweep, "file", json_string(real));
  free(real);
  return sweep;
}

int run_record_control(const RunRecord *record, int p, double *control, bool *given) {
  json_t *list = json_object_get(record->json, "u");
  *given = list != NULL;
  bool good = !list || json_array_size(list) == (size_t)p;
  for (int i = 0; list && good && i < p; i++) {
    control[i] = json_number_value(json_array_get(list, (size_t)i));
    good = json_is_number(json_array_get(list, (size_t)i));
  }
  if (good) return 0;
  return diagnostics_error(record->results.diagnostics, EXIT_USAGE, "%s/%s: u is not a list of %d numbers",
                           record->results.directory, RUN, p);
}

int run_record_state(RunRecord *record, void **bytes, size_t *size) {
  int found = ctl_checkpoint_read(&record->checkpoint, bytes, size);
  if (found < 0) return checkpoint_error(record, EXIT_USAGE);
  if (record->checkpoint.text[0])
    diagnostics_warn(record->results.diagnostics, "%s; going on from the other generation", record->checkpoint.text);
  return 0;
}

int run_record_save(RunRecord *record, const void *bytes, size_t size, double now) {
  if (!ctl_checkpoint_write(&record->checkpoint, bytes, size, now)) return 0;
  CtlCheckpoint last = record->checkpoint; /* a copy is used, since the folder may no longer exist when the checkpoint
                                            * is written */
  void *state = NULL;
  bool intact = ctl_checkpoint_read(&last, &state, &size) > 0;
  free(state);
  return diagnostics_error(record->results.diagnostics, EXIT_INTERNAL, "no checkpoint could be written: %s; %s",
                           record->checkpoint.text, intact ? "the last one is intact" : "there is none to go on from");
}

bool run_record_replay_stopped(RunRecord *record) {
  bool before = json_is_true(json_object_get(record->json, "replay_stopped"));
  json_object_set_new(record->json, "replay_stopped", json_true());
  write_json(record, RUN, record->json); /* an error is only reported and not returned, since the state itself has been
                                          * written */
  return before;
}

void run_record_note_seconds(RunRecord *record, double seconds) {
  json_object_set_new(record->json, "seconds", json_real(seconds));
  write_json(record, RUN, record->json); /* an error is only reported and not returned, so that the run continues */
}

double run_record_seconds(const RunRecord *record) {
  double seconds = json_number_value(json_object_get(record->json, "seconds"));
  return seconds > 0 ? seconds : 0;
}

int run_record_end(RunRecord *record, int code) {
  json_object_set_new(record->json, "exit", json_integer(code));
  if (write_json(record, RUN, record->json)) return EXIT_INTERNAL;
  ctl_checkpoint_clear(&record->checkpoint);
  return 0;
}

void run_record_close(RunRecord *record) {
  json_decref(record->json);
  if (record->json && record->results.lock >= 0) close(record->results.lock);
  *record = (RunRecord){.results.lock = -1};
}
