/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/spool/job_file.h"

#include "src/base/formats.h"
#include "src/base/json_values.h"
#include "src/spool/spool_folders.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const job_command_names[JOB_COMMANDS] = {"", "control", "simulate", "sweep", "identify"};

typedef enum OptionValue { VALUE_NONE, VALUE_MAYBE, VALUE_NEEDED } OptionValue;

/* Options that a service allows in jobs. -o and --force are not allowed, since the service decides where results are
 * written. --max-seconds and --max-memory are not allowed, since the service has limits of its own. */
static const struct {
  JobCommand command;
  const char *name;
  OptionValue value;
} allowed[] = {
    {JOB_SWEEP, "--vary", VALUE_NEEDED},       {JOB_SWEEP, "--zip", VALUE_NONE},
    {JOB_SWEEP, "--column", VALUE_NEEDED},     {JOB_SWEEP, "--keep", VALUE_NONE},
    {JOB_SWEEP, "--control", VALUE_MAYBE},     {JOB_SWEEP, "--simulate", VALUE_NONE},
    {JOB_SIMULATE, "--control", VALUE_NEEDED}, {JOB_SIMULATE, "--scenarios", VALUE_NONE},
    {JOB_SIMULATE, "--verify", VALUE_NONE},
};
enum { ALLOWED = sizeof allowed / sizeof *allowed, HEAD_SIZE = 4096 };

JobCommand job_command_find(const char *name) {
  for (int c = JOB_CONTROL; c < JOB_COMMANDS; c++)
    if (strcmp(name, job_command_names[c]) == 0) return (JobCommand)c;
  return JOB_AS_FILE;
}

void job_file_clear(JobFile *job) {
  for (int i = 0; i < job->n_settings; i++) free(job->settings[i]);
  for (int i = 0; i < job->n_options; i++) free(job->options[i]);
  free(job->file);
  *job = (JobFile){.command = JOB_AS_FILE};
}

bool job_file_add(char **list, int *n, const char *text) {
  if (*n == SETTINGS_MAX || !(list[*n] = strdup(text))) return false;
  (*n)++;
  return true;
}

/* Reading and checking the options of a job ------------------------------------------------------------------------ */

/* Returns whether the value of --control is `start` or a list of numbers, but not a directory. */
static bool is_control(const char *text) {
  return strcmp(text, "start") == 0 || (*text && !text[strspn(text, "0123456789.,eE+-")]);
}

static int refuse(const char *name, const char *key, const char *word, const char *why, Diagnostics *diagnostics) {
  char excerpt[EXCERPT_SIZE];
  diagnostics_add(diagnostics, &(Place){.name = name}, key, "%s %s", text_excerpt(word, excerpt), why);
  return EXIT_USAGE;
}

/* Returns what is wrong with the value of option number a; NULL: the value is valid. */
static const char *value_fault(int a, const char *value) {
  if (allowed[a].value == VALUE_NONE && value) return "takes no value";
  if (allowed[a].value == VALUE_NEEDED && !value) return "needs a value behind it";
  bool control = value && strcmp(allowed[a].name, "--control") == 0;
  return control && !is_control(value)
             ? "is no control of numbers (expected u1,u2,.. or start: a service reads no other folders)"
             : NULL;
}

/* Finds the option in the table of which the name is the first `length` bytes of a word. Returns ALLOWED if there is
 * none. */
static int find_option(JobCommand command, const char *word, size_t length) {
  int a = 0;
  while (a < ALLOWED && (allowed[a].command != command || strlen(allowed[a].name) != length ||
                         strncmp(allowed[a].name, word, length) != 0))
    a++;
  return a;
}

static int refuse_option(const JobFile *job, const char *name, const char *word, size_t length,
                         Diagnostics *diagnostics) {
  const char *own = job_command_names[job->command];
  char why[128];
  snprintf(why, sizeof why, "is no option of %s that a service allows", own);
  for (int c = 0; c < JOB_COMMANDS; c++)
    if (find_option((JobCommand)c, word, length) < ALLOWED)
      snprintf(why, sizeof why,
               "is an option of %s, not of %s (--command %s, or the first line, # stiction: %s, says which)",
               job_command_names[c], own, job_command_names[c], job_command_names[c]);
  return refuse(name, "options", word, why, diagnostics);
}

/* Joins the option words[*k] and its value, which may be the next word, to one word. Sets *k to the last word that was
 * used. */
static int take_option(JobFile *job, char **words, int n, int *k, const char *name, Diagnostics *diagnostics) {
  char *word = words[*k];
  size_t length = strcspn(word, "=");
  int a = find_option(job->command, word, length);
  if (a == ALLOWED) return refuse_option(job, name, word, length, diagnostics);
  const char *value = word[length] ? word + length + 1 : NULL;
  if (!value && allowed[a].value == VALUE_NEEDED && *k + 1 < n) value = words[++*k];
  const char *fault = value_fault(a, value);
  if (fault) return refuse(name, "options", word[length] || !value ? word : value, fault, diagnostics);
  size_t size = length + (value ? strlen(value) : 0) + 2;
  char *whole = malloc(size);
  if (!whole) return diagnostics_no_memory(diagnostics);
  snprintf(whole, size, "%s%s%s", allowed[a].name, value ? "=" : "", value ? value : "");
  job->options[job->n_options++] = whole;
  return 0;
}

int job_file_check_options(JobFile *job, const char *name, Diagnostics *diagnostics) {
  char *words[SETTINGS_MAX];
  int n = job->n_options, code = 0;
  memcpy(words, job->options, sizeof words);
  job->n_options = 0;
  for (int k = 0; k < n; k++) {
    int one = take_option(job, words, n, &k, name, diagnostics);
    if (one) code = one;
  }
  for (int k = 0; k < n; k++) free(words[k]);
  return code;
}

/* Reading job.json ------------------------------------------------------------------------------------------------- */

static void complain(const JobText *json, const char *key, const char *expected, Diagnostics *diagnostics) {
  diagnostics_add(diagnostics, &(Place){.name = json->name}, key, "expected %s", expected);
}

static void read_list(const JobText *json, const char *key, const json_t *value, char **list, int *n,
                      Diagnostics *diagnostics) {
  size_t i;
  const json_t *entry;
  char expected[64];
  snprintf(expected, sizeof expected, "a list of at most %d texts", SETTINGS_MAX);
  if (!json_is_array(value) || json_array_size(value) > SETTINGS_MAX) {
    complain(json, key, expected, diagnostics);
    return;
  }
  json_array_foreach(value, i, entry) {
    if (!json_is_string(entry)) {
      complain(json, key, expected, diagnostics);
      return;
    }
    if (!job_file_add(list, n, json_string_value(entry))) diagnostics->no_memory = true;
  }
}

static void read_priority(const JobText *json, const json_t *value, JobFile *job, Diagnostics *diagnostics) {
  json_int_t number = json_integer_value(value);
  if (json_is_integer(value) && number >= -JOB_PRIORITY_MAX && number <= JOB_PRIORITY_MAX)
    job->priority = (int)number;
  else
    complain(json, "priority", "a whole number from -100 to 100", diagnostics);
}

static void read_command(const JobText *json, const json_t *value, JobFile *job, Diagnostics *diagnostics) {
  const char *name = json_string_value(value);
  job->command = name ? job_command_find(name) : JOB_AS_FILE;
  if (!job->command) complain(json, "command", "control, simulate, sweep or identify", diagnostics);
}

static void read_file_name(const JobText *json, const json_t *value, JobFile *job, Diagnostics *diagnostics) {
  const char *name = json_string_value(value);
  if (!name || json_string_length(value) >= FILE_PATH_SIZE || text_has_control(name))
    complain(json, "file", "the name of a file, without control characters", diagnostics);
  else if (!(job->file = strdup(name)))
    diagnostics->no_memory = true;
}

static void read_members(const JobText *json, const json_t *root, JobFile *job, Diagnostics *diagnostics) {
  const char *key;
  json_t *value;
  char fault[FORMAT_FAULT_SIZE];
  if (!json_object_get(root, "format"))
    complain(json, "format", "1", diagnostics);
  else if (format_fault(format_of_json(root), FORMAT_JOB, fault))
    diagnostics_add(diagnostics, &(Place){.name = json->name}, "format", "%s", fault);
  json_object_foreach((json_t *)root, key, value) {
    if (strcmp(key, "command") == 0)
      read_command(json, value, job, diagnostics);
    else if (strcmp(key, "priority") == 0)
      read_priority(json, value, job, diagnostics);
    else if (strcmp(key, "settings") == 0)
      read_list(json, key, value, job->settings, &job->n_settings, diagnostics);
    else if (strcmp(key, "options") == 0)
      read_list(json, key, value, job->options, &job->n_options, diagnostics);
    else if (strcmp(key, "file") == 0)
      read_file_name(json, value, job, diagnostics);
    else if (strcmp(key, "format") != 0)
      refuse(json->name, "document", key, "is no member of job.json", diagnostics);
  }
}

static void read_json(const JobText *json, JobFile *job, Diagnostics *diagnostics) {
  json_error_t error;
  if (json->size > JOB_TEXT_MAX) {
    complain(json, "document", "at most 1 MiB", diagnostics);
    return;
  }
  json_t *root = json_loadb(json->text, json->size, JSON_REJECT_DUPLICATES, &error);
  const Place place = {.name = json->name, .line = error.line, .column = error.column > 0 ? error.column : 1};
  if (!root)
    diagnostics_add(diagnostics, &place, "document", "%s", error.text);
  else if (!json_is_object(root))
    complain(json, "document", "a JSON object", diagnostics);
  else
    read_members(json, root, job, diagnostics);
  json_decref(root);
}

/* Reading the first line of a problem file ------------------------------------------------------------------------- */

static JobCommand read_first_line(const JobText *problem, Diagnostics *diagnostics) {
  static const char head[] = "# stiction:";
  char word[32] = "";
  size_t at = strlen(head), length = 0;
  if (!problem->text || problem->size < at || strncmp(problem->text, head, at) != 0) return JOB_CONTROL;
  while (at < problem->size && (problem->text[at] == ' ' || problem->text[at] == '\t')) at++;
  const char *from = problem->text + at;
  while (at + length < problem->size && !strchr(" \t\r\n", from[length])) length++;
  snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), from);
  JobCommand command = length < sizeof word ? job_command_find(word) : JOB_AS_FILE;
  char excerpt[EXCERPT_SIZE];
  const Place place = {.name = problem->name, .line = 1, .column = (long)at + 1};
  if (!command)
    diagnostics_add(diagnostics, &place, "document",
                    "%s is no command of a service (expected control, simulate, sweep or identify)",
                    text_excerpt(word, excerpt));
  return command;
}

int job_file_read(const JobText *json, const JobText *problem, Diagnostics *diagnostics, JobFile *job) {
  Diagnostics found = {0};
  *job = (JobFile){.command = JOB_AS_FILE};
  if (json->text) read_json(json, job, &found);
  if (!job->command && !found.errors) job->command = read_first_line(problem, &found);
  if (!found.errors && job->n_options) job_file_check_options(job, json->name, &found);
  int code = found.no_memory ? diagnostics_no_memory(diagnostics) : found.errors ? EXIT_USAGE : 0;
  diagnostics_pass(&found, diagnostics);
  return code;
}

int job_file_load(const char *folder, Diagnostics *diagnostics, JobFile *job) {
  char path[FILE_PATH_SIZE], problem[FILE_PATH_SIZE], head[HEAD_SIZE], fault[FILE_FAULT_SIZE];
  JobText json = {.name = path}, first = {.name = problem, .text = head};
  *job = (JobFile){.command = JOB_AS_FILE};
  if (snprintf(path, sizeof path, "%s/%s", folder, SPOOL_JOB) >= FILE_PATH_SIZE ||
      snprintf(problem, sizeof problem, "%s/%s", folder, SPOOL_PROBLEM) >= FILE_PATH_SIZE)
    return diagnostics_error(diagnostics, EXIT_USAGE, "%s: the name is too long", folder);
  FILE *file = file_open(problem, fault);
  if (!file) return diagnostics_error(diagnostics, EXIT_USAGE, "%s: %s", problem, fault);
  first.size = fread(head, 1, sizeof head, file);
  fclose(file);
  char *text = NULL;
  if (access(path, F_OK) == 0 && !(text = file_read(path, &json.size, diagnostics))) return EXIT_USAGE;
  json.text = text;
  int code = job_file_read(&json, &first, diagnostics, job);
  free(text);
  return code;
}

/* Writing job.json ------------------------------------------------------------------------------------------------- */

/* Adds a list of texts to a JSON object. Returns false if there is no memory. */
static bool put_list(json_t *root, const char *key, char *const *list, int n) {
  json_t *texts = json_array();
  bool good = texts;
  for (int i = 0; i < n && good; i++) good = json_array_append_new(texts, json_string(list[i])) == 0;
  return json_object_set_new(root, key, texts) == 0 && good;
}

json_t *job_file_json(const JobFile *job) {
  json_t *root = json_pack("{s:i, s:i}", "format", FORMAT_JOB, "priority", job->priority);
  bool good = root;
  if (good && job->command)
    good = json_object_set_new(root, "command", json_string(job_command_names[job->command])) == 0;
  if (good) good = put_list(root, "settings", job->settings, job->n_settings);
  if (good) good = put_list(root, "options", job->options, job->n_options);
  /* a service refuses names with control characters; it does not need the name */
  if (good && job->file && !text_has_control(job->file))
    good = json_object_set_new(root, "file", json_text(job->file)) == 0;
  return json_if(good, root);
}
