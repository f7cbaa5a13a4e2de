/* A CSV file of results, read back: a header and rows of numbers. */
#ifndef SRC_TABLE_H
#define SRC_TABLE_H

#include "src/base/diagnostics.h"

enum { TABLE_NAME_SIZE = 32 }; /* of a column that is looked up */

typedef struct Table {
  char place[40]; /* of its header in the results directory, FILE:1:1 */
  int columns;    /* 0: there is no such file */
  long rows;
  char *header;                     /* the first line, cut into names; owned */
  char **names;                     /* [columns] into header, or renamed; owned */
  char (*renamed)[TABLE_NAME_SIZE]; /* owned; NULL: none is */
  double *values;                   /* [rows][columns]; owned */
} Table;

/* Reads DIR/NAME. words: NULL, or the words that may stand for a number, up to a NULL; the k-th is read as k. A file
 * that is not there leaves the table empty. Every row must be whole and end with a line's end. Returns 0, or
 * EXIT_USAGE or EXIT_INTERNAL after telling FILE:LINE:COLUMN; the table is then empty. */
int table_read(Table *table, const char *directory, const char *name, const char *const *words,
               Diagnostics *diagnostics);
void table_clear(Table *table);

/* The column of a name, from 0; -1 if there is none. */
int table_find(const Table *table, const char *name);

/* The first of the columns SYMBOL1, SYMBOL(1+stride), .. of `count` dofs, which must stand side by side; -1 when one is not in
 * its place: its name is then in `missing`. */
int table_find_dofs(const Table *table, const char *symbol, int count, int stride, char missing[TABLE_NAME_SIZE]);

/* How many columns are called SYMBOL and a number. */
int table_count(const Table *table, const char *symbol);

static inline double table_at(const Table *table, long row, int column) {
  return table->values[(size_t)row * (size_t)table->columns + (size_t)column];
}

#endif
