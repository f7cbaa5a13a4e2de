/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of results. A table has rows of numbers and columns, each with a name, a unit and a kind. Its file is CSV or
 * HDF5, according to the ending of its name (.csv, .h5). A file that grows during a run is opened, extended row by row,
 * and closed. A complete table is written in a single call. Files of both sorts are read as a whole, and columns are
 * found by name. */
#ifndef SRC_RESULTS_TABLE_H
#define SRC_RESULTS_TABLE_H

#include "sim/group.h"
#include "src/base/labels.h"
#include "src/results/results.h"

#define TABLE_HDF5 ".h5"

/* TABLE_NAME_SIZE: size, with the NUL, of a buffer for the longest column name that is looked up */
enum { TABLE_COLUMNS_MAX = 48, TABLE_NAME_SIZE = 32 };

/* How a number is written in CSV, and its type in HDF5. */
typedef enum ColumnKind {
  COLUMN_NUMBER,  /* 17 digits in CSV; float64 in HDF5 */
  COLUMN_COUNT,   /* integer; int32 in HDF5 */
  COLUMN_LONG,    /* integer; int64 in HDF5 */
  COLUMN_SECONDS, /* 6 decimals in CSV; float64 in HDF5 */
  COLUMN_WORD     /* index of a word, from 0; CSV has the word itself; not supported in HDF5 */
} ColumnKind;

/* Number of values of a column in each row: one, one for each degree of freedom, or one for each control. */
typedef enum ColumnWidth { WIDTH_ONE, WIDTH_DOFS, WIDTH_CONTROLS, WIDTHS } ColumnWidth;

typedef struct TableColumn {
  const char *name;
  const char *unit; /* unit of the values; NULL: unknown, so no unit is written */
  ColumnKind kind;
  ColumnWidth width;
  const char *const *words; /* for COLUMN_WORD: the words of the indices; NULL: the names of the degrees of freedom */
} TableColumn;

/* Files that are extended row by row ------------------------------------------------------------------------------- */

typedef struct TableLayout {
  int n_columns; /* 1 to TABLE_COLUMNS_MAX */
  /* Columns in order. In HDF5 the first one is the dimension scale of the rows, with NaN in rows that the run has not
   * reached. */
  const TableColumn *columns;
  const Labels *labels; /* for CSV: names of degrees of freedom; borrowed. NULL: no column needs them */
  int d, controls;      /* number of degrees of freedom and of controls */
  const double *matrix; /* for CSV: control matrix [d][controls], from which the names of controls are derived;
                         * borrowed. NULL: no names */
  /* The members below are used for HDF5 only. */
  long n;                  /* largest number of rows, >= 1 */
  int format;              /* version of the format (src/base/formats.h) */
  int first, count;        /* this process writes degrees of freedom first .. first + count - 1, from 0 */
  const SimGroup *group;   /* group of processes that write together; NULL: only this process, and MPI need not be
                            * initialised */
  const double *positions; /* [count] positions of the degrees of freedom along the system, in m, which are written
                            * instead of their numbers; NULL: the numbers are written */
  const char *title;       /* NULL: no title */
  const char *problem;
} TableLayout;

typedef struct TableFile TableFile;

/* Opens DIR/NAME. mark: position in the file, as set by table_sync, at which an existing file is cut and continued.
 * NULL: a new file is created. For HDF5 the call is collective over the group, like all functions here, and must be
 * made before MPI is initialised or after hdf5_begin. Of layout only the labels, the group and the texts of columns
 * must exist after the call. Returns NULL on all ranks after reporting an error. */
TableFile *table_open(const Results *results, const char *name, const TableLayout *layout, const ResultsMark *mark);

/* Appends a row. data[c]: values of column c in this row. Their number is 1, layout.count or layout.controls, according
 * to the width of the column. Errors in writing are reported by table_sync and table_close. */
void table_append(TableFile *file, const double *const *data);

/* Passes all rows to the operating system. Returns 0, or -1 if this or an earlier row could not be written. For CSV
 * only. */
int table_flush(TableFile *file);

/* Flushes all rows to the disk, and sets mark to the present position in the file. Returns 0, or -1 if some rows could
 * not be written. If file is NULL, returns 0. */
int table_sync(TableFile *file, ResultsMark *mark);

/* Closes the file. ended: the run will not be resumed, so rows that it has not reached are removed. Returns 0, or -1
 * after reporting that some rows could not be written. If file is NULL, returns 0. */
int table_close(TableFile *file, bool ended);

/* Tables in memory ------------------------------------------------------------------------------------------------- */

typedef struct Table {
  char place[40]; /* position of the table's header for messages: FILE:1:1, relative to the results directory */
  int columns;    /* number of columns; 0: the file did not exist */
  long rows, room;
  char **names;   /* [columns] names of the columns; owned, like all pointers below */
  char **units;   /* [columns] units; NULL: unknown */
  double *values; /* [rows][columns] numeric values, row by row */
  bool *words;    /* for a table of texts: [columns] whether some cell is not a number; NULL: the table has numbers
                   * only */
  size_t *cells;  /* for a table of texts: [rows][columns] index in `text` at which the text of each cell starts */
  char *text;
  size_t text_size, text_room;
  int d, stride; /* for trajectory.h5: d is the number of degrees of freedom; the table has those with the numbers 1, 1
                  * + stride, .. */
  long left_out; /* for events.h5: number of slips that are not in the table */
} Table;

/* Makes a table without rows and without names of columns. room: number of rows to allocate; more are allocated when
 * needed. texts: whether cells are texts. Returns false if there is no memory. The caller clears the table in each
 * case. */
bool table_make(Table *table, int columns, long room, bool texts);
void table_clear(Table *table);

/* Sets the name of a column, from 0. Returns false if there is no memory. */
bool table_name(Table *table, int column, const char *format, ...) LIKE_PRINTF(3, 4);

/* Sets the unit of a column, from 0. Returns false if there is no memory. */
bool table_set_unit(Table *table, int column, const char *unit);

/* Returns the unit of a column; "" if it is unknown. */
const char *table_unit(const Table *table, int column);

/* Removes all rows k for which keep[k] is false, and the column with the number `without`. keep: [rows]. */
void table_keep(Table *table, const bool *keep, int without);

/* Adds a row of zeros. Returns its values, or NULL if there is no memory. */
double *table_add_row(Table *table);

/* Sets a cell of the last row in a table of texts, and its numeric value. The value is NaN if `word`, or if the text is
 * empty or not a number. Returns false if there is no memory. */
bool table_set_text(Table *table, int column, const char *text, bool word);

/* Returns the number, from 0, of the column with this name; -1 if there is none. */
int table_find(const Table *table, const char *name);

/* Returns the number of the first of the columns SYMBOL1, SYMBOL(1+stride), .. of `count` degrees of freedom, which
 * must be consecutive. If one is missing, returns -1 and sets `missing` to its name. */
int table_find_dofs(const Table *table, const char *symbol, int count, int stride, char missing[TABLE_NAME_SIZE]);

/* Returns the number of columns with a name that consists of SYMBOL and a number. */
int table_count(const Table *table, const char *symbol);

static inline double table_at(const Table *table, long row, int column) {
  return table->values[(size_t)row * (size_t)table->columns + (size_t)column];
}
static inline const char *table_text(const Table *table, long row, int column) {
  return table->text + table->cells[(size_t)row * (size_t)table->columns + (size_t)column];
}

/* Reading and writing whole files ---------------------------------------------------------------------------------- */

/* Writes DIR/NAME atomically. The same table gives the same bytes. columns: [columns] units and kinds. In HDF5 the
 * first column is the dimension scale of the others. A column of texts is written as text if at least one of its cells
 * is not a number. format, title: used for HDF5; title NULL: none. Returns 0, or EXIT_INTERNAL after reporting an
 * error. */
int table_write(const Table *table, const Results *results, const char *name, const TableColumn *columns, int format,
                const char *title);

/* Reads DIR/NAME. If the file is missing, the table is empty. Returns 0; or EXIT_USAGE or EXIT_INTERNAL after reporting
 * an error, for CSV with FILE:LINE:COLUMN, and then the table is empty, too.
 * - CSV: every row must be complete and end with a newline. words: words that are allowed in place of a number,
 *   NULL-terminated; word k is read as the number k. NULL: no words are allowed.
 * - HDF5: reads trajectory.h5, events.h5, and sweep.h5 without its rows (hdf5_read.h). */
int table_read(Table *table, const char *directory, const char *name, const char *const *words,
               Diagnostics *diagnostics);

/* Reads a CSV file in which cells may be texts. In each column, texts that are not numbers get the numbers 0, 1, .. as
 * values, in the order in which they first occur. */
int table_read_texts(Table *table, const char *directory, const char *name, Diagnostics *diagnostics);

#endif
