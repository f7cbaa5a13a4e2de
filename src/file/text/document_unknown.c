/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/base/way_out.h"
#include "src/file/text/document.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LIST_SIZE = 400 };

const char *document_nearest(const Node *mapping, const char *key) {
  if (strlen(key) > WORD_LENGTH_MAX) return NULL;
  const char *nearest = NULL;
  int least = ((int)strlen(key) + 2) / 3 + 1; /* maximum distance of similar keys: at most one in three letters
                                               * differs */
  for (size_t i = 0; i < mapping->n_asked; i++) {
    bool beginning = strlen(key) > 2 && strncmp(key, mapping->asked[i], strlen(key)) == 0;
    int distance = beginning ? 0 : edit_distance(key, mapping->asked[i]);
    if (distance >= least) continue;
    least = distance;
    nearest = mapping->asked[i];
  }
  return nearest;
}

/* Removes the error that the key meant by a mistyped key is missing: one mistake has one message. */
static void withdraw_missing(const Node *mapping, const char *key, Diagnostics *diagnostics) {
  char path[NODE_PATH_SIZE], meant[NODE_PATH_SIZE + WORD_LENGTH_MAX];
  snprintf(meant, sizeof meant, "%s.%s", node_path(mapping, path), key);
  diagnostics_withdraw(diagnostics, mapping->parent ? meant : key, "missing");
}

static void unknown_error(const Node *mapping, const Node *child, Diagnostics *diagnostics) {
  char path[NODE_PATH_SIZE], list[LIST_SIZE] = "";
  node_path(child, path);
  const char *nearest = document_nearest(mapping, child->key);
  if (nearest) {
    withdraw_missing(mapping, nearest, diagnostics);
    diagnostics_add(diagnostics, &child->key_place, path, "unknown key (did you mean %s?)", nearest);
    return;
  }
  size_t length = 0;
  const char *way = way_out(path);
  for (size_t i = 0; i < mapping->n_asked && length < sizeof list; i++)
    length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", i ? ", " : "", mapping->asked[i]);
  diagnostics_add(diagnostics, &child->key_place, path, "unknown key%s%s (expected one of %s)", way ? ": " : "",
                  way ? way : "", list);
}

/* Reports an entry that --set KEY[2]=3 has set, although the key accepts only a single number. The reader of a key that
 * accepts a list has marked the entry as known. */
static void entry_error(const Node *child, Diagnostics *diagnostics) {
  node_error(child, diagnostics, "the key before the brackets is not a list (expected its whole value)");
}

static void visit(const Node *node, Diagnostics *diagnostics) {
  if (node->ignored || diagnostics_full(diagnostics)) return;
  for (const Node *child = node->first; child; child = child->next) {
    /* if no key of a mapping was looked up, an error in the mapping as a whole has already been reported */
    if (node->kind == NODE_MAPPING && !child->known && node->n_asked) unknown_error(node, child, diagnostics);
    if (node->kind == NODE_SCALAR && !child->known) entry_error(child, diagnostics);
    if (node->kind != NODE_MAPPING || child->known) visit(child, diagnostics);
  }
}

bool node_has_unknown(const Node *node) {
  Diagnostics found = {0};
  visit(node, &found);
  bool any = found.count > 0;
  diagnostics_clear(&found);
  return any;
}

void document_report_unknown(const Document *document, Diagnostics *diagnostics) {
  visit(document_root(document), diagnostics);
}
