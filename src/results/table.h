/* A table of results: columns, each with a name, unit and kind, and rows of numbers. Its file is CSV or HDF5, by the
 * ending of its name (.csv, .h5). Files that grow with a run are opened, extended row by row, and closed; complete
 * tables are written at once. Both are read back as a whole, with columns by name. */
#ifndef SRC_RESULTS_TABLE_H
#define SRC_RESULTS_TABLE_H

#include "sim/group.h"
#include "src/base/labels.h"
#include "src/results/results.h"

#define TABLE_HDF5 ".h5"

enum { TABLE_COLUMNS_MAX = 48, TABLE_NAME_SIZE = 32 /* of a column that is looked up */ };

/* Format of a number in CSV, and its type in HDF5. */
typedef enum ColumnKind {
  COLUMN_NUMBER,  /* 17 digits; float64 */
  COLUMN_COUNT,   /* integer; int32 */
  COLUMN_LONG,    /* integer; int64 */
  COLUMN_SECONDS, /* 6 decimals; float64 */
  COLUMN_WORD     /* index of a word, from 0; not in HDF5 */
} ColumnKind;

/* Numbers per row of a column: one, one for each degree of freedom, or one for each control. */
typedef enum ColumnWidth { WIDTH_ONE, WIDTH_DOFS, WIDTH_CONTROLS, WIDTHS } ColumnWidth;

typedef struct TableColumn {
  const char *name;
  const char *unit; /* NULL: unknown, and not written */
  ColumnKind kind;
  ColumnWidth width;
  const char *const *words; /* words of COLUMN_WORD; NULL: the names of the degrees of freedom */
} TableColumn;

/* Files that grow ------------------------------------------------------------------------------------------------- */

typedef struct TableLayout {
  int n_columns; /* 1 .. TABLE_COLUMNS_MAX */
  /* in HDF5 the first column is the dimension scale of the rows: NaN until a row is reached */
  const TableColumn *columns;
  const Labels *labels; /* CSV: names of degrees of freedom; borrowed. NULL if no column needs them */
  int d, controls;      /* widths */
  const double *matrix; /* CSV: [d][controls], from which the controls get names; borrowed. NULL: no names */
  /* HDF5 only: */
  long n;                  /* maximum number of rows, >= 1 */
  int format;              /* number of src/base/formats.h */
  int first, count;        /* this process's degrees of freedom: first .. first + count - 1 */
  const SimGroup *group;   /* processes that write together; NULL: only this one, and MPI need not be initialised */
  const double *positions; /* [count] s, m, which replace the numbers of the degrees of freedom; NULL: none */
  const char *title;       /* NULL: no title */
  const char *problem;
} TableLayout;

typedef struct TableFile TableFile;

/* Opens DIR/NAME. mark: NULL for a new file; otherwise from table_sync, and an existing file is cut to it and
 * continued. HDF5: collective over the group, like all functions here, and called before MPI starts or after
 * hdf5_begin. layout: not kept, except its labels, group and the texts of its columns. Returns NULL on all ranks after
 * reporting an error. */
TableFile *table_open(const Results *results, const char *name, const TableLayout *layout, const ResultsMark *mark);

/* Appends a row: data[c] has the numbers of column c, [1], [count] or [controls]. Write errors are reported by
 * table_sync and table_close. */
void table_append(TableFile *file, const double *const *data);

/* Passes all rows to the system. Returns 0, or -1 if this or an earlier row could not be written. CSV only. */
int table_flush(TableFile *file);

/* Flushes all rows to the disk, and sets their mark. Returns 0, or -1 if some could not be written. NULL: 0. */
int table_sync(TableFile *file, ResultsMark *mark);

/* Closes the file. ended: the run will not be resumed, so rows not reached are removed. Returns 0, or -1 after
 * reporting that something could not be written. NULL: 0. */
int table_close(TableFile *file, bool ended);

/* Tables in memory ------------------------------------------------------------------------------------------------ */

typedef struct Table {
  char place[40]; /* position of its header in the results directory, FILE:1:1 */
  int columns;    /* 0: the file does not exist */
  long rows, room;
  char **names;   /* [columns] owned, like all pointers below */
  char **units;   /* [columns]; NULL: unknown */
  double *values; /* [rows][columns] */
  bool *words;    /* [columns] in a table of texts: some cell is not a number; NULL: a table of numbers */
  size_t *cells;  /* [rows][columns] start of each cell's text in `text` */
  char *text;
  size_t text_size, text_room;
  int d, stride; /* trajectory.h5: number of degrees of freedom, of which 1, 1 + stride, .. are in the table */
  long left_out; /* events.h5: number of slips that are not in the table */
} Table;

/* Makes a table without rows and names of columns. room: rows to allocate; it grows if needed. texts: a table of texts.
 * Returns false if there is no memory; clear it in each case. */
bool table_make(Table *table, int columns, long room, bool texts);
void table_clear(Table *table);

/* Names or renames a column, from 0. Returns false if there is no memory. */
bool table_name(Table *table, int column, const char *format, ...) LIKE_PRINTF(3, 4);

/* Sets a column's unit. Returns false if there is no memory. */
bool table_set_unit(Table *table, int column, const char *unit);

/* Returns the unit of a column; "": unknown. */
const char *table_unit(const Table *table, int column);

/* Keeps the rows marked in keep [rows], and removes column `without`. */
void table_keep(Table *table, const bool *keep, int without);

/* Adds a row of zeros and returns its values. NULL if there is no memory. */
double *table_add_row(Table *table);

/* Sets a cell of the last row of a table of texts, and its value: NaN if it is empty, not a number, or if `word`.
 * Returns false if there is no memory. */
bool table_set_text(Table *table, int column, const char *text, bool word);

/* Returns the column with a name, from 0; -1 if there is none. */
int table_find(const Table *table, const char *name);

/* Returns the first of the consecutive columns SYMBOL1, SYMBOL(1+stride), .. of `count` dofs; -1 if one is missing,
 * with its name in `missing`. */
int table_find_dofs(const Table *table, const char *symbol, int count, int stride, char missing[TABLE_NAME_SIZE]);

/* Number of columns named by SYMBOL and a number. */
int table_count(const Table *table, const char *symbol);

static inline double table_at(const Table *table, long row, int column) {
  return table->values[(size_t)row * (size_t)table->columns + (size_t)column];
}
static inline const char *table_text(const Table *table, long row, int column) {
  return table->text + table->cells[(size_t)row * (size_t)table->columns + (size_t)column];
}

/* Whole files ----------------------------------------------------------------------------------------------------- */

/* Writes DIR/NAME atomically; the same table gives the same bytes. columns: [columns] their units and kinds. In HDF5
 * the first column is the scale of the others, and a column of texts with a word is written as text. format, title: for
 * HDF5; NULL: no title. Returns 0, or EXIT_INTERNAL after reporting an error. */
int table_write(const Table *table, const Results *results, const char *name, const TableColumn *columns, int format,
                const char *title);

/* Reads DIR/NAME. A missing file gives an empty table. Returns 0; EXIT_USAGE or EXIT_INTERNAL after reporting an error,
 * for CSV with FILE:LINE:COLUMN, and the table is then empty. CSV: every row must be complete and end with a newline.
 * words: NULL, or words that are allowed in place of a number, NULL-terminated; word k is read as k. HDF5:
 * trajectory.h5, events.h5 and, without its rows, sweep.h5; see hdf5_read.h. */
int table_read(Table *table, const char *directory, const char *name, const char *const *words,
               Diagnostics *diagnostics);

/* Reads a CSV file; all its cells may be texts. Words become numbers, in the order of their first occurrence in the
 * column. */
int table_read_texts(Table *table, const char *directory, const char *name, Diagnostics *diagnostics);

#endif
