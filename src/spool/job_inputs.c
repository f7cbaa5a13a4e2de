/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/spool/job_inputs.h"

#include "src/file/text/document.h"

#include <stdlib.h>
#include <string.h>

static const char VARY[] = "--vary=";

/* Data for the function that visits all values of a problem. */
typedef struct Walk {
  const char *problem;
  JobFile *job;
  JobInputs *inputs;
  Diagnostics *diagnostics;
} Walk;

void job_inputs_clear(JobInputs *inputs) {
  for (int i = 0; i < inputs->n; i++) {
    free(inputs->list[i].key);
    free(inputs->list[i].path);
  }
  inputs->n = 0;
}

static bool is_free(const JobInputs *inputs, const char *name) {
  for (int i = 0; i < inputs->n; i++)
    if (strcmp(inputs->list[i].name, name) == 0) return false;
  return spool_is_file_name(name);
}

/* Chooses a name for a file that no other file of the job has; a file that is already in the list keeps its name. The
 * name is the last part of the file's path, with unsafe characters replaced and, if necessary, a number before it. */
static void find_name(const JobInputs *inputs, const char *path, char name[SPOOL_NAME_MAX]) {
  const char *slash = strrchr(path, '/');
  char base[SPOOL_NAME_MAX];
  for (int i = 0; i < inputs->n; i++) {
    if (strcmp(inputs->list[i].path, path) != 0) continue;
    memcpy(name, inputs->list[i].name, SPOOL_NAME_MAX);
    return;
  }
  spool_job_name(slash ? slash + 1 : path, base);
  memcpy(name, base, sizeof base);
  for (int k = 2; !is_free(inputs, name); k++) snprintf(name, SPOOL_NAME_MAX, "%d-%.*s", k, SPOOL_NAME_CUT, base);
}

static void add(Walk *walk, const Node *node) {
  char path[FILE_PATH_SIZE], key[NODE_PATH_SIZE];
  JobInputs *inputs = walk->inputs;
  if (inputs->n == SPOOL_FILES_MAX) {
    node_error(node, walk->diagnostics, "too many files (expected at most %d)", SPOOL_FILES_MAX);
    return;
  }
  if (!file_beside(walk->problem, node->text, path)) return; /* an error is reported later, when the problem is read */
  JobInput input = {.key = strdup(node_path(node, key)), .path = strdup(path)};
  find_name(inputs, path, input.name);
  inputs->list[inputs->n++] = input;
  if (!input.key || !input.path) {
    walk->diagnostics->no_memory = true;
    return;
  }
  if (strcmp(node->text, input.name) == 0) return;
  char setting[NODE_PATH_SIZE + SPOOL_NAME_MAX + 4];
  /* the quotes are safe, since the name consists of letters, digits and the characters - . _ */
  snprintf(setting, sizeof setting, "%s=\"%s\"", key, input.name);
  if (!job_file_add(walk->job->settings, &walk->job->n_settings, setting))
    node_error(node, walk->diagnostics, "too many settings (expected at most %d with those for files)", SETTINGS_MAX);
}

static void look(Walk *walk, const Node *node) {
  for (const Node *child = node->first; child; child = child->next) look(walk, child);
  if (!node_names_file(node)) return;
  if (strcmp(node->key, "from") == 0)
    node_error(node, walk->diagnostics,
               "results of another run do not travel with a job (expected the numbers themselves)");
  else if (node->kind == NODE_SCALAR)
    add(walk, node);
}

static bool names_a_file(const Node *node) {
  if (node_names_file(node)) return true;
  for (const Node *child = node->first; child; child = child->next)
    if (names_a_file(child)) return true;
  return false;
}

/* Reports values of a varied key that would open files. axis: the text KEY=.. of an option --vary. */
static int check_axis(const char *problem, const JobFile *job, char *axis, Diagnostics *diagnostics) {
  Diagnostics ignored = {0};
  char *settings[SETTINGS_MAX + 1], key[NODE_PATH_SIZE];
  memcpy(settings, job->settings, sizeof job->settings);
  settings[job->n_settings] = axis;
  snprintf(key, sizeof key, "%.*s", (int)strcspn(axis, "="), axis);
  Document *document = document_open(problem, settings, job->n_settings + 1, &ignored);
  const Node *node = document ? document_find(document, key) : NULL;
  bool bad = node && names_a_file(node);
  document_destroy(document);
  diagnostics_clear(&ignored);
  if (bad)
    diagnostics_add(diagnostics, &(Place){.name = problem}, key,
                    "files in --vary, which do not travel with a job (expected a job for each)");
  return bad ? EXIT_USAGE : 0;
}

int job_inputs_find(const char *path, JobFile *job, Diagnostics *diagnostics, JobInputs *inputs) {
  Diagnostics ignored = {0}, found = {0};
  Walk walk = {.problem = path, .job = job, .inputs = inputs, .diagnostics = &found};
  *inputs = (JobInputs){.n = 0};
  for (int i = 0; i < job->n_options; i++)
    if (strncmp(job->options[i], VARY, strlen(VARY)) == 0)
      check_axis(path, job, job->options[i] + strlen(VARY), &found);
  Document *document = document_open(path, job->settings, job->n_settings, &ignored);
  if (document) look(&walk, document_root(document));
  found.no_memory = found.no_memory || ignored.no_memory;
  int code = found.no_memory ? diagnostics_no_memory(diagnostics) : found.errors ? EXIT_USAGE : 0;
  diagnostics_pass(&found, diagnostics);
  document_destroy(document);
  diagnostics_clear(&ignored);
  return code;
}
