/* What a document is made of: the tree of its file, and one more for each --set, grafted onto it. Private to
 * document*.c. */
#ifndef SRC_DOCUMENT_PART_H
#define SRC_DOCUMENT_PART_H

#include "src/base/path.h"
#include "src/file/text/document.h"

#include <stdalign.h>
#include <stddef.h>

/* Memory that is given out piece by piece and freed as a whole. */
typedef struct Block Block;
struct Block {
  Block *next; /* an older one */
  size_t size, used;
  alignas(max_align_t) unsigned char bytes[]; /* [size] */
};

typedef struct Part Part;
struct Part {
  Part *next;
  char *name;   /* of the places; owned */
  char *key;    /* what diagnostics about the whole part are about; owned */
  int rank;     /* of the places */
  bool located; /* places have line and column */
  Block *nodes; /* owned: nodes, and nothing else */
  Block *texts; /* owned: what the nodes borrow */
  Node *root;   /* one of nodes; NULL when nothing could be read */
};

struct Document {
  Part *file; /* the first of the parts; the others are settings */
};

/* name, key: copied. NULL: no memory. */
Part *part_create(const char *name, const char *key, int rank, Diagnostics *diagnostics);
void part_destroy(Part *part); /* NULL: nothing */

/* Reads the text into part->root. Tells all mistakes; false when the part has no root. */
bool part_parse(Part *part, const char *text, size_t size, Diagnostics *diagnostics);

/* A fresh node at the part's place, and a copy of a text. NULL: no memory, noted. */
Node *part_add_node(Part *part, NodeKind kind, Place place, Diagnostics *diagnostics);
char *part_add_text(Part *part, const char *text, size_t length, Diagnostics *diagnostics);

/* line, column: from 0, as libyaml counts. */
Place part_place(const Part *part, size_t line, size_t column);

/* The child that a step of a path names; NULL when there is none. Notes nothing. */
Node *node_child(const Node *node, const PathStep *step);

#endif
