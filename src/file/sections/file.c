/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/sections/file.h"

#include "src/file/model/model.h"
#include "src/file/sections/external.h"
#include "src/file/sections/identification.h"
#include "src/file/sections/keys.h"
#include "src/file/sections/motion_plan_read.h"
#include "src/file/sections/resolve.h"
#include "src/file/sections/scenarios.h"
#include "src/file/sections/variant.h"
#include "src/file/values/parameter.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_title(Reader *reader, Node *root) {
  Node *node = key_get(reader, root, "title");
  if (!node) return;
  if (node->kind != NODE_SCALAR) {
    value_error(reader, node, "not a text (expected a line of text)");
    return;
  }
  for (const unsigned char *c = (const unsigned char *)node->text; *c; c++) {
    if (*c >= 0x20 && *c != 0x7f) continue;
    value_error(reader, node, "a control character (expected a line of text)");
    return;
  }
  reader->problem->title = strdup(node->text);
  if (!reader->problem->title) reader->diagnostics->no_memory = true;
}

/* Returns whether reading must end, because some rank has no memory or the work on some rank exceeds the limit.
 * Collective; the result is the same on all ranks. */
static bool is_given_up(const Reader *reader) {
  bool one = reader->diagnostics->no_memory || reader->work.refused;
  return sim_group_agree(reader->ranks.group, one);
}

/* Sections of a file that are read. */
typedef enum Extent {
  READ_MODEL,
  READ_ALL,
  READ_WITH_CONTROL,
  READ_EVALUATOR /* the section evaluator, which replaces the section model */
} Extent;

/* Reads a file that has the section evaluator. */
static void read_external(Reader *reader, Node *root) {
  Checking checking = {.reader = reader};
  const SimReport report = {.context = &checking, .complain = take_diagnostic};
  CtlProblem *control = &reader->problem->control;
  if (!key_get(reader, root, "evaluator")) {
    key_error(reader, "evaluator", "missing (expected a section evaluator; `stiction control` searches with a model)");
    return;
  }
  read_title(reader, root);
  read_evaluator(reader, root);
  if (reader->diagnostics->no_memory) return;
  read_search(reader, root);
  read_checkpoint(reader, root);
  checking.before = reader->diagnostics->count;
  if (reader->problem->external->n) note_memory(reader, (SimStatus)stiction_control_check(control, &report));
  control->scheme_size = ctl_problem_scheme_size(control);
  document_report_unknown(reader->document, reader->diagnostics);
}

/* Returns whether the file has the section evaluator, which is then reported as an error. Only `stiction search` and
 * `check` accept this section. */
static bool refuse_evaluator(Reader *reader) {
  bool there = document_find(reader->document, "evaluator") != NULL;
  if (there) key_error(reader, "evaluator", "only `stiction search` supports it");
  return there;
}

static void read_all(Reader *reader, Extent extent) {
  Node *root = document_root(reader->document);
  work_begin(reader);
  if (extent == READ_EVALUATOR) {
    read_external(reader, root);
    return;
  }
  if (refuse_evaluator(reader)) return;
  read_title(reader, root);
  read_model(reader, root);
  if (is_given_up(reader) || !planned_open(reader)) return;
  read_time(reader, root);
  read_scheme(reader, root);
  read_control(reader, root);
  if (is_given_up(reader)) return;
  read_search(reader, root);
  read_output(reader, root);
  read_checkpoint(reader, root);
  fill_force(reader);
  constants_keep(reader);
  check_model(reader);
  check_control(reader, extent == READ_WITH_CONTROL);
  if (extent == READ_MODEL) {
    pass_identification(reader, root);
    pass_scenarios(reader, root);
  } else {
    read_identification(reader, root);
    read_scenarios(reader, root);
  }
  key_get(reader, root, "evaluator"); /* looks the key up, so that "evaluator" is among the known keys that messages
                                       * suggest */
  document_report_unknown(reader->document, reader->diagnostics);
  if (reader->problem->kind) labels_note(reader);
}

/* Adds the diagnostics of the first rank that has any to the list of the caller. Returns the same exit code on all
 * ranks. */
static int report(const SimGroup *group, Diagnostics *found, Diagnostics *diagnostics) {
  int rank = stiction_group_rank(group);
  double first = found->count || found->no_memory ? (double)-rank : -INFINITY;
  int code = sim_group_agree(group, found->no_memory ? EXIT_INTERNAL : found->errors ? EXIT_USAGE : 0);
  sim_group_max(group, &first, 1);
  if (-rank == first) {
    bool no_memory = found->no_memory;
    diagnostics_pass(found, diagnostics);
    if (no_memory) diagnostics_error(diagnostics, EXIT_INTERNAL, "out of memory while reading the problem file");
  }
  diagnostics_clear(found);
  return code;
}

int problem_file_read(const char *path, char *const *settings, int n_settings, bool need_control,
                      Diagnostics *diagnostics, Problem *problem) {
  const ModelRanks alone = {.copies = 1};
  return problem_file_read_shared(path, settings, n_settings, need_control, &alone, diagnostics, problem);
}

static const char *unit_of(const Problem *problem, const char *path) {
  const char *unit = keys_unit(path, problem->kind ? problem->kind->name : "");
  return unit && strcmp(unit, "1") != 0 ? unit : NULL;
}

/* Reads a document into a problem. document: NULL if the text could not be parsed; `found` then has the reasons. */
static int read_document(Document *document, Extent extent, const ModelRanks *ranks, Diagnostics *found,
                         Diagnostics *diagnostics, Problem *problem) {
  *problem = (Problem){.limits = ranks->limits};
  labels_init(&problem->labels);
  Reader reader = {.diagnostics = found, .problem = problem, .ranks = *ranks, .document = document};
  reader.control_keys = control_parameters;
  reader.unit_of = unit_of;
  problem->given = diagnostics_calloc(found, 1, sizeof *problem->given);
  if (document && extent == READ_MODEL) readings_open(&reader);
  if (document && problem->given) read_all(&reader, extent);
  progress_clear(&reader.work.progress);
  int code = report(ranks->group, found, diagnostics);
  if (code) problem_clear(problem);
  return code;
}

/* Reads a document as read_document does. Destroys it unless the problem keeps it, for the section identify or
 * scenarios. */
static int read_once(Document *document, Extent extent, const ModelRanks *ranks, Diagnostics *found,
                     Diagnostics *diagnostics, Problem *problem) {
  int code = read_document(document, extent, ranks, found, diagnostics, problem);
  if (!code && (problem->identification || problem->scenarios))
    problem->document = document;
  else
    document_destroy(document);
  return code;
}

int problem_read_document(Document *document, bool need_control, const ModelRanks *ranks, Diagnostics *found,
                          Diagnostics *diagnostics, Problem *problem) {
  return read_once(document, need_control ? READ_WITH_CONTROL : READ_ALL, ranks, found, diagnostics, problem);
}

int problem_file_read_shared(const char *path, char *const *settings, int n_settings, bool need_control,
                             const ModelRanks *ranks, Diagnostics *diagnostics, Problem *problem) {
  Diagnostics found = {0};
  return problem_read_document(document_open(path, settings, n_settings, &found), need_control, ranks, &found,
                               diagnostics, problem);
}

int problem_evaluator_read(const char *path, char *const *settings, int n_settings, const WorkLimits *limits,
                           Diagnostics *diagnostics, Problem *problem) {
  const ModelRanks alone = {.copies = 1, .limits = *limits};
  Diagnostics found = {0};
  return read_once(document_open(path, settings, n_settings, &found), READ_EVALUATOR, &alone, &found, diagnostics,
                   problem);
}

int problem_evaluator_text_read(const char *name, const char *text, size_t size, Diagnostics *diagnostics,
                                Problem *problem) {
  const ModelRanks alone = {.copies = 1};
  Diagnostics found = {0};
  return read_once(document_create(name, text, size, &found), READ_EVALUATOR, &alone, &found, diagnostics, problem);
}

int problem_read(const Options *options, bool need_control, const ModelRanks *ranks, Diagnostics *diagnostics,
                 Problem *problem) {
  return problem_file_read_shared(options->argument, options->settings, options->n_settings, need_control, ranks,
                                  diagnostics, problem);
}

int problem_document_read(Document *document, Diagnostics *diagnostics, Problem *problem) {
  const ModelRanks alone = {.copies = 1};
  Diagnostics found = {0};
  return read_document(document, READ_MODEL, &alone, &found, diagnostics, problem);
}

int problem_text_read(const char *name, const char *text, size_t size, char *const *settings, int n_settings,
                      const ModelRanks *ranks, Diagnostics *diagnostics, Problem *problem) {
  Diagnostics found = {0};
  Document *document = text ? document_create(name, text, size, &found) : NULL;
  if (!text) found.no_memory = true;
  for (int k = 0; document && k < n_settings; k++) document_set(document, settings[k], k + 1, &found);
  return read_once(document, READ_ALL, ranks, &found, diagnostics, problem);
}

const char *problem_kind_name(const Problem *problem) { return problem->kind->name; }
