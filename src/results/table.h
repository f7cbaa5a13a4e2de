/* SPDX-License-Identifier: BSD-2-Clause */
/* A table of results has columns, each with a name, a unit and a kind, and rows of numbers. Its file is CSV or HDF5,
 * according to the ending of its name (.csv, .h5). A file that grows with a run is opened, extended row by row, and
 * closed. A complete table is written at once. Both are read back as a whole, and columns are found by name. */
#ifndef SRC_RESULTS_TABLE_H
#define SRC_RESULTS_TABLE_H

#include "sim/group.h"
#include "src/base/labels.h"
#include "src/results/results.h"

#define TABLE_HDF5 ".h5"

/* TABLE_NAME_SIZE: buffer size for the longest name of a column that is looked up, with its NUL */
enum { TABLE_COLUMNS_MAX = 48, TABLE_NAME_SIZE = 32 };

/* How a number is written in CSV, and its type in HDF5. */
typedef enum ColumnKind {
  COLUMN_NUMBER,  /* 17 digits in CSV; float64 */
  COLUMN_COUNT,   /* integer; int32 */
  COLUMN_LONG,    /* integer; int64 */
  COLUMN_SECONDS, /* 6 decimals; float64 */
  COLUMN_WORD     /* index of a word, from 0, written as the word; not in HDF5 */
} ColumnKind;

/* How many values a column has in each row: one, one for each degree of freedom, or one for each control. */
typedef enum ColumnWidth { WIDTH_ONE, WIDTH_DOFS, WIDTH_CONTROLS, WIDTHS } ColumnWidth;

typedef struct TableColumn {
  const char *name;
  const char *unit; /* unit of the values; NULL: unknown, and not written */
  ColumnKind kind;
  ColumnWidth width;
  const char *const *words; /* for COLUMN_WORD: the words; NULL: the names of the degrees of freedom */
} TableColumn;

/* Files that are extended row by row ------------------------------------------------------------------------------- */

typedef struct TableLayout {
  int n_columns; /* 1 to TABLE_COLUMNS_MAX */
  /* Columns in order. In HDF5 the first one is the dimension scale of the rows; it is NaN in rows that the run has not
   * reached. */
  const TableColumn *columns;
  const Labels *labels; /* for CSV: names of degrees of freedom; borrowed. NULL if no column needs them */
  int d, controls;      /* number of degrees of freedom and of controls */
  const double *matrix; /* for CSV: matrix [d][controls], from which the controls get names; borrowed. NULL: no names */
  /* The members below are for HDF5 only. */
  long n;                  /* largest number of rows, >= 1 */
  int format;              /* version of the format (src/base/formats.h) */
  int first, count;        /* this process writes the degrees of freedom first .. first + count - 1 */
  const SimGroup *group;   /* processes that write together; NULL: only this one, and MPI need not be initialised */
  const double *positions; /* [count] positions in m of the degrees of freedom along the system, written to the file
                            * instead of their indices; NULL: write the indices */
  const char *title;       /* NULL: no title */
  const char *problem;
} TableLayout;

typedef struct TableFile TableFile;

/* Opens DIR/NAME. mark: position in the file, as set by table_sync. With a mark the existing file is cut to this
 * position and continued there; NULL creates a new file. HDF5: collective over the group, like all functions here; call
 * it before MPI is initialised or after hdf5_begin. layout need not outlive the call, except its labels, its group and
 * the texts of its columns. Returns NULL on all ranks after reporting an error. */
TableFile *table_open(const Results *results, const char *name, const TableLayout *layout, const ResultsMark *mark);

/* Appends a row. data[c]: values of column c in this row; their number is 1, layout.count or layout.controls according
 * to the column's width. Write errors are reported by table_sync and table_close. */
void table_append(TableFile *file, const double *const *data);

/* Passes all rows to the system. Returns 0, or -1 if this or an earlier row could not be written. For CSV only. */
int table_flush(TableFile *file);

/* Flushes all rows to the disk, and sets mark to the file's present position. Returns 0, or -1 if some rows could not
 * be written. NULL file: returns 0. */
int table_sync(TableFile *file, ResultsMark *mark);

/* Closes the file. ended: the run will not be resumed, so rows that were not reached are removed. Returns 0, or -1
 * after reporting that something could not be written. NULL: 0. */
int table_close(TableFile *file, bool ended);

/* Tables in memory ------------------------------------------------------------------------------------------------ */

typedef struct Table {
  char place[40]; /* position of the table's header for messages: FILE:1:1, relative to the results directory */
  int columns;    /* number of columns; 0: the file does not exist */
  long rows, room;
  char **names;   /* [columns] names of the columns; owned, like all pointers below */
  char **units;   /* [columns] units; NULL: unknown */
  double *values; /* [rows][columns] values of the table, row by row */
  bool *words;    /* for a table of texts: [columns] whether some cell is not a number; NULL: a table of numbers */
  size_t *cells;  /* [rows][columns] index in `text` at which each cell's text starts */
  char *text;
  size_t text_size, text_room;
  int d, stride; /* for trajectory.h5: number of degrees of freedom, and distance of those in the table, which have the
                  * indices 1, 1 + stride, .. */
  long left_out; /* for events.h5: number of slips that are not in the table */
} Table;

/* Makes a table without rows and without names of columns. room: number of rows to allocate; more are allocated when
 * needed. texts: the cells are texts. Returns false if there is no memory. Clear the table in each case. */
bool table_make(Table *table, int columns, long room, bool texts);
void table_clear(Table *table);

/* Sets the name of a column, from 0. Returns false if there is no memory. */
bool table_name(Table *table, int column, const char *format, ...) LIKE_PRINTF(3, 4);

/* Sets a column's unit. Returns false if there is no memory. */
bool table_set_unit(Table *table, int column, const char *unit);

/* Returns the unit of a column; "" if it is unknown. */
const char *table_unit(const Table *table, int column);

/* Removes all rows k with keep[k] false, and the column `without`. keep: [rows]. */
void table_keep(Table *table, const bool *keep, int without);

/* Adds a row of zeros. Returns its values, or NULL if there is no memory. */
double *table_add_row(Table *table);

/* Sets a cell of the last row in a table of texts, and its value. The value is NaN if `word` is set, or the text is
 * empty or not a number. Returns false if there is no memory. */
bool table_set_text(Table *table, int column, const char *text, bool word);

/* Returns the column with this name, from 0; -1 if there is none. */
int table_find(const Table *table, const char *name);

/* Returns the first of the consecutive columns SYMBOL1, SYMBOL(1+stride), .. of `count` dofs. If one is missing,
 * returns -1 and sets `missing` to its name. */
int table_find_dofs(const Table *table, const char *symbol, int count, int stride, char missing[TABLE_NAME_SIZE]);

/* Returns the number of columns named SYMBOL and a number. */
int table_count(const Table *table, const char *symbol);

static inline double table_at(const Table *table, long row, int column) {
  return table->values[(size_t)row * (size_t)table->columns + (size_t)column];
}
static inline const char *table_text(const Table *table, long row, int column) {
  return table->text + table->cells[(size_t)row * (size_t)table->columns + (size_t)column];
}

/* Reading and writing whole files ---------------------------------------------------------------------------------- */

/* Writes DIR/NAME atomically. The same table gives the same bytes. columns: [columns] units and kinds. In HDF5 the
 * first column is the dimension scale of the others. A column of texts is written as text if one of its cells is a
 * word. format, title: for HDF5; title NULL: none. Returns 0, or EXIT_INTERNAL after reporting an error. */
int table_write(const Table *table, const Results *results, const char *name, const TableColumn *columns, int format,
                const char *title);

/* Reads DIR/NAME. If the file is missing, the table is empty. Returns 0; or EXIT_USAGE or EXIT_INTERNAL after
 * reporting an error, for CSV with FILE:LINE:COLUMN; the table is then empty.
 * - CSV: every row must be complete and end with a newline. words: words that are allowed in place of a number,
 *   NULL-terminated; word k is read as k. NULL: none.
 * - HDF5: reads trajectory.h5, events.h5, and sweep.h5 without its rows (hdf5_read.h). */
int table_read(Table *table, const char *directory, const char *name, const char *const *words,
               Diagnostics *diagnostics);

/* Reads a CSV file in which cells may be texts. In each column, words become numbers in the order of their first
 * occurrence. */
int table_read_texts(Table *table, const char *directory, const char *name, Diagnostics *diagnostics);

#endif
