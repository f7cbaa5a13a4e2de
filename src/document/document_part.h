/* What a document is made of: the tree of its file, and one more for each --set, grafted onto it. Private to
 * document*.c. */
#ifndef SRC_DOCUMENT_PART_H
#define SRC_DOCUMENT_PART_H

#include "src/document/document.h"

#include <yaml.h>

typedef struct Part Part;
struct Part {
  Part *next;
  char *name;           /* of the places; owned */
  char *key;            /* what diagnostics about the whole part are about; owned */
  char *words;          /* of a setting: its key, cut at the dots; owned */
  int rank;             /* of the places */
  bool located;         /* places have line and column */
  bool has_yaml;        /* yaml is to be deleted */
  yaml_document_t yaml; /* owns the texts of the nodes */
  Node *nodes;          /* [n_nodes] owned */
  size_t n_nodes;
  size_t n_used;
  Node *root; /* one of nodes; NULL when nothing could be read */
};

struct Document {
  Part *file; /* the first of the parts; the others are settings */
};

/* name, key: copied. NULL: no memory. */
Part *part_create(const char *name, const char *key, int rank, Diagnostics *diagnostics);
void part_destroy(Part *part); /* NULL: nothing */

/* Reads the text into part->root, with room for `spare` more nodes. Tells all mistakes; false when the part
 * has no root. */
bool part_parse(Part *part, const char *text, size_t size, size_t spare, Diagnostics *diagnostics);

/* A fresh node at the part's place; there must be room. */
Node *part_add_node(Part *part, NodeKind kind, Place place);

/* line, column: from 0, as libyaml counts. */
Place part_place(const Part *part, size_t line, size_t column);

/* The child with a key or an index written as a number; NULL when there is none. Notes nothing. */
Node *node_child(const Node *node, const char *name);

#endif
