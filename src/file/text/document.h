/* A YAML text as a small tree. Its nodes have their positions, so that diagnostics can show them. It is stricter than
 * YAML: one document, no duplicate keys, text keys only, limited aliases.
 *
 * A reader looks keys up with node_get, which marks them as known. document_report_unknown then reports every key that
 * was never looked up. */
#ifndef SRC_DOCUMENT_H
#define SRC_DOCUMENT_H

#include "src/base/diagnostics.h"

enum {
  DOCUMENT_DEPTH_MAX = 32,
  DOCUMENT_NODES_MAX = 2000000, /* including keys, and nodes of expanded aliases */
  DOCUMENT_KEYS_MAX = 1000,     /* keys of one mapping */
  DOCUMENT_ANCHORS_MAX = 100,
  NODE_PATH_SIZE = 256
};

typedef enum NodeKind { NODE_SCALAR, NODE_SEQUENCE, NODE_MAPPING } NodeKind;

typedef struct Node Node;
struct Node {
  NodeKind kind;
  const char *text; /* scalar: its value, UTF-8 without NUL; else "" */
  bool plain;       /* scalar: written without quotes */

  const char *key; /* in a mapping; else NULL */
  size_t index;    /* in a sequence, from 0 */
  Node *parent;    /* NULL: the root */
  Node *next;      /* next node of the same parent */
  Node *first;     /* first child. A scalar has children after --set model.friction[2]=3: entries that differ from it */
  size_t n;        /* children */

  Place place;     /* of the value */
  Place key_place; /* of the key; without a key: of the value */

  bool known;         /* it has been looked up */
  bool ignored;       /* its content is not read: its keys are not reported as unknown */
  const char **asked; /* [n_asked] keys that node_get has looked up here: static strings, the array owned */
  size_t n_asked;
};

typedef struct Document Document;

/* Reads a YAML text. name: for diagnostics, copied. Reports all errors. Returns NULL if nothing can be read. A
 * duplicate key is reported, and its first value is used. */
Document *document_create(const char *name, const char *text, size_t size, Diagnostics *diagnostics);
/* Reads a file likewise, and applies settings [n_settings]. */
Document *document_open(const char *path, char *const *settings, int n_settings, Diagnostics *diagnostics);
void document_destroy(Document *document); /* NULL: nothing */

/* Overrides a value. setting is "KEY=VALUE", with KEY a dotted path ("model.mass[1]") and VALUE YAML; null removes an
 * existing key. Missing mappings are created; entries of lists must exist. rank: number of the setting, from 1. Errors
 * are reported for "--set KEY=VALUE". */
void document_set(Document *document, const char *setting, int rank, Diagnostics *diagnostics);
/* Like document_set, with errors reported for another option than --set. */
void document_set_by(Document *document, const char *option, const char *setting, int rank, Diagnostics *diagnostics);

/* Returns such a setting, "KEY=VALUE", with KEY made of section and key; the caller frees it. NULL: no memory. */
char *document_setting(const char *section, const char *key, const char *value);

/* Bytes of memory of its tree. */
size_t document_bytes(const Document *document);

const char *document_name(const Document *document);
Node *document_root(const Document *document);

/* Returns the value of a key, and marks it as known; key: a static string. NULL: no such key, or not a mapping. */
Node *node_get(Node *mapping, const char *key, Diagnostics *diagnostics);

/* Returns the value of a dotted path without marking it as known; NULL: none. That of document_node may be changed. */
const Node *document_find(const Document *document, const char *path);
Node *document_node(Document *document, const char *path);

/* YAML's null: nothing, ~ or null, unquoted. */
bool node_is_null(const Node *node);

/* "model.force[2].until", cut to the buffer; returns buffer. */
const char *node_path(const Node *node, char buffer[NODE_PATH_SIZE]);

/* Describes a node for messages: "a list", "a mapping", "nothing" or its text in quotes; returns buffer. */
const char *node_describe(const Node *node, char buffer[EXCERPT_SIZE]);

/* Reports an error in a node's value. */
void node_error(const Node *node, Diagnostics *diagnostics, const char *format, ...) LIKE_PRINTF(3, 4);

/* Reports an error in the value of a dotted path, at its position, or at that of the nearest existing key above it. */
void document_error(const Document *document, Diagnostics *diagnostics, const char *path, const char *format, ...)
    LIKE_PRINTF(4, 5);

/* Reports each key that was never looked up by node_get, with the most similar one that was. */
void document_report_unknown(const Document *document, Diagnostics *diagnostics);

#endif
