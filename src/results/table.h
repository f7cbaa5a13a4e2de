/* A table of results: columns, each a row {name, unit, kind}, and rows of numbers. As a file it is CSV or HDF5, by the ending of its
 * name (.csv, .h5). Files that grow with a run are opened, get row after row, and are closed; tables that are known as a whole are
 * written at once; both are read back whole, columns by name. */
#ifndef SRC_RESULTS_TABLE_H
#define SRC_RESULTS_TABLE_H

#include "sim/group.h"
#include "src/base/labels.h"
#include "src/results/results.h"

#define TABLE_HDF5 ".h5"

enum { TABLE_COLUMNS_MAX = 48, TABLE_NAME_SIZE = 32 /* of a column that is looked up */ };

/* How a number stands in CSV, and its type in HDF5. */
typedef enum ColumnKind {
  COLUMN_NUMBER,  /* 17 digits; float64 */
  COLUMN_COUNT,   /* a whole number; int32 */
  COLUMN_LONG,    /* a whole number; int64 */
  COLUMN_SECONDS, /* 6 decimals; float64 */
  COLUMN_WORD     /* the number of a word, from 0; not in HDF5 */
} ColumnKind;

/* How many numbers a row has of a column: one, one for each degree of freedom, one for each control. */
typedef enum ColumnWidth { WIDTH_ONE, WIDTH_DOFS, WIDTH_CONTROLS, WIDTHS } ColumnWidth;

typedef struct TableColumn {
  const char *name;
  const char *unit; /* NULL: not known, and not written */
  ColumnKind kind;
  ColumnWidth width;
  const char *const *words; /* of COLUMN_WORD; NULL: the names of the degrees of freedom */
} TableColumn;

/* Files that grow ------------------------------------------------------------------------------------------------- */

typedef struct TableLayout {
  int n_columns;              /* 1 .. TABLE_COLUMNS_MAX */
  const TableColumn *columns; /* of HDF5 the first, a number, is what all rows are over: NaN until a row is reached */
  const Labels *labels;       /* of CSV: names of degrees of freedom; borrowed. NULL where no column needs them */
  int d, controls;            /* widths */
  const double *matrix;       /* of CSV: [d][controls], by which controls have names; borrowed. NULL: they have none */
  /* Of HDF5 alone: */
  long n;                  /* rows at most, >= 1 */
  int format;              /* of src/base/formats.h */
  int first, count;        /* degrees of freedom of this process: first .. first + count - 1 */
  const SimGroup *group;   /* of the processes that write together; NULL: this one alone, MPI need not be initialised */
  const double *positions; /* [count] s, m, in place of the numbers of the degrees of freedom; NULL: none */
  const char *title;       /* NULL: none */
  const char *problem;
} TableLayout;

typedef struct TableFile TableFile;

/* Opens DIR/NAME. mark: NULL for a new file; else that of table_sync, and one that is there is cut to it, to go on behind it. HDF5:
 * collective over the group, as all here, and to be opened before MPI is begun or after hdf5_begin. layout: not kept, but for its labels, group and the texts
 * of its columns. NULL, on all, after reporting the error. */
TableFile *table_open(const Results *results, const char *name, const TableLayout *layout, const ResultsMark *mark);

/* The next row: data[c] has the numbers of column c, [1], [count] or [controls]. What cannot be written is reported by table_sync and
 * table_close. */
void table_append(TableFile *file, const double *const *data);

/* Hands all rows to the system. Returns 0, or -1 when this or an earlier row could not be written. CSV alone. */
int table_flush(TableFile *file);

/* Puts all rows on the disk, and sets their mark. Returns 0, or -1 when some could not be written. NULL: 0. */
int table_sync(TableFile *file, ResultsMark *mark);

/* ended: no run goes on with it, so that rows not reached are cut off. Returns 0, or -1 after reporting that something could not be
 * written. NULL: 0. */
int table_close(TableFile *file, bool ended);

/* Tables in memory ------------------------------------------------------------------------------------------------ */

typedef struct Table {
  char place[40]; /* of its header in the results directory, FILE:1:1 */
  int columns;    /* 0: there is no such file */
  long rows, room;
  char **names;   /* [columns], each of them, too, owned as all that follows */
  char **units;   /* [columns] likewise; NULL: not known */
  double *values; /* [rows][columns] */
  bool *words;    /* [columns] of a table of texts: some cell is no number; NULL: a table of numbers */
  size_t *cells;  /* [rows][columns] where each cell's text begins in `text` */
  char *text;
  size_t text_size, text_room;
  int d, stride; /* of trajectory.h5: degrees of freedom, of which 1, 1 + stride, .. are in the table */
  long left_out; /* of events.h5: slips that are not in the table */
} Table;

/* A table of no rows, whose columns have no names yet. room: rows for which there is memory, it grows beyond. texts: of texts.
 * False: no memory; clear it either way. */
bool table_make(Table *table, int columns, long room, bool texts);
void table_clear(Table *table);

/* Names a column, from 0, also anew. False: no memory. */
bool table_name(Table *table, int column, const char *format, ...) LIKE_PRINTF(3, 4);

/* Sets a column's unit. False: no memory. */
bool table_set_unit(Table *table, int column, const char *unit);

/* The unit of a column; "": not known. */
const char *table_unit(const Table *table, int column);

/* Keeps the rows that are marked, keep [rows], and leaves a column out. */
void table_keep(Table *table, const bool *keep, int without);

/* Adds a row of zeros: its values. NULL: no memory. */
double *table_add_row(Table *table);

/* Sets a cell of the last row of a table of texts, and its value: NaN of one that is empty or no number, as which it counts if `word`, too. False: no
 * memory. */
bool table_set_text(Table *table, int column, const char *text, bool word);

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
static inline const char *table_text(const Table *table, long row, int column) {
  return table->text + table->cells[(size_t)row * (size_t)table->columns + (size_t)column];
}

/* Whole files ----------------------------------------------------------------------------------------------------- */

/* Writes DIR/NAME whole or not at all, the same bytes for the same table. columns: [columns] their units and kinds; of HDF5 the first is the
 * scale of the others, and a column of texts that has a word is one of texts. format, title: of HDF5; NULL: no title. Returns 0, or
 * EXIT_INTERNAL after reporting the error. */
int table_write(const Table *table, const Results *results, const char *name, const TableColumn *columns, int format,
                const char *title);

/* Reads DIR/NAME. A file that is not there leaves the table empty. Returns 0, or EXIT_USAGE or EXIT_INTERNAL after reporting the error,
 * of CSV with FILE:LINE:COLUMN; the table is then empty.
 * CSV: every row must be whole and end with a line's end. words: NULL, or the words that may stand for a number, up to a NULL; the
 * k-th is read as k.
 * HDF5: trajectory.h5, events.h5 and, without its rows, sweep.h5, as hdf5_read.h says. */
int table_read(Table *table, const char *directory, const char *name, const char *const *words,
               Diagnostics *diagnostics);

/* The same of a CSV file any of whose cells may be texts: words become numbers, in the order in which they first come in their column. */
int table_read_texts(Table *table, const char *directory, const char *name, Diagnostics *diagnostics);

#endif
