/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/text/document.h"
#include "src/base/file_open.h"
#include "src/base/path.h"
#include "src/file/text/document_part.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_SIZE = 512, KEY_SUGGEST_MAX = 40 };

Document *document_create(const char *name, const char *text, size_t size, Diagnostics *diagnostics) {
  Document *document = diagnostics_calloc(diagnostics, 1, sizeof *document);
  if (!document) return NULL;
  document->file = part_create(name, "document", 0, diagnostics);
  if (document->file && part_parse(document->file, text, size, diagnostics)) {
    if (document->file->root->kind == NODE_MAPPING) return document;
    node_error(document->file->root, diagnostics, "not a mapping (expected KEY: VALUE lines)");
  }
  document_destroy(document);
  return NULL;
}

Document *document_open(const char *path, char *const *settings, int n_settings, Diagnostics *diagnostics) {
  size_t size;
  char *text = file_read(path, &size, diagnostics);
  if (!text) return NULL;
  Document *document = document_create(path, text, size, diagnostics);
  free(text);
  for (int i = 0; document && i < n_settings; i++) document_set(document, settings[i], i + 1, diagnostics);
  return document;
}

void document_destroy(Document *document) {
  if (!document) return;
  for (Part *part = document->file, *next; part; part = next) {
    next = part->next;
    part_destroy(part);
  }
  free(document);
}

static size_t bytes_of(const Block *block) {
  size_t sum = 0;
  for (; block; block = block->next) sum += sizeof *block + block->size;
  return sum;
}

size_t document_bytes(const Document *document) {
  size_t sum = 0;
  for (const Part *part = document->file; part; part = part->next)
    sum += sizeof *part + bytes_of(part->nodes) + bytes_of(part->texts);
  return sum;
}

const char *document_name(const Document *document) { return document->file->name; }

Node *document_root(const Document *document) { return document->file->root; }

Node *node_child(const Node *node, const PathStep *step) {
  for (Node *child = node->first; child; child = child->next)
    if (step->key ? child->key && strncmp(child->key, step->key, step->length) == 0 && !child->key[step->length]
                  : !child->key && child->index + 1 == step->entry)
      return child;
  return NULL;
}

static void note_asked(Node *mapping, const char *key, Diagnostics *diagnostics) {
  for (size_t i = 0; i < mapping->n_asked; i++)
    if (strcmp(mapping->asked[i], key) == 0) return;
  const char **asked = realloc(mapping->asked, (mapping->n_asked + 1) * sizeof *asked);
  if (asked) {
    mapping->asked = asked;
    asked[mapping->n_asked++] = key;
  } else {
    diagnostics->no_memory = true;
  }
}

Node *node_get(Node *mapping, const char *key, Diagnostics *diagnostics) {
  if (!mapping || mapping->kind != NODE_MAPPING) return NULL;
  note_asked(mapping, key, diagnostics);
  Node *child = node_child(mapping, &(PathStep){.key = key, .length = strlen(key)});
  if (child) child->known = true;
  return child;
}

bool node_names_file(const Node *node) {
  static const char *const keys[] = {"file", "urdf", "from"};
  for (size_t k = 0; node->key && k < sizeof keys / sizeof *keys; k++)
    if (strcmp(node->key, keys[k]) == 0) return true;
  return false;
}

bool node_is_null(const Node *node) {
  static const char *const nulls[] = {"", "~", "null", "Null", "NULL"};
  if (node->kind != NODE_SCALAR || !node->plain) return false;
  for (size_t i = 0; i < sizeof nulls / sizeof *nulls; i++)
    if (strcmp(node->text, nulls[i]) == 0) return true;
  return false;
}

static size_t write_path(const Node *node, char *buffer) {
  size_t length = node->parent ? write_path(node->parent, buffer) : 0;
  if (!node->parent || length >= NODE_PATH_SIZE) return length;
  const char *dot = length ? "." : "";
  int added;
  if (node->key)
    added = snprintf(buffer + length, NODE_PATH_SIZE - length, "%s%.*s", dot, (int)text_cut(node->key, KEY_SUGGEST_MAX),
                     node->key);
  else
    added = snprintf(buffer + length, NODE_PATH_SIZE - length, "[%zu]", node->index + 1);
  return length + (size_t)added;
}

const char *node_path(const Node *node, char buffer[NODE_PATH_SIZE]) {
  snprintf(buffer, NODE_PATH_SIZE, "document");
  write_path(node, buffer);
  return buffer;
}

const char *node_describe(const Node *node, char buffer[EXCERPT_SIZE]) {
  if (node->kind == NODE_SCALAR && !node_is_null(node)) return text_excerpt(node->text, buffer);
  snprintf(buffer, EXCERPT_SIZE, "%s",
           node->kind == NODE_SEQUENCE  ? (node->first ? "a list" : "an empty list")
           : node->kind == NODE_MAPPING ? "a mapping"
                                        : "nothing");
  return buffer;
}

void node_error(const Node *node, Diagnostics *diagnostics, const char *format, ...) {
  char text[MESSAGE_SIZE], path[NODE_PATH_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  diagnostics_add(diagnostics, &node->place, node_path(node, path), "%s", text);
}

/* Returns the value at a path; if it does not exist, the value at the longest part of the path that exists. Sets *path
 * to the part of the path after it. */
static const Node *nearest(const Document *document, const char **path) {
  const Node *node = document->file->root;
  PathStep step;
  while (**path) {
    const char *rest = path_step(*path, &step);
    const Node *child = node_child(node, &step);
    if (!child) break;
    node = child;
    *path = rest;
  }
  return node;
}

const Node *document_find(const Document *document, const char *path) {
  const Node *node = nearest(document, &path);
  return *path ? NULL : node;
}

Node *document_node(Document *document, const char *path) { return (Node *)document_find(document, path); }

/* Returns an entry of a list that a setting such as --set model.mass[2]=0 has changed, for the position of an error. If
 * the message `error` names an entry k, only this entry is considered. Returns NULL if there is no such entry. */
static const Node *changed_entry(const Node *node, const char *error) {
  const Node *changed = NULL;
  size_t only;
  bool of_one = sscanf(error, "entry %zu", &only) == 1;
  for (const Node *entry = node->kind != NODE_MAPPING ? node->first : NULL; entry; entry = entry->next)
    if (entry->place.rank != node->place.rank && (!of_one || entry->index + 1 == only)) changed = entry;
  return changed;
}

void document_error(const Document *document, Diagnostics *diagnostics, const char *path, const char *format, ...) {
  char text[MESSAGE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);

  const char *rest = path;
  const Node *node = nearest(document, &rest);
  const Node *changed = *rest ? NULL : changed_entry(node, text);
  const Place *place = *rest ? &node->key_place : changed ? &changed->place : &node->place;
  diagnostics_add(diagnostics, place, path, "%s", text);
}
