/* SPDX-License-Identifier: BSD-2-Clause */
/* Applies --set KEY=VALUE: parses VALUE as a second small document, and inserts its tree into the tree of the file. */
#include "src/file/text/document_part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETTING_NAME_SIZE = 96 };

static void part_error(const Part *part, Diagnostics *diagnostics, const char *text) {
  Place place = part_place(part, 0, 0);
  diagnostics_add(diagnostics, &place, part->key, "%s", text);
}

/* Replaces the content of a node in the tree by that of another node. */
static void replace(Node *old, const Node *new) {
  Node placed = *new;
  placed.key = old->key;
  placed.index = old->index;
  placed.parent = old->parent;
  placed.next = old->next;
  *old = placed;
  for (Node *child = old->first; child; child = child->next) child->parent = old;
}

static void append(Node *mapping, Node *child, const char *key) {
  Node **link = &mapping->first;
  while (*link) link = &(*link)->next;
  *link = child;
  child->key = key;
  child->index = mapping->n++;
  child->parent = mapping;
}

/* Returns the reason why the value to which a step of a path leads does not exist. rest: the path after the step.
 * Returns NULL if the value is only a missing key of a mapping, which can be added. */
static const char *missing(const Node *node, const PathStep *step, const char *rest) {
  if (node->kind == NODE_SEQUENCE) return "there is no such entry (they count from 1, as in model.mass[1])";
  /* nothing is missing: if a single number stands for all entries of a list, the entries that settings change become
   * children of its node (Node.first) */
  if (!step->key && node->kind == NODE_SCALAR && !*rest) return NULL;
  if (!step->key)
    return "the key before the brackets is not a list (expected its whole value, as in model.mass=[1, 2])";
  if (node->kind == NODE_SCALAR) return "the key before the dot is not a mapping";
  return *rest == '[' ? "there is no such list (expected all of its entries, as in model.mass=[1, 2])" : NULL;
}

/* Removes a node from the list of children of its parent. */
static void take_out(Node *child) {
  Node **link = &child->parent->first;
  while (*link != child) link = &(*link)->next;
  *link = child->next;
  child->parent->n--;
}

/* Follows the path KEY of a setting and sets the value there. The value null removes an existing key. */
static void graft(Node *root, Part *part, Diagnostics *diagnostics) {
  Node *node = root;
  PathStep step;
  for (const char *at = part->key, *rest; *at; at = rest) {
    rest = path_step(at, &step);
    Node *child = node_child(node, &step);
    const char *wrong = child ? NULL : missing(node, &step, rest);
    if (wrong) {
      part_error(part, diagnostics, wrong);
      return;
    }
    if (!child && !step.key) {
      append(node, part->root, NULL);
      part->root->index = step.entry - 1;
      return;
    } else if (!child) {
      const char *key = part_add_text(part, step.key, step.length, diagnostics);
      child = *rest ? part_add_node(part, NODE_MAPPING, part_place(part, 0, 0), diagnostics) : part->root;
      if (!child || !key) return;
      append(node, child, key);
    } else if (!*rest && step.key && node_is_null(part->root)) {
      take_out(child);
      return;
    } else if (!*rest) {
      replace(child, part->root);
    }
    node = child;
  }
}

/* Returns whether the key of a setting is a valid path; reports an error if not. */
static bool is_path(const Part *part, bool given, Diagnostics *diagnostics) {
  char modern[NODE_PATH_SIZE], text[NODE_PATH_SIZE + 64];
  size_t steps = path_steps(part->key);
  bool old = path_is_old(part->key, modern, sizeof modern), good = given && steps > 0 && steps <= DOCUMENT_DEPTH_MAX;
  snprintf(text, sizeof text, "entries of lists count from 1, in brackets (expected %s)", modern);
  if (!good || old)
    part_error(part, diagnostics,
               good ? text : "not a setting (expected KEY=VALUE, KEY like model.mass or model.mass[1])");
  return good && !old;
}

void document_set(Document *document, const char *setting, int rank, Diagnostics *diagnostics) {
  document_set_by(document, "--set", setting, rank, diagnostics);
}

void document_set_by(Document *document, const char *option, const char *setting, int rank, Diagnostics *diagnostics) {
  char name[SETTING_NAME_SIZE];
  const char *equals = strchr(setting, '=');
  size_t key_length = equals ? (size_t)(equals - setting) : strlen(setting);
  size_t cut = text_cut(setting, sizeof name - strlen(option) - sizeof " ...");
  snprintf(name, sizeof name, "%s %.*s%s", option, (int)cut, setting, setting[cut] ? "..." : "");
  char *key = diagnostics_calloc(diagnostics, key_length + 1, 1);
  if (!key) return;
  memcpy(key, setting, key_length);
  Part *part = part_create(name, key, rank, diagnostics);
  free(key);
  if (!part) return;
  part->next = document->file->next;
  document->file->next = part;

  if (is_path(part, equals, diagnostics) && part_parse(part, equals + 1, strlen(equals + 1), diagnostics))
    graft(document->file->root, part, diagnostics);
}

char *document_setting(const char *section, const char *key, const char *value) {
  size_t size = strlen(section) + strlen(key) + strlen(value) + sizeof "=";
  char *setting = malloc(size);
  if (setting) snprintf(setting, size, "%s%s=%s", section, key, value);
  return setting;
}

Node *document_entry(Document *document, const char *path, size_t most, Diagnostics *diagnostics) {
  char name[NODE_PATH_SIZE];
  PathStep step;
  Node *node = document_node(document, path);
  const char *bracket = strrchr(path, '[');
  if (node || !bracket || (size_t)(bracket - path) >= sizeof name) return node;
  snprintf(name, sizeof name, "%.*s", (int)(bracket - path), path);
  Node *all = document_node(document, name);
  if (*path_step(bracket, &step) || step.entry == 0 || step.entry > most || !all || all->kind != NODE_SCALAR)
    return NULL;
  node = part_add_node(document->file, NODE_SCALAR, all->place, diagnostics);
  if (!node) return NULL;
  node->text = all->text;
  node->plain = all->plain;
  append(all, node, NULL);
  node->index = step.entry - 1;
  node->known = true;
  return node;
}
