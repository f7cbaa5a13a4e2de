/* A YAML text as a small tree whose nodes know where they stand, so that any diagnostic about them can say so.
 * Strict where YAML is lax: one document, no duplicate keys, text keys only, aliases that cannot blow up.
 *
 * A reader looks keys up with node_get, which notes them as known; document_report_unknown then tells every
 * key that nobody has looked up. */
#ifndef SRC_DOCUMENT_H
#define SRC_DOCUMENT_H

#include "src/base/diagnostics.h"

enum {
  DOCUMENT_DEPTH_MAX = 32,
  DOCUMENT_NODES_MAX = 2000000, /* keys, too; those of aliases written out */
  DOCUMENT_KEYS_MAX = 1000,     /* of one mapping */
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
  Node *next;      /* the next one of the same parent */
  Node *first;     /* of the children */
  size_t n;        /* children */

  Place place;     /* of the value */
  Place key_place; /* of the key; without a key: of the value */

  bool known;         /* somebody has looked it up */
  bool ignored;       /* nobody will look into it: its keys are not told as unknown */
  const char **asked; /* [n_asked] what node_get has been asked for here: static strings, the array owned */
  size_t n_asked;
};

typedef struct Document Document;

/* Reads a YAML text. name: for diagnostics, copied. Returns NULL when there is nothing to go on with;
 * everything wrong is told. A duplicate key is told and its first value holds. */
Document *document_create(const char *name, const char *text, size_t size, Diagnostics *diagnostics);
/* A file's, overlaid with settings [n_settings]; likewise. */
Document *document_open(const char *path, char *const *settings, int n_settings, Diagnostics *diagnostics);
void document_destroy(Document *document); /* NULL: nothing */

/* Overrides a value: setting is "KEY=VALUE", KEY a dotted path ("model.mass[1]"), VALUE YAML; null takes a key out that is
 * there. Missing mappings are created; entries of lists must exist. rank: the setting's number, from 1. Mistakes are reported as of "--set
 * KEY=VALUE". */
void document_set(Document *document, const char *setting, int rank, Diagnostics *diagnostics);
/* Likewise, told as of another option than --set. */
void document_set_by(Document *document, const char *option, const char *setting, int rank, Diagnostics *diagnostics);

/* Such a setting: "KEY=VALUE", KEY the two one behind the other; to be freed, NULL: no memory. */
char *document_setting(const char *section, const char *key, const char *value);

/* What its tree takes in memory. */
size_t document_bytes(const Document *document);

const char *document_name(const Document *document);
Node *document_root(const Document *document);

/* The value of a key, noted as known; key: a static string. NULL when there is none, or no mapping. */
Node *node_get(Node *mapping, const char *key, Diagnostics *diagnostics);

/* The value that a dotted path names, which is not noted as known; NULL when there is none. The latter's may be changed. */
const Node *document_find(const Document *document, const char *path);
Node *document_node(Document *document, const char *path);

/* YAML's null: nothing, ~ or null, unquoted. */
bool node_is_null(const Node *node);

/* "model.force[2].until", cut to the buffer; returns buffer. */
const char *node_path(const Node *node, char buffer[NODE_PATH_SIZE]);

/* What a node is, for messages: "a list", "a mapping", "nothing" or its text in quotes; returns buffer. */
const char *node_describe(const Node *node, char buffer[EXCERPT_SIZE]);

/* A mistake in a node's value. */
void node_error(const Node *node, Diagnostics *diagnostics, const char *format, ...) LIKE_PRINTF(3, 4);

/* A mistake in what a dotted path names: told at its value, or at the nearest key above it that exists. */
void document_error(const Document *document, Diagnostics *diagnostics, const char *path, const char *format, ...)
    LIKE_PRINTF(4, 5);

/* Tells each key that node_get was not asked for, with the nearest one that it was. */
void document_report_unknown(const Document *document, Diagnostics *diagnostics);

#endif
