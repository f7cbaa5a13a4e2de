/* SPDX-License-Identifier: BSD-2-Clause */
/* Parses a YAML text into a small tree. Each node of the tree has its position in the text, for diagnostics. The parser
 * is stricter than YAML: one document, no duplicate keys, text keys only, limited aliases.
 *
 * A reader looks up keys with node_get, which marks them as known. document_report_unknown then reports every key that
 * was never looked up. */
#ifndef SRC_DOCUMENT_H
#define SRC_DOCUMENT_H

#include "src/base/diagnostics.h"

enum {
  DOCUMENT_DEPTH_MAX = 32,
  DOCUMENT_NODES_MAX = 2000000, /* maximum number of nodes of a document, including keys and the nodes of expanded
                                 * aliases */
  DOCUMENT_KEYS_MAX = 1000,     /* maximum number of keys of a mapping */
  DOCUMENT_ANCHORS_MAX = 100,
  NODE_PATH_SIZE = 256
};

typedef enum NodeKind { NODE_SCALAR, NODE_SEQUENCE, NODE_MAPPING } NodeKind;

typedef struct Node Node;
struct Node {
  NodeKind kind;
  const char *text; /* value of a scalar, UTF-8 without NUL; otherwise "" */
  bool plain;       /* whether a scalar is written without quotes */

  const char *key; /* key of this node in a mapping; otherwise NULL */
  size_t index;    /* index of this node in a sequence, from 0 */
  Node *parent;    /* parent node; NULL: this node is the root */
  Node *next;      /* next node of the same parent */
  Node *first;     /* first child; NULL: none. After --set model.friction[2]=3, a scalar that stands for all entries has
                    * children, too: the entries with other values */
  size_t n;        /* number of children */

  Place place;     /* position of the value */
  Place key_place; /* position of the key; the position of the value if the node has no key */

  bool known;         /* whether a reader has looked this node up */
  bool ignored;       /* true: the content of this node is not checked, so its keys are not reported as unknown */
  const char **asked; /* [n_asked] keys that node_get has looked up in this node: static strings in an owned array */
  size_t n_asked;
};

typedef struct Document Document;

/* Parses a YAML text. name: name of the text in diagnostics, copied. Reports all errors. If a key is repeated, its
 * first value is used, after an error. Returns NULL if nothing could be read. */
Document *document_create(const char *name, const char *text, size_t size, Diagnostics *diagnostics);
/* Parses a file as document_create does, and then applies settings [n_settings] "KEY=VALUE". */
Document *document_open(const char *path, char *const *settings, int n_settings, Diagnostics *diagnostics);
void document_destroy(Document *document); /* NULL is allowed */

/* Changes a value by a setting "KEY=VALUE", where KEY is a dotted path such as "model.mass[1]" and VALUE is YAML. The
 * value null removes an existing key. Missing mappings are created; entries of lists must exist. rank: number of the
 * setting, from 1. Errors are reported for "--set KEY=VALUE". */
void document_set(Document *document, const char *setting, int rank, Diagnostics *diagnostics);
/* Works as document_set, but errors are reported for another option instead of --set. */
void document_set_by(Document *document, const char *option, const char *setting, int rank, Diagnostics *diagnostics);

/* Returns the setting "section.key=value" as a text, which the caller frees. NULL: no memory. */
char *document_setting(const char *section, const char *key, const char *value);

/* Returns the memory that the tree occupies, in bytes. */
size_t document_bytes(const Document *document);

const char *document_name(const Document *document);
Node *document_root(const Document *document);

/* Returns the node at a key of a mapping, and marks it as known. key: a static string. Returns NULL if there is no such
 * key, or the node is not a mapping. */
Node *node_get(Node *mapping, const char *key, Diagnostics *diagnostics);

/* Return the node at a dotted path without marking it as known; NULL: there is none. Unlike document_find,
 * document_node returns a node that may be changed. */
const Node *document_find(const Document *document, const char *path);
Node *document_node(Document *document, const char *path);

/* Returns the node at a path without marking it as known. The path may denote an entry (1 to `most`) of a list that is
 * written as one number for all entries. Then this entry is added to the document, with the same number. Returns NULL
 * if there is no such value, or after recording that there is no memory. */
Node *document_entry(Document *document, const char *path, size_t most, Diagnostics *diagnostics);

/* Returns whether a node is YAML's null: nothing, ~ or null, unquoted. */
bool node_is_null(const Node *node);

/* Returns whether the value of a node is the name of a file or of a results directory, judged by its key: file, urdf,
 * from. */
bool node_names_file(const Node *node);

/* Writes the path of a node, such as "model.force[2].until", into the buffer, cut to its size. Returns buffer. */
const char *node_path(const Node *node, char buffer[NODE_PATH_SIZE]);

/* Describes a node for messages: "a list", "a mapping", "nothing" or its text in quotes. Returns buffer. */
const char *node_describe(const Node *node, char buffer[EXCERPT_SIZE]);

/* Reports an error in a node's value. */
void node_error(const Node *node, Diagnostics *diagnostics, const char *format, ...) LIKE_PRINTF(3, 4);

/* Reports an error in the value at a dotted path. The position of the error is that of the value or of the nearest
 * existing key above it. */
void document_error(const Document *document, Diagnostics *diagnostics, const char *path, const char *format, ...)
    LIKE_PRINTF(4, 5);

/* Returns the key most similar to `key` of those that node_get has looked up in a mapping; NULL if none is similar. */
const char *document_nearest(const Node *mapping, const char *key);

/* Reports each key of the document that node_get has never looked up. The message suggests the most similar key that
 * has been looked up. */
void document_report_unknown(const Document *document, Diagnostics *diagnostics);
/* Returns whether document_report_unknown, if called now, would report a key inside this node. */
bool node_has_unknown(const Node *node);

#endif
