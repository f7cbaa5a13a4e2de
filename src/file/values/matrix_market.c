/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/values/matrix_market.h"

#include "src/base/file_open.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
  LINE_SIZE = 1026, /* buffer for the longest line with its end; the format allows 1024 characters */
  ROWS_MAX = 2000000000
};

/* An entry of a matrix, as read from the file. */
typedef struct Entry {
  int row, column; /* row: counted from the first requested row, which has the number 0 */
  long line;
  double value;
} Entry;

typedef struct Reading {
  FILE *stream;
  Place place; /* position of the current line */
  const char *key;
  Diagnostics *diagnostics;
  char line[LINE_SIZE];
  bool coordinate, integer, symmetric;
  int rows, columns;
  long entries; /* number of entries that the header of a file in coordinate format announces */
  double *values;

  /* The members below are used if only some rows of a sparse matrix are read. */
  int first, count;
  Entry *list; /* [n] entries of the selected rows; owned */
  size_t n, capacity;
} Reading;

static bool refuse(Reading *reading, const char *text) {
  diagnostics_add(reading->diagnostics, &reading->place, reading->key, "%s", text);
  return false;
}

/* Reads the next line. Returns false at the end of the file, or after reporting that a line is too long. */
static bool next_line(Reading *reading) {
  if (!fgets(reading->line, LINE_SIZE, reading->stream)) return false;
  reading->place.line++;
  if (!strchr(reading->line, '\n') && !feof(reading->stream))
    return refuse(reading, "the line is too long, or not text (expected at most 1024 characters)");
  return true;
}

/* Reads lines until one is neither empty nor a comment. Returns false after reporting an error, also if the file ends
 * too early. */
static bool next_content(Reading *reading) {
  size_t before = reading->diagnostics->count;
  while (next_line(reading)) {
    const char *c = reading->line + strspn(reading->line, " \t\r\n");
    if (*c && *c != '%') return true;
  }
  if (reading->diagnostics->count == before) {
    reading->place.line++;
    refuse(reading, "the file ends too early");
  }
  return false;
}

/* Reads the first line: %%MatrixMarket matrix coordinate|array real|integer general|symmetric. */
static bool read_header(Reading *reading) {
  char banner[16], object[16], format[16], field[16], symmetry[16], rest[2];
  reading->place.line = 1;
  if (!fgets(reading->line, LINE_SIZE, reading->stream)) return refuse(reading, "the file is empty");
  int n = sscanf(reading->line, "%15s %15s %15s %15s %15s %1s", banner, object, format, field, symmetry, rest);
  if (n < 1 || strcasecmp(banner, "%%MatrixMarket") != 0)
    return refuse(reading, "not a Matrix Market file (expected %%MatrixMarket in its first line)");
  reading->coordinate = n == 5 && strcasecmp(format, "coordinate") == 0;
  reading->integer = n == 5 && strcasecmp(field, "integer") == 0;
  reading->symmetric = n == 5 && strcasecmp(symmetry, "symmetric") == 0;
  if (n != 5 || strcasecmp(object, "matrix") != 0 || !(reading->coordinate || strcasecmp(format, "array") == 0) ||
      !(reading->integer || strcasecmp(field, "real") == 0) ||
      !(reading->symmetric || strcasecmp(symmetry, "general") == 0))
    return refuse(reading, "a kind of matrix that is not supported "
                           "(expected matrix coordinate|array real|integer general|symmetric)");
  return true;
}

/* Reads an integer from least to most, followed by a blank or the end of the line. Advances *from past it. */
static bool take_integer(char **from, long least, long most, long *value) {
  char *end;
  errno = 0;
  *value = strtol(*from, &end, 10);
  if (end == *from || errno || (*end && !isspace((unsigned char)*end)) || *value < least || *value > most) return false;
  *from = end;
  return true;
}

static bool take_value(const Reading *reading, char **from, double *value) {
  char *start = *from + strspn(*from, " \t"), *end;
  size_t length = strspn(start, "0123456789+-.eE"); /* characters of a decimal number; strtod would also accept
                                                     * hexadecimal numbers and NaN */
  *value = strtod(start, &end) + 0.0;               /* + 0.0 turns -0 into 0 */
  if (!length || end != start + length || !isfinite(*value)) return false;
  if (reading->integer && *value != floor(*value)) return false;
  *from = end;
  return true;
}

static bool at_end(const char *text) { return !text[strspn(text, " \t\r\n")]; }

static bool is_dense(const Reading *reading) { return reading->count == 0; }

static bool read_sizes(Reading *reading) {
  long rows, columns;
  char *from = reading->line;
  if (!next_content(reading)) return false;
  if (!take_integer(&from, 1, ROWS_MAX, &rows) || !take_integer(&from, 1, ROWS_MAX, &columns) ||
      (is_dense(reading) && columns > MATRIX_SIZE_MAX * (long)MATRIX_SIZE_MAX / rows) ||
      (reading->coordinate && !take_integer(&from, 0, rows * columns, &reading->entries)) || !at_end(from))
    return refuse(reading, reading->coordinate
                               ? "not the sizes (expected ROWS COLUMNS ENTRIES, at most 4096 x 4096 of a dense matrix)"
                               : "not the sizes (expected ROWS COLUMNS, at most 4096 x 4096)");
  if (reading->symmetric && rows != columns) return refuse(reading, "a symmetric matrix that is not square");
  reading->rows = (int)rows;
  reading->columns = (int)columns;
  return true;
}

static void put(Reading *reading, long i, long j, double value) {
  reading->values[i * reading->columns + j] = value;
  if (reading->symmetric) reading->values[j * reading->columns + i] = value;
}

/* Reads a line ROW COLUMN VALUE. */
static bool next_coordinate(Reading *reading, long *i, long *j, double *value) {
  char *from = reading->line;
  if (!next_content(reading)) return false;
  if (!take_integer(&from, 1, reading->rows, i) || !take_integer(&from, 1, reading->columns, j) ||
      !take_value(reading, &from, value) || !at_end(from))
    return refuse(reading, "not an entry of the matrix (expected ROW COLUMN VALUE, counted from 1)");
  if (reading->symmetric && *j > *i)
    return refuse(reading, "an entry above the diagonal (expected the lower triangle, as the matrix is symmetric)");
  return true;
}

/* Reads all entries of a file in coordinate format. Entries are set to NaN first, which marks them as not read; those
 * still missing at the end become 0. */
static bool read_coordinates(Reading *reading) {
  long size = (long)reading->rows * reading->columns;
  for (long k = 0; k < size; k++) reading->values[k] = NAN;
  for (long k = 0; k < reading->entries; k++) {
    long i, j;
    double value;
    if (!next_coordinate(reading, &i, &j, &value)) return false;
    if (!isnan(reading->values[(i - 1) * reading->columns + j - 1]))
      return refuse(reading, "this entry has been given before");
    put(reading, i - 1, j - 1, value);
  }
  for (long k = 0; k < size; k++)
    if (isnan(reading->values[k])) reading->values[k] = 0;
  return true;
}

/* Reads all values of a file in array format: one a line, column by column. For a symmetric matrix, the file has only
 * the lower triangle. */
static bool read_array(Reading *reading) {
  for (int j = 0; j < reading->columns; j++)
    for (int i = reading->symmetric ? j : 0; i < reading->rows; i++) {
      double value;
      char *from = reading->line;
      if (!next_content(reading)) return false;
      if (!take_value(reading, &from, &value) || !at_end(from))
        return refuse(reading, "not an entry of the matrix (expected one number a line)");
      put(reading, i, j, value);
    }
  return true;
}

/* Checks that only blanks and comments follow. */
static bool read_end(Reading *reading) {
  size_t before = reading->diagnostics->count;
  while (next_line(reading))
    if (!at_end(reading->line) && reading->line[0] != '%') return refuse(reading, "more entries than announced");
  return reading->diagnostics->count == before;
}

static bool read_matrix(Reading *reading) {
  if (!read_header(reading) || !read_sizes(reading)) return false;
  size_t size = (size_t)reading->rows * (size_t)reading->columns;
  reading->values = diagnostics_calloc(reading->diagnostics, size, sizeof(double));
  if (!reading->values) return false;
  return (reading->coordinate ? read_coordinates(reading) : read_array(reading)) && read_end(reading);
}

/* Stores an entry if its row is requested. Returns false if there is no memory. */
static bool note(Reading *reading, long row, long column, double value) {
  if (row < reading->first || row >= (long)reading->first + reading->count) return true;
  if (reading->n == reading->capacity) {
    size_t capacity = reading->capacity ? 2 * reading->capacity : 1024;
    Entry *list = realloc(reading->list, capacity * sizeof *list);
    if (!list) {
      reading->diagnostics->no_memory = true;
      return false;
    }
    reading->list = list;
    reading->capacity = capacity;
  }
  reading->list[reading->n++] = (Entry){(int)(row - reading->first), (int)column, reading->place.line, value};
  return true;
}

static int by_place(const void *one, const void *other) {
  const Entry *a = one, *b = other;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  if (a->column != b->column) return a->column < b->column ? -1 : 1;
  return (a->line > b->line) - (a->line < b->line);
}

/* Converts the stored entries to compressed rows (SimMatrix). Returns false after an error. */
static bool compress(Reading *reading, SimMatrix *matrix) {
  const Entry *list = reading->list;
  if (reading->n) qsort(reading->list, reading->n, sizeof *list, by_place);
  for (size_t k = 1; k < reading->n; k++)
    if (list[k].row == list[k - 1].row && list[k].column == list[k - 1].column) {
      reading->place.line = list[k].line;
      return refuse(reading, "this entry has been given before");
    }
  if (reading->n > INT_MAX || sim_matrix_alloc(matrix, reading->count, (long)reading->n) != SIM_OK) {
    reading->diagnostics->no_memory = true;
    return false;
  }
  for (size_t k = 0; k < reading->n; k++) {
    matrix->start[list[k].row + 1]++;
    matrix->column[k] = list[k].column;
    matrix->value[k] = list[k].value;
  }
  for (int i = 0; i < reading->count; i++) matrix->start[i + 1] += matrix->start[i];
  return true;
}

static bool read_rows(Reading *reading, int d, SimMatrix *matrix) {
  if (!read_header(reading)) return false;
  if (!reading->coordinate) return refuse(reading, "an array (expected coordinates, as the matrices are sparse)");
  if (!read_sizes(reading)) return false;
  if (reading->rows != d || reading->columns != d) {
    diagnostics_add(reading->diagnostics, &reading->place, reading->key, "a %d x %d matrix (expected %d x %d)",
                    reading->rows, reading->columns, d, d);
    return false;
  }
  for (long k = 0; k < reading->entries; k++) {
    long i, j;
    double value;
    if (!next_coordinate(reading, &i, &j, &value) || !note(reading, i - 1, j - 1, value)) return false;
    if (reading->symmetric && i != j && !note(reading, j - 1, i - 1, value)) return false;
  }
  return read_end(reading) && compress(reading, matrix);
}

/* Opens the file; returns NULL after reporting an error. */
static FILE *open_matrix(const char *path, const char *key, const Place *place, Diagnostics *diagnostics) {
  char excerpt[EXCERPT_SIZE], fault[FILE_FAULT_SIZE];
  FILE *stream = file_open(path, fault);
  if (!stream) diagnostics_add(diagnostics, place, key, "%s %s", text_excerpt(path, excerpt), fault);
  return stream;
}

double *matrix_market_read(const char *path, const char *key, const Place *place, int *rows, int *columns,
                           Diagnostics *diagnostics) {
  Reading reading = {.stream = open_matrix(path, key, place, diagnostics), .key = key, .diagnostics = diagnostics};
  if (!reading.stream) return NULL;
  reading.place = (Place){.name = path, .rank = INT_MAX, .column = 1};
  bool done = read_matrix(&reading);
  fclose(reading.stream);
  if (!done) {
    free(reading.values);
    return NULL;
  }
  *rows = reading.rows;
  *columns = reading.columns;
  return reading.values;
}

bool matrix_market_read_rows(const char *path, const char *key, const Place *place, int d, int first, int count,
                             SimMatrix *matrix, Diagnostics *diagnostics) {
  Reading reading = {.stream = open_matrix(path, key, place, diagnostics), .key = key, .diagnostics = diagnostics};
  if (!reading.stream) return false;
  reading.place = (Place){.name = path, .rank = INT_MAX, .column = 1};
  reading.first = first;
  reading.count = count;
  bool done = read_rows(&reading, d, matrix);
  fclose(reading.stream);
  free(reading.list);
  return done;
}

long matrix_market_rows(const char *path) {
  Diagnostics silent = {0};
  Reading reading = {
      .stream = open_matrix(path, "", &(Place){.name = path}, &silent), .key = "", .diagnostics = &silent};
  reading.place = (Place){.name = path};
  reading.count = 1; /* any positive count will do, since only the size of the matrix is read */
  bool done = reading.stream && read_header(&reading) && reading.coordinate && read_sizes(&reading);
  if (reading.stream) fclose(reading.stream);
  diagnostics_clear(&silent);
  return done ? reading.rows : 0;
}
