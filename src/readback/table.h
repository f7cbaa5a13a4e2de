/* A CSV file of results, read back: a header and rows of numbers. */
#ifndef SRC_TABLE_H
#define SRC_TABLE_H

#include "src/base/diagnostics.h"

typedef struct Table {
  int columns; /* 0: there is no such file */
  long rows;
  char *header;   /* the first line, cut into names; owned */
  char **names;   /* [columns] into header; owned */
  double *values; /* [rows][columns]; owned */
} Table;

/* Reads DIR/NAME. words: NULL, or the words that may stand for a number, up to a NULL; the k-th is read as k. A file
 * that is not there leaves the table empty. Every row must be whole and end with a line's end. Returns 0, or
 * EXIT_USAGE or EXIT_INTERNAL after telling FILE:LINE:COLUMN; the table is then empty. */
int table_read(Table *table, const char *directory, const char *name, const char *const *words,
               Diagnostics *diagnostics);
void table_clear(Table *table);

/* The column of a name, from 0; -1 if there is none. */
int table_find(const Table *table, const char *name);

static inline double table_at(const Table *table, long row, int column) {
  return table->values[(size_t)row * (size_t)table->columns + (size_t)column];
}

#endif
