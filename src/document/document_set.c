/* --set KEY=VALUE: a second little document, grafted onto the first. */
#include "src/document/document_part.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETTING_NAME_SIZE = 96 };

static void part_error(const Part *part, Diagnostics *diagnostics, const char *text) {
  Place place = part_place(part, 0, 0);
  diagnostics_add(diagnostics, &place, part->key, "%s", text);
}

/* Puts the content of a node into another's place in the tree. */
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

/* Walks down the key, which it cuts into words, and puts the value there. */
static void graft(Node *root, Part *part, char *key, Diagnostics *diagnostics) {
  Node *node = root;
  for (char *word = key, *rest; word; word = rest) {
    rest = strchr(word, '.');
    if (rest) *rest++ = '\0';
    Node *child = node_child(node, word);
    if (!child && node->kind == NODE_SEQUENCE) {
      part_error(part, diagnostics, "there is no such list entry (they count from 0)");
      return;
    }
    if (!child && node->kind == NODE_SCALAR) {
      part_error(part, diagnostics, "what holds it is not a mapping");
      return;
    }
    if (!child) {
      child = rest ? part_add_node(part, NODE_MAPPING, part_place(part, 0, 0), diagnostics) : part->root;
      if (!child) return;
      append(node, child, word);
    } else if (!rest) {
      replace(child, part->root);
    }
    node = child;
  }
}

/* Whether a key is of words with dots between, and not too many. */
static bool is_dotted_path(const char *key) {
  size_t n = 1;
  for (const char *c = key; *c; c++) n += *c == '.';
  size_t length = strlen(key);
  bool empty = !length || *key == '.' || key[length - 1] == '.' || strstr(key, "..");
  return !empty && n <= DOCUMENT_DEPTH_MAX;
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

  if (!equals || !is_dotted_path(part->key)) {
    part_error(part, diagnostics, "not a setting (expected KEY=VALUE, KEY like model.mass)");
  } else if (part_parse(part, equals + 1, strlen(equals + 1), diagnostics)) {
    char *words = part_add_text(part, part->key, key_length, diagnostics); /* they become keys of the tree */
    if (words) graft(document->file->root, part, words, diagnostics);
  }
}

char *document_setting(const char *section, const char *key, const char *value) {
  size_t size = strlen(section) + strlen(key) + strlen(value) + sizeof "=";
  char *setting = malloc(size);
  if (setting) snprintf(setting, size, "%s%s=%s", section, key, value);
  return setting;
}
