/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads model.names and model.units. */
#include "src/base/path.h"
#include "src/file/model/model.h"

#include <stdlib.h>
#include <string.h>

static void read_unit(Reader *reader, Node *units, bool force) {
  Node *node = key_get(reader, units, model_units[force].key);
  if (!node) return;
  if (node->kind == NODE_SCALAR && label_is_unit(node->text))
    labels_set_unit(&reader->problem->labels, force, node->text);
  else
    value_expected(reader, node, "a unit, at most %d of letters, digits, blanks and * / ^ - .", UNIT_SIZE - 1);
}

static int compare(const void *a, const void *b) {
  const Node *const *x = a, *const *y = b;
  int order = strcmp((*x)->text, (*y)->text);
  return order ? order : ((*x)->index > (*y)->index) - ((*x)->index < (*y)->index);
}

/* Reports each name that already occurs earlier in the list. */
static void report_repeated(Reader *reader, Node *names) {
  char excerpt[EXCERPT_SIZE];
  size_t n = 0;
  Node **sorted = diagnostics_calloc(reader->diagnostics, names->n + 1, sizeof *sorted);
  for (Node *item = names->first; item && sorted; item = item->next) sorted[n++] = item;
  if (sorted) qsort(sorted, n, sizeof *sorted, compare);
  for (size_t k = 1; k < n; k++)
    if (strcmp(sorted[k]->text, sorted[k - 1]->text) == 0)
      value_error(reader, sorted[k], "%s twice", node_describe(sorted[k], excerpt));
  free(sorted);
}

/* Reads a list of d different names. */
static void read_names(Reader *reader, Node *names) {
  char excerpt[EXCERPT_SIZE];
  Labels *labels = &reader->problem->labels;
  if (names->kind != NODE_SEQUENCE || (reader->d && names->n != (size_t)reader->d)) {
    value_error(reader, names, "%s of %zu (expected a list of %d names)", node_describe(names, excerpt), names->n,
                reader->d);
    return;
  }
  labels->names = diagnostics_calloc(reader->diagnostics, names->n + 1, sizeof *labels->names);
  for (Node *item = names->first; item && labels->names; item = item->next) {
    if (item->kind != NODE_SCALAR || !label_is_name(item->text))
      value_expected(reader, item, "a name, at most %d of letters, digits and _ - . with a letter among them",
                     LABEL_SIZE - 1);
    else
      strcpy(labels->names[labels->n++], item->text);
  }
  if (labels->n == (int)names->n) report_repeated(reader, names);
}

void read_labels(Reader *reader, Node *model) {
  Node *names = key_get(reader, model, model_parameters[MODEL_NAMES].key);
  Node *units = read_section(reader, model, model_parameters[MODEL_UNITS].key);
  for (int k = 0; units && k < 2; k++) read_unit(reader, units, k);
  if (names && !reader->problem->labels.names) read_names(reader, names);
}

/* Returns whether a key, without a trailing [n], has a list of numbers, one for each degree of freedom. */
static bool is_of_each(const Problem *problem, const char *key, size_t length) {
  static const char *const targets[] = {"control.target.position", "control.target.velocity"};
  for (int k = 0; k < 2; k++)
    if (strlen(targets[k]) == length && strncmp(key, targets[k], length) == 0) return true;
  if (strncmp(key, "model.", 6) != 0) return false;
  for (const SimParameter *row = model_keys(problem->kind); row->key; row++)
    if (row->extent == SIM_EACH && strlen(row->key) == length - 6 && strncmp(key + 6, row->key, length - 6) == 0)
      return true;
  return false;
}

/* Returns the degree of freedom to which an error belongs, from 0; -1: none. The number is taken from the error's key,
 * as in model.friction[3], or from the error's text, as in "entry 3" of a list. */
static long dof_of(const Problem *problem, const Diagnostic *diagnostic) {
  const char *bracket = diagnostic->key ? strrchr(diagnostic->key, '[') : NULL;
  PathStep step;
  long entry;
  if (!diagnostic->key) return -1;
  if (bracket && !*path_step(bracket, &step) && step.entry)
    return is_of_each(problem, diagnostic->key, (size_t)(bracket - diagnostic->key)) ? (long)step.entry - 1 : -1;
  bool numbered = sscanf(diagnostic->text, "entry %ld is", &entry) == 1;
  return numbered && is_of_each(problem, diagnostic->key, strlen(diagnostic->key)) ? entry - 1 : -1;
}

void labels_note(Reader *reader) {
  const Labels *labels = &reader->problem->labels;
  Diagnostics *found = reader->diagnostics;
  for (size_t k = 0; labels->names && labels->n == reader->d && k < found->count; k++) {
    Diagnostic *diagnostic = &found->list[k];
    long dof = dof_of(reader->problem, diagnostic);
    if (dof < 0 || dof >= labels->n) continue;
    size_t size = strlen(diagnostic->text) + LABEL_SIZE + 4;
    char *text = malloc(size);
    if (!text) continue;
    snprintf(text, size, "%s: %s", labels->names[dof], diagnostic->text);
    free(diagnostic->text);
    diagnostic->text = text;
  }
}
