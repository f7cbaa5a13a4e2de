/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/text/document_part.h"

#include <stdlib.h>
#include <string.h>

Part *part_create(const char *name, const char *key, int rank, Diagnostics *diagnostics) {
  Part *part = diagnostics_calloc(diagnostics, 1, sizeof *part);
  if (!part) return NULL;
  part->name = strdup(name);
  part->key = strdup(key);
  part->rank = rank;
  part->located = rank == 0;
  if (part->name && part->key) return part;
  diagnostics->no_memory = true;
  part_destroy(part);
  return NULL;
}

static void free_blocks(Block *block) {
  for (Block *next; block; block = next) {
    next = block->next;
    free(block);
  }
}

void part_destroy(Part *part) {
  if (!part) return;
  for (Block *block = part->nodes; block; block = block->next) {
    Node *nodes = (Node *)block->bytes;
    for (size_t i = 0; i < block->used / sizeof *nodes; i++) free(nodes[i].asked);
  }
  free_blocks(part->nodes);
  free_blocks(part->texts);
  free(part->name);
  free(part->key);
  free(part);
}

Place part_place(const Part *part, size_t line, size_t column) {
  Place place = {.name = part->name, .rank = part->rank};
  if (part->located) {
    place.line = (long)line + 1;
    place.column = (long)column + 1;
  }
  return place;
}

/* Allocates memory from the newest block, or from a new block if it is full. Returns NULL if there is no memory. */
static void *take(Block **blocks, size_t size, Diagnostics *diagnostics) {
  enum { BLOCK_SIZE = 1 << 16 };
  Block *block = *blocks;
  if (!block || block->size - block->used < size) {
    size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
    block = malloc(sizeof *block + room);
    if (!block) {
      diagnostics->no_memory = true;
      return NULL;
    }
    *block = (Block){.next = *blocks, .size = room};
    *blocks = block;
  }
  void *bytes = block->bytes + block->used;
  block->used += size;
  return bytes;
}

Node *part_add_node(Part *part, NodeKind kind, Place place, Diagnostics *diagnostics) {
  Node *node = take(&part->nodes, sizeof *node, diagnostics);
  if (node) *node = (Node){.kind = kind, .text = "", .place = place, .key_place = place};
  return node;
}

char *part_add_text(Part *part, const char *text, size_t length, Diagnostics *diagnostics) {
  char *copy = take(&part->texts, length + 1, diagnostics);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}
