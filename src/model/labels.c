/* model.names and model.units. */
#include "src/model/model.h"

#include <stdlib.h>
#include <string.h>

static void read_unit(Reader *reader, Node *units, bool force) {
  char excerpt[EXCERPT_SIZE];
  Node *node = node_get(units, model_units[force].key, reader->diagnostics);
  if (!node) return;
  if (node->kind == NODE_SCALAR && label_is_unit(node->text))
    labels_set_unit(&reader->problem->labels, force, node->text);
  else
    node_error(node, reader->diagnostics, "%s (expected a unit, at most %d of letters, digits, blanks and * / ^ - .)",
               node_describe(node, excerpt), UNIT_SIZE - 1);
}

static bool is_new(const Labels *labels, int n, const char *name) {
  for (int i = 0; i < n; i++)
    if (strcmp(labels->names[i], name) == 0) return false;
  return true;
}

/* A list of d different names. */
static void read_names(Reader *reader, Node *names) {
  char excerpt[EXCERPT_SIZE];
  Labels *labels = &reader->problem->labels;
  if (names->kind != NODE_SEQUENCE || (reader->d && names->n != (size_t)reader->d)) {
    node_error(names, reader->diagnostics, "%s of %zu (expected a list of %d names)", node_describe(names, excerpt),
               names->n, reader->d);
    return;
  }
  labels->names = diagnostics_calloc(reader->diagnostics, names->n + 1, sizeof *labels->names);
  for (Node *item = names->first; item && labels->names; item = item->next) {
    if (item->kind != NODE_SCALAR || !label_is_name(item->text))
      node_error(item, reader->diagnostics,
                 "%s (expected a name, at most %d of letters, digits and _ - . with a letter among them)",
                 node_describe(item, excerpt), LABEL_SIZE - 1);
    else if (!is_new(labels, labels->n, item->text))
      node_error(item, reader->diagnostics, "%s twice", node_describe(item, excerpt));
    else
      strcpy(labels->names[labels->n++], item->text);
  }
}

void read_labels(Reader *reader, Node *model) {
  Node *names = node_get(model, model_parameters[MODEL_NAMES].key, reader->diagnostics);
  Node *units = read_section(reader, model, model_parameters[MODEL_UNITS].key);
  labels_init(&reader->problem->labels);
  for (int k = 0; units && k < 2; k++) read_unit(reader, units, k);
  if (names) read_names(reader, names);
}

/* The entry of a list of one number for each degree of freedom that a key names, from 0 on; -1: it names none. */
static long entry_of(const Problem *problem, const char *key) {
  const char *dot = strrchr(key, '.');
  bool position = strncmp(key, "control.target.position.", 24) == 0,
       velocity = strncmp(key, "control.target.velocity.", 24) == 0;
  if (!dot || !dot[1] || dot[1 + strspn(dot + 1, "0123456789")]) return -1;
  for (const SimParameter *row = problem->kind->keys; row->key && !position && !velocity; row++) {
    size_t length = strlen(row->key);
    if (row->extent == SIM_EACH && strncmp(key, "model.", 6) == 0 && strncmp(key + 6, row->key, length) == 0 &&
        key + 6 + length == dot)
      return atol(dot + 1);
  }
  return position || velocity ? atol(dot + 1) : -1;
}

void labels_note(Reader *reader) {
  const Labels *labels = &reader->problem->labels;
  Diagnostics *found = reader->diagnostics;
  for (size_t k = 0; labels->names && k < found->count; k++) {
    Diagnostic *diagnostic = &found->list[k];
    long entry = diagnostic->key ? entry_of(reader->problem, diagnostic->key) : -1, number;
    if (entry < 0 && sscanf(diagnostic->text, "entry %ld", &number) == 1) entry = number - 1;
    if (entry < 0 || entry >= labels->n) continue;
    size_t size = strlen(diagnostic->text) + LABEL_SIZE + 4;
    char *text = malloc(size);
    if (!text) continue;
    snprintf(text, size, "%s: %s", labels->names[entry], diagnostic->text);
    free(diagnostic->text);
    diagnostic->text = text;
  }
}
