/* SPDX-License-Identifier: BSD-2-Clause */
/* A document consists of parts: the tree of its file, and a small tree for each --set, which is inserted into the tree
 * of the file. Only document*.c use parts. */
#ifndef SRC_DOCUMENT_PART_H
#define SRC_DOCUMENT_PART_H

#include "src/base/path.h"
#include "src/file/text/document.h"

#include <stdalign.h>
#include <stddef.h>

/* A block of memory from which pieces are allocated, and which is freed as a whole. */
typedef struct Block Block;
struct Block {
  Block *next; /* next older block */
  size_t size, used;
  alignas(max_align_t) unsigned char bytes[]; /* [size] */
};

typedef struct Part Part;
struct Part {
  Part *next;
  char *name;   /* name of the file or setting, which the positions of its nodes borrow; owned */
  char *key;    /* key for diagnostics about the part as a whole; owned */
  int rank;     /* Place.rank of all its nodes */
  bool located; /* whether the positions of its nodes have a line and a column */
  Block *nodes; /* blocks that contain only nodes; owned */
  Block *texts; /* blocks with the texts of the nodes; owned */
  Node *root;   /* root of the tree, in one of `nodes`; NULL if nothing could be read */
};

struct Document {
  Part *file; /* the part of the file, first in the list of parts; the others are settings */
};

/* Creates a part. name and key are copied. NULL if there is no memory. */
Part *part_create(const char *name, const char *key, int rank, Diagnostics *diagnostics);
void part_destroy(Part *part); /* NULL is allowed */

/* Parses a text into part->root, and reports all errors. Returns false if the part has no root. */
bool part_parse(Part *part, const char *text, size_t size, Diagnostics *diagnostics);

/* part_add_node returns a new node with this position. part_add_text returns a copy of a text. Both return NULL after
 * recording that there is no memory. */
Node *part_add_node(Part *part, NodeKind kind, Place place, Diagnostics *diagnostics);
char *part_add_text(Part *part, const char *text, size_t length, Diagnostics *diagnostics);

/* Returns a position. line, column: from 0, as libyaml counts them. */
Place part_place(const Part *part, size_t line, size_t column);

/* Returns the child of a node to which a step of a path leads; NULL if there is none. Does not mark the child as
 * known. */
Node *node_child(const Node *node, const PathStep *step);

#endif
