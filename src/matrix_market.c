#include "src/matrix_market.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { LINE_SIZE = 1026 }; /* the format allows 1024 characters a line */

typedef struct Reading {
  FILE *stream;
  Place place; /* of the current line */
  const char *key;
  Complaints *complaints;
  char line[LINE_SIZE];
  bool coordinate, integer, symmetric;
  int rows, columns;
  long entries; /* coordinate: how many the file announces */
  double *values;
} Reading;

static bool complain(Reading *reading, const char *text) {
  complaints_add(reading->complaints, &reading->place, reading->key, "%s", text);
  return false;
}

/* Reads the next line; false at the end of the file, or told when the line is too long. */
static bool next_line(Reading *reading) {
  if (!fgets(reading->line, LINE_SIZE, reading->stream)) return false;
  reading->place.line++;
  if (!strchr(reading->line, '\n') && !feof(reading->stream))
    return complain(reading, "the line is too long, or not text (expected at most 1024 characters)");
  return true;
}

/* Reads up to the next line that says something. */
static bool next_content(Reading *reading) {
  size_t before = reading->complaints->count;
  while (next_line(reading)) {
    const char *c = reading->line + strspn(reading->line, " \t\r\n");
    if (*c && *c != '%') return true;
  }
  if (reading->complaints->count == before) {
    reading->place.line++;
    complain(reading, "the file ends too early");
  }
  return false;
}

/* %%MatrixMarket matrix coordinate|array real|integer general|symmetric */
static bool read_header(Reading *reading) {
  char banner[16], object[16], format[16], field[16], symmetry[16], rest[2];
  reading->place.line = 1;
  if (!fgets(reading->line, LINE_SIZE, reading->stream)) return complain(reading, "the file is empty");
  int n = sscanf(reading->line, "%15s %15s %15s %15s %15s %1s", banner, object, format, field, symmetry, rest);
  if (n < 1 || strcasecmp(banner, "%%MatrixMarket") != 0)
    return complain(reading, "not a Matrix Market file (expected %%MatrixMarket in its first line)");
  reading->coordinate = n == 5 && strcasecmp(format, "coordinate") == 0;
  reading->integer = n == 5 && strcasecmp(field, "integer") == 0;
  reading->symmetric = n == 5 && strcasecmp(symmetry, "symmetric") == 0;
  if (n != 5 || strcasecmp(object, "matrix") != 0 || !(reading->coordinate || strcasecmp(format, "array") == 0) ||
      !(reading->integer || strcasecmp(field, "real") == 0) ||
      !(reading->symmetric || strcasecmp(symmetry, "general") == 0))
    return complain(reading, "a kind of matrix that is not supported "
                             "(expected matrix coordinate|array real|integer general|symmetric)");
  return true;
}

/* A whole number from least to most, followed by a blank or the line's end; moves *from behind it. */
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
  size_t length = strspn(start, "0123456789+-.eE"); /* strtod would also take hexadecimal and NaN */
  *value = strtod(start, &end) + 0.0;               /* + 0.0 turns -0 into 0 */
  if (!length || end != start + length || !isfinite(*value)) return false;
  if (reading->integer && *value != floor(*value)) return false;
  *from = end;
  return true;
}

static bool at_end(const char *text) { return !text[strspn(text, " \t\r\n")]; }

static bool read_sizes(Reading *reading) {
  long rows, columns;
  char *from = reading->line;
  if (!next_content(reading)) return false;
  if (!take_integer(&from, 1, MATRIX_SIZE_MAX, &rows) || !take_integer(&from, 1, MATRIX_SIZE_MAX, &columns) ||
      (reading->coordinate && !take_integer(&from, 0, rows * columns, &reading->entries)) || !at_end(from))
    return complain(reading, reading->coordinate ? "not the sizes (expected ROWS COLUMNS ENTRIES, at most 4096 x 4096)"
                                                 : "not the sizes (expected ROWS COLUMNS, at most 4096 x 4096)");
  if (reading->symmetric && rows != columns) return complain(reading, "a symmetric matrix that is not square");
  reading->rows = (int)rows;
  reading->columns = (int)columns;
  return true;
}

static void put(Reading *reading, long i, long j, double value) {
  reading->values[i * reading->columns + j] = value;
  if (reading->symmetric) reading->values[j * reading->columns + i] = value;
}

/* ROW COLUMN VALUE lines; entries not yet given are NaN, and become 0 at the end. */
static bool read_coordinates(Reading *reading) {
  long size = (long)reading->rows * reading->columns;
  for (long k = 0; k < size; k++) reading->values[k] = NAN;
  for (long k = 0; k < reading->entries; k++) {
    long i, j;
    double value;
    char *from = reading->line;
    if (!next_content(reading)) return false;
    if (!take_integer(&from, 1, reading->rows, &i) || !take_integer(&from, 1, reading->columns, &j) ||
        !take_value(reading, &from, &value) || !at_end(from))
      return complain(reading, "not an entry of the matrix (expected ROW COLUMN VALUE, counted from 1)");
    if (reading->symmetric && j > i)
      return complain(reading, "an entry above the diagonal (expected the lower triangle, as the matrix is symmetric)");
    if (!isnan(reading->values[(i - 1) * reading->columns + j - 1]))
      return complain(reading, "this entry has been given before");
    put(reading, i - 1, j - 1, value);
  }
  for (long k = 0; k < size; k++)
    if (isnan(reading->values[k])) reading->values[k] = 0;
  return true;
}

/* One value a line, column by column; of a symmetric matrix the lower triangle. */
static bool read_array(Reading *reading) {
  for (int j = 0; j < reading->columns; j++)
    for (int i = reading->symmetric ? j : 0; i < reading->rows; i++) {
      double value;
      char *from = reading->line;
      if (!next_content(reading)) return false;
      if (!take_value(reading, &from, &value) || !at_end(from))
        return complain(reading, "not an entry of the matrix (expected one number a line)");
      put(reading, i, j, value);
    }
  return true;
}

/* Nothing but blanks and comments may follow. */
static bool read_end(Reading *reading) {
  size_t before = reading->complaints->count;
  while (next_line(reading))
    if (!at_end(reading->line) && reading->line[0] != '%') return complain(reading, "more entries than announced");
  return reading->complaints->count == before;
}

static bool read_matrix(Reading *reading) {
  if (!read_header(reading) || !read_sizes(reading)) return false;
  size_t size = (size_t)reading->rows * (size_t)reading->columns;
  reading->values = complaints_calloc(reading->complaints, size, sizeof(double));
  if (!reading->values) return false;
  return (reading->coordinate ? read_coordinates(reading) : read_array(reading)) && read_end(reading);
}

double *matrix_market_read(const char *path, const char *key, const Place *place, int *rows, int *columns,
                           Complaints *complaints) {
  struct stat status;
  char excerpt[EXCERPT_SIZE];
  FILE *stream = NULL;
  /* Asked before opening: a named pipe would keep us waiting. */
  if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
    complaints_add(complaints, place, key, "%s is not a file", text_excerpt(path, excerpt));
  else if (!(stream = fopen(path, "r")))
    complaints_add(complaints, place, key, "%s cannot be opened (%s)", text_excerpt(path, excerpt), strerror(errno));
  if (!stream) return NULL;
  Reading reading = {.stream = stream, .key = key, .complaints = complaints, .place = {.name = path, .rank = INT_MAX}};
  reading.place.column = 1;
  bool done = read_matrix(&reading);
  fclose(stream);
  if (!done) {
    free(reading.values);
    return NULL;
  }
  *rows = reading.rows;
  *columns = reading.columns;
  return reading.values;
}
