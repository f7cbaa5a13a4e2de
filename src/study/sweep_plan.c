/* SPDX-License-Identifier: BSD-2-Clause */
#define _XOPEN_SOURCE 700 /* declares realpath */
#include "src/study/sweep_plan.h"

#include "src/base/path.h"
#include "src/file/sections/file.h"
#include "src/file/sections/motion_plan.h"
#include "src/file/text/document.h"
#include "src/process/process.h"
#include "src/run/given_control.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns of the table for searches; they follow the fixed columns. */
static const SweepColumn of_control[] = {
    {"J", "outcome.J", "N^2 s"},
    {"E1", "outcome.E1", "1"},
    {"E2", "outcome.E2", "1"},
    {"exact.E1", "outcome.exact.E1", "1"},
    {"exact.E2", "outcome.exact.E2", "1"},
    {"refined.J", "outcome.refined.J", "N^2 s"},
    {"refined.E1", "outcome.refined.E1", "1"},
    {"refined.E2", "outcome.refined.E2", "1"},
    {"refined.local_minimum", "outcome.refined.optimality.local_minimum", NULL},
    {"refined.reduced_hessian_min", "outcome.refined.optimality.reduced_hessian_min", NULL},
    {"local_minimum", "outcome.optimality.local_minimum", NULL},
    {"reduced_hessian_min", "outcome.optimality.reduced_hessian_min", NULL},
    {"rounds", "counts.rounds", "1"},
    {"evaluations", "counts.evaluations", "1"},
    {"ivps", "counts.ivps", "1"},
    {0}};
static const SweepColumn of_simulation[] = {
    {"steps", "counts.steps", "1"},           {"amplitude", "motion.amplitude", "m"},
    {"frequency", "motion.frequency", "1/s"}, {"work", "energy.work", "J"},
    {"stored", "energy.stored", "J"},         {"dissipated", "energy.dissipated", "J"},
    {"numerical", "energy.numerical", "J"},   {0}};
static const SweepColumn of_applied[] = {
    {"J", "outcome.J", "N^2 s"}, {"E1", "outcome.E1", "1"}, {"E2", "outcome.E2", "1"}, {0}};
static const SweepColumn of_verified[] = {{"exact.events", "verify.exact.events", "1"},
                                          {"verify.x_T", "verify.x_T", "m"},
                                          {"verify.v_T", "verify.v_T", "m/s"},
                                          {"verify.x", "verify.x", "m"},
                                          {"verify.lambda", "verify.lambda", "s"},
                                          {"verify.event_time", "verify.event_time", "s"},
                                          {0}};

static const SweepColumn of_scenarios[] = {{"scenarios.mean", "outcome.scenarios.miss.mean", "1"},
                                           {"scenarios.worst", "outcome.scenarios.miss.worst.miss", "1"},
                                           {0}};
static const SweepColumn of_certified[] = {{"certificate.lower_bound", "outcome.certificate.lower_bound", "N^2 s"},
                                           {"certificate.proven", "outcome.certificate.proven", NULL},
                                           {0}};

/* Columns for motion plans, in place of those for searches with least effort. E1 of a plan is not a distance from the
 * target: it is the largest violation of a constraint, in units of its tolerance. */
static const SweepColumn of_planned[] = {{"T", "outcome.end", "s"},
                                         {"f", "outcome.f", NULL},
                                         {"J", "outcome.J", "N^2 s"},
                                         {"largest_miss", "outcome.E1", "1"},
                                         {"local_minimum", "outcome.optimality.local_minimum", NULL},
                                         {"reduced_hessian_min", "outcome.optimality.reduced_hessian_min", NULL},
                                         {"rounds", "counts.rounds", "1"},
                                         {"evaluations", "counts.evaluations", "1"},
                                         {"ivps", "counts.ivps", "1"},
                                         {0}};

static const SweepColumn of_bounded[] = {
    {"bound.lower_bound", "outcome.bound.lower_bound", "N^2 s"}, {"bound.gap", "outcome.bound.gap", "1"}, {0}};

static void add_columns(SweepPlan *plan, const SweepColumn *columns) {
  for (; columns->name; columns++) plan->columns[plan->n_columns++] = *columns;
}

const char *const sweep_columns_fixed[] = {"outcome", "reason", "warnings", NULL};

/* Returns whether the table already has a column with this name. */
static bool is_taken(const SweepPlan *plan, const char *name) {
  bool taken = strcmp(name, "run") == 0;
  for (const char *const *fixed = sweep_columns_fixed; *fixed; fixed++) taken = taken || strcmp(name, *fixed) == 0;
  for (int k = 0; k < plan->axes.n; k++) taken = taken || strcmp(name, plan->axes.axes[k].key) == 0;
  for (int k = 0; k < plan->n_columns; k++) taken = taken || strcmp(name, plan->columns[k].name) == 0;
  return taken;
}

static int add_given(SweepPlan *plan, const char *path, Diagnostics *diagnostics) {
  char excerpt[EXCERPT_SIZE], modern[NODE_PATH_SIZE];
  /* the path becomes the name of a dataset in sweep.h5, so it must not be . or .. and must not contain / */
  if (!path || !*path || path[strspn(path, ".")] == '\0' || strchr(path, '/'))
    return diagnostics_error(diagnostics, EXIT_USAGE, "--column %s: expected a path like outcome.u[1]",
                             text_excerpt(path ? path : "", excerpt));
  /* a path to a quantile contains a key such as 0.95, which is not an entry of a list */
  if (path_is_old(path, modern, sizeof modern) && !strstr(path, ".quantiles."))
    return diagnostics_error(diagnostics, EXIT_USAGE,
                             "--column %s: entries of lists count from 1, in brackets (expected %s)",
                             text_excerpt(path, excerpt), modern);
  if (is_taken(plan, path))
    return diagnostics_error(diagnostics, EXIT_USAGE, "--column %s: the table has a column of this name already",
                             text_excerpt(path, excerpt));
  plan->columns[plan->n_columns++] = (SweepColumn){path, path, NULL};
  return 0;
}

/* Returns the document of the problem file with the values at `index`. Returns NULL after adding errors to
 * diagnostics. */
static Document *document_with(const SweepPlan *plan, const char *name, const long *index, Diagnostics *diagnostics) {
  Document *document = document_create(name, plan->text, strlen(plan->text), diagnostics);
  if (!document) return NULL;
  int rank = 1;
  for (int k = 0; k < plan->n_settings; k++) document_set(document, plan->settings[k], rank++, diagnostics);
  for (int k = 0; k < plan->axes.n; k++)
    document_set_by(document, "--vary", plan->axes.axes[k].settings[index[k]], rank++, diagnostics);
  if (diagnostics->no_memory) { /* after a lack of memory, a setting may be missing */
    diagnostics_no_memory(diagnostics);
    document_destroy(document);
    return NULL;
  }
  if (process_ranks() == 1 && problem_document_wants_petsc(document) && process_start_petsc(NULL, diagnostics)) {
    document_destroy(document);
    return NULL;
  }
  return document;
}

/* Sections of the file for which searches have additional columns. */
typedef struct FileColumns {
  bool scenarios, certified, bounded, planned;
} FileColumns;

/* Returns whether a key is a section itself, or a key inside the section. */
static bool is_of(const char *key, const char *section) {
  size_t length = strlen(section);
  return strncmp(key, section, length) == 0 && (!key[length] || key[length] == '.');
}

/* Finds which of these sections the file has with the values at `index`, the kind of its model, and whether it sets
 * units. */
static void look_into_file(SweepPlan *plan, const long *index, FileColumns *columns) {
  Diagnostics dropped = {0};
  Document *document = document_with(plan, plan->path, index, &dropped);
  const Node *kind = document ? document_find(document, "model.kind") : NULL;
  if (kind) snprintf(plan->kind, sizeof plan->kind, "%s", kind->text);
  plan->own_units = plan->own_units || (document && document_find(document, "model.units"));
  columns->scenarios = columns->scenarios || (document && document_find(document, "scenarios"));
  columns->certified = columns->certified || (document && document_find(document, "search.certify"));
  columns->bounded = columns->bounded || (document && document_find(document, "search.bound"));
  columns->planned = columns->planned || (document && motion_plan_key(document));
  document_destroy(document);
  diagnostics_clear(&dropped);
}

/* Finds which of these sections the file has in any run. For keys that may add a section, all values are examined; for
 * other keys only the first value. */
static FileColumns look_into_files(SweepPlan *plan) {
  long index[SWEEP_AXES_MAX] = {0};
  FileColumns found = {false, false, false, false};
  look_into_file(plan, index, &found);
  for (int k = 0; k < plan->axes.n; k++) {
    const Axis *axis = &plan->axes.axes[k];
    const char *key = axis->key;
    bool may = plan->control && !axis->range &&
               (is_of(key, "search") || is_of(key, "scenarios") || is_of(key, "control") || is_of(key, "time"));
    for (index[k] = 1; may && index[k] < axis->count; index[k]++) look_into_file(plan, index, &found);
    index[k] = 0;
    plan->own_units = /* whether the file has model.units, or may get it by a later value of a key */
        plan->own_units || strcmp(key, "model") == 0 || strcmp(key, "model.kind") == 0 || is_of(key, "model.units");
  }
  return found;
}

/* Finds the columns that follow those of the varied keys. */
static int find_columns(SweepPlan *plan, Diagnostics *diagnostics) {
  int code = 0;
  const json_t *given = json_object_get(plan->json, "columns");
  const FileColumns found = look_into_files(plan);
  add_columns(plan, !plan->control ? of_simulation : found.planned ? of_planned : of_control);
  if (plan->applied) add_columns(plan, of_applied);
  if (plan->verify) add_columns(plan, of_verified);
  if (plan->control && found.scenarios) add_columns(plan, of_scenarios);
  if (plan->control && found.certified) add_columns(plan, of_certified);
  if (plan->control && found.bounded) add_columns(plan, of_bounded);
  if (json_array_size(given) + (size_t)plan->n_columns > SWEEP_COLUMNS_MAX)
    return diagnostics_error(diagnostics, EXIT_USAGE, "%zu times --column (expected at most %d)",
                             json_array_size(given), SWEEP_COLUMNS_MAX - plan->n_columns);
  for (size_t k = 0; k < json_array_size(given) && !code; k++)
    code = add_given(plan, json_string_value(json_array_get(given, k)), diagnostics);
  return code;
}

/* Sets texts to the texts of an array. Returns their number; -1 if there are too many, or some entry is not a text. */
static int texts_of(const json_t *array, int most, char **texts) {
  size_t n = json_array_size(array);
  for (size_t k = 0; k < n && n <= (size_t)most; k++) {
    texts[k] = (char *)json_string_value(json_array_get(array, k)); /* the cast is safe, since the texts are only
                                                                     * read */
    if (!texts[k]) return -1;
  }
  return n <= (size_t)most ? (int)n : -1;
}

int sweep_plan_read(json_t *json, SweepPlan *plan, Diagnostics *diagnostics) {
  char *varies[SETTINGS_MAX];
  *plan = (SweepPlan){.json = json};
  plan->path = json_string_value(json_object_get(json, "path"));
  plan->file = json_string_value(json_object_get(json, "file"));
  plan->text = json_string_value(json_object_get(json, "text"));
  plan->n_settings = texts_of(json_object_get(json, "settings"), SETTINGS_MAX, plan->settings);
  int n = texts_of(json_object_get(json, "vary"), SETTINGS_MAX, varies);
  if (!plan->path || !plan->file || !plan->text || plan->n_settings < 0 || n < 0)
    return diagnostics_error(diagnostics, EXIT_USAGE, "not a sweep of stiction");
  plan->control = json_is_true(json_object_get(json, "control"));
  plan->applied = json_string_value(json_object_get(json, "applied"));
  plan->verify = json_is_true(json_object_get(json, "verify"));
  plan->keep = json_is_true(json_object_get(json, "keep"));
  plan->limits.seconds = json_number_value(json_object_get(json, "max_seconds"));
  plan->limits.bytes = json_number_value(json_object_get(json, "max_memory"));
  plan->limits.variables = (int)json_integer_value(json_object_get(json, "max_variables"));
  int code = axes_read(&plan->axes, varies, n, json_is_true(json_object_get(json, "zip")), diagnostics);
  return code ? code : find_columns(plan, diagnostics);
}

void sweep_plan_clear(SweepPlan *plan) {
  axes_clear(&plan->axes);
  json_decref(plan->json);
  *plan = (SweepPlan){0};
}

/* Returns whether the file has a section control. */
static bool has_control(const char *path, const char *text, size_t size, const Options *options) {
  Diagnostics dropped = {0};
  Document *document = document_create(path, text, size, &dropped);
  for (int k = 0; document && k < options->n_settings; k++)
    document_set(document, options->settings[k], k + 1, &dropped);
  bool has = document && document_find(document, "control");
  document_destroy(document);
  diagnostics_clear(&dropped);
  return has;
}

/* Checks the options --control and --simulate. control: the file has a section control. */
static int check_options(const Options *options, bool control, Diagnostics *diagnostics) {
  if (options->sweep == SWEEP_BOTH)
    return diagnostics_error(diagnostics, EXIT_USAGE,
                             "--control and --simulate: expected one of them, or --simulate --control=U");
  if (options->control && options->sweep != SWEEP_SIMULATE)
    return diagnostics_error(diagnostics, EXIT_USAGE, "--control=U is for --simulate (searches find their control)");
  if (control && options->verify)
    return diagnostics_error(diagnostics, EXIT_USAGE, "--verify is for simulations (output.verify: of searches)");
  return 0;
}

/* Returns the control of simulations as JSON: a directory as an absolute path; null if no control is given. */
static json_t *applied_control(const char *given) {
  char *path = given && !given_control_is_start(given) ? realpath(given, NULL) : NULL;
  json_t *json = path ? json_string(path) : given ? json_string(given) : json_null();
  free(path);
  return json;
}

static json_t *texts(char *const *list, int n) {
  json_t *array = json_array();
  for (int k = 0; k < n; k++) json_array_append_new(array, json_string(list[k]));
  return array;
}

/* Reports each --set of a key that varies, or of a value inside such a key, since the sweep would overwrite it. */
static int check_settings(const SweepPlan *plan, Diagnostics *diagnostics) {
  int code = 0;
  for (int k = 0; k < plan->n_settings; k++)
    for (int i = 0; i < plan->axes.n; i++) {
      const char *key = plan->axes.axes[i].key, *setting = plan->settings[k];
      size_t length = strlen(key);
      if (strncmp(setting, key, length) != 0 || !setting[length] || !strchr("=.[", setting[length])) continue;
      code = diagnostics_error(diagnostics, EXIT_USAGE,
                               "--set %s: --vary %s replaces this value (expected one of the two)", setting, key);
    }
  return code;
}

int sweep_plan_make(const Options *options, SweepPlan *plan, Diagnostics *diagnostics) {
  size_t size;
  *plan = (SweepPlan){0};
  char *text = file_read(options->argument, &size, diagnostics), *path = realpath(options->argument, NULL);
  if (!text) {
    free(path);
    return EXIT_USAGE;
  }
  bool control = options->sweep == SWEEP_CONTROL ||
                 (options->sweep == SWEEP_AS_FILE && has_control(options->argument, text, size, options));
  json_t *json = json_pack(
      "{s:s, s:s, s:s%, s:o, s:o, s:o, s:o, s:b, s:b, s:b, s:b, s:f, s:f, s:i}", "file",
      path ? path : options->argument, "path", options->argument, "text", text, size, "settings",
      texts(options->settings, options->n_settings), "vary", texts(options->varies, options->n_varies), "columns",
      texts(options->columns, options->n_columns), "applied", applied_control(options->control), "zip", options->zip,
      "control", control, "verify", options->verify, "keep", options->keep, "max_seconds", options->limits.seconds,
      "max_memory", options->limits.bytes, "max_variables", options->limits.variables);
  free(text);
  free(path);
  if (!json) return diagnostics_error(diagnostics, EXIT_USAGE, "%s: not a text in UTF-8", options->argument);
  int code = check_options(options, control, diagnostics);
  if (code)
    json_decref(json);
  else
    code = sweep_plan_read(json, plan, diagnostics);
  return code ? code : check_settings(plan, diagnostics);
}

int sweep_plan_problem(const SweepPlan *plan, const char *name, const long *index, bool by_pattern,
                       Diagnostics *diagnostics, Problem *problem) {
  const ModelRanks alone = {.copies = 1, .limits = plan->limits, .by_pattern = by_pattern};
  Diagnostics found = {0};
  Document *document = document_with(plan, name, index, diagnostics);
  if (document && !diagnostics->errors && !diagnostics->no_memory)
    return problem_read_document(document, plan->control, &alone, &found, diagnostics, problem);
  document_destroy(document);
  return diagnostics->no_memory ? EXIT_INTERNAL : EXIT_USAGE;
}

bool sweep_plan_limits_seconds(const SweepPlan *plan, long run) {
  static const char *const keys[] = {"search.max_seconds", "search.certify.max_seconds", "search.bound.max_seconds",
                                     NULL};
  long index[SWEEP_AXES_MAX];
  Diagnostics dropped = {0}; /* errors are reported by the run itself */
  bool limited = false;
  axes_index(&plan->axes, run, index);
  Document *document = document_with(plan, plan->path, index, &dropped);
  for (const char *const *key = keys; document && *key; key++) limited = limited || document_find(document, *key);
  document_destroy(document);
  diagnostics_clear(&dropped);
  return limited;
}
