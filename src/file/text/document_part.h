/* The parts of a document: the tree of its file, and one tree for each --set, which is inserted into it. Private to
 * document*.c. */
#ifndef SRC_DOCUMENT_PART_H
#define SRC_DOCUMENT_PART_H

#include "src/base/path.h"
#include "src/file/text/document.h"

#include <stdalign.h>
#include <stddef.h>

/* A block of memory from which pieces are allocated; freed as a whole. */
typedef struct Block Block;
struct Block {
  Block *next; /* an older one */
  size_t size, used;
  alignas(max_align_t) unsigned char bytes[]; /* [size] */
};

typedef struct Part Part;
struct Part {
  Part *next;
  char *name;   /* name in its places; owned */
  char *key;    /* key for diagnostics about the whole part; owned */
  int rank;     /* Place.rank of all its nodes */
  bool located; /* places have line and column */
  Block *nodes; /* owned blocks that contain only nodes */
  Block *texts; /* owned blocks with the nodes' texts */
  Node *root;   /* one of nodes; NULL if nothing could be read */
};

struct Document {
  Part *file; /* the first of the parts; the others are settings */
};

/* Creates a part; name and key are copied. NULL if there is no memory. */
Part *part_create(const char *name, const char *key, int rank, Diagnostics *diagnostics);
void part_destroy(Part *part); /* NULL: does nothing */

/* Reads the text into part->root and reports all errors. Returns false if the part has no root. */
bool part_parse(Part *part, const char *text, size_t size, Diagnostics *diagnostics);

/* Return a new node at the part's place, and a copy of a text. NULL if there is no memory, which is noted. */
Node *part_add_node(Part *part, NodeKind kind, Place place, Diagnostics *diagnostics);
char *part_add_text(Part *part, const char *text, size_t length, Diagnostics *diagnostics);

/* line, column: from 0, as libyaml counts. */
Place part_place(const Part *part, size_t line, size_t column);

/* Returns the child named by a step of a path; NULL if there is none. Does not mark it as known. */
Node *node_child(const Node *node, const PathStep *step);

#endif
