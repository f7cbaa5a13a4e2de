/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/values/samples.h"

#include "sim/monotone.h"
#include "src/file/values/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { COLUMNS_MAX = 4096 };

struct Samples {
  char *path;     /* absolute path without links */
  double *values; /* [rows][1 + columns] time t and the measured values of each row */
  double *slopes; /* [rows][columns] slopes for cubic interpolation; NULL: interpolation is linear, or values are
                   * held */
  bool hold;      /* whether each value holds until the next sample */
  long rows;
  int columns;
};

typedef struct Reading {
  Csv csv;
  long capacity; /* number of allocated rows */
  Samples *to;
} Reading;

static bool make_room(Reading *reading) {
  Samples *s = reading->to;
  if (s->rows < reading->capacity) return true;
  reading->capacity = reading->capacity ? 2 * reading->capacity : 256;
  double *values = realloc(s->values, (size_t)reading->capacity * (size_t)(s->columns + 1) * sizeof *values);
  if (!values) return reading->csv.diagnostics->no_memory = true, false;
  s->values = values;
  return true;
}

static bool read_row(Reading *reading, char *from) {
  Samples *s = reading->to;
  bool more = true;
  if (!make_room(reading)) return false;
  double *row = s->values + s->rows * (s->columns + 1);
  const double *last = s->rows > 0 ? row - (s->columns + 1) : NULL;
  for (int k = 0; k <= s->columns; k++) {
    char *field = from;
    if (!more) return csv_refuse(&reading->csv, field, "the row ends too early (expected a number in each column)");
    if (!csv_number(&from, &row[k], &more))
      return csv_refuse(&reading->csv, field, "not a number (expected NUMBER, NUMBER, ..)");
    if (k > 0 && last && !isfinite((row[k] - last[k]) / (row[0] - last[0])))
      return csv_refuse(&reading->csv, field, "a rise that is not finite");
    if (k == 0 && last && !(row[0] > last[0]))
      return csv_refuse(&reading->csv, field, "not above the one before (expected a first column that ascends)");
  }
  if (more) return csv_refuse(&reading->csv, from, "more numbers than columns");
  s->rows++;
  return true;
}

/* Returns whether a line is a header, i.e. has no field that is a number. */
static bool is_header(char *line) {
  double ignored;
  bool more;
  for (char *field = line; field; field = strchr(field, ',')) {
    char *from = field += *field == ',';
    if (csv_number(&from, &ignored, &more)) return false;
  }
  return true;
}

static bool read_rows(Reading *reading) {
  char *from = csv_next(&reading->csv);
  if (reading->csv.broken) return false;
  if (!from) return csv_refuse(&reading->csv, reading->csv.line ? reading->csv.line : "", "the file is empty");
  int fields = csv_fields(from);
  if (fields < 2 || fields > COLUMNS_MAX + 1)
    return csv_refuse(&reading->csv, from, "not one time and 1 to 4096 numbers (expected t, y1, y2, ..)");
  reading->to->columns = fields - 1;
  if (is_header(from)) from = csv_next(&reading->csv);
  for (; from; from = csv_next(&reading->csv))
    if (!read_row(reading, from)) return false;
  if (reading->csv.broken) return false;
  return reading->to->rows >= 2 || csv_refuse(&reading->csv, reading->csv.line, "fewer than two rows");
}

static void find_slopes(Samples *s) {
  for (int k = 0; k < s->columns; k++)
    sim_monotone_slopes(s->rows, s->columns + 1, s->values, s->values + k + 1, s->columns, s->slopes + k);
}

static Samples *read_file(Reader *reader, const Node *file, const char *path) {
  char key[NODE_PATH_SIZE];
  Reading reading = {.capacity = 0};
  if (!csv_open(&reading.csv, reader, file, path, key)) return NULL;
  reading.to = diagnostics_calloc(reader->diagnostics, 1, sizeof *reading.to);
  bool good = reading.to && read_rows(&reading);
  csv_close(&reading.csv);
  if (good) return reading.to;
  samples_destroy(reading.to);
  return NULL;
}

enum { SUM_SIZE = 9 };

/* Writes the checksum of all numbers into sum. Returns sum. */
static const char *checksum(const Samples *s, char sum[SUM_SIZE]) {
  size_t size = (size_t)s->rows * (size_t)(s->columns + 1) * sizeof *s->values;
  snprintf(sum, SUM_SIZE, "%08lx", (unsigned long)crc32_z(0, (const Bytef *)s->values, size));
  return sum;
}

static bool check_sum(Reader *reader, Node *node, const Samples *s) {
  Node *given = key_get(reader, node, "checksum");
  char sum[SUM_SIZE];
  if (!given || strcmp(given->text, checksum(s, sum)) == 0) return true;
  return value_error(reader, given, "%s has changed: its checksum is %s", s->path, sum);
}

/* Reads the key `interpolation`. Returns whether it is valid. */
static bool read_interpolation(Reader *reader, Node *node, Samples *s) {
  Node *word = key_get(reader, node, "interpolation");
  if (!word || strcmp(word->text, "linear") == 0) return true;
  s->hold = strcmp(word->text, "hold") == 0;
  if (s->hold) return true;
  if (strcmp(word->text, "cubic") != 0) return value_expected(reader, word, "linear, cubic or hold");
  s->slopes = diagnostics_calloc(reader->diagnostics, (size_t)s->rows * (size_t)s->columns, sizeof *s->slopes);
  if (s->slopes) find_slopes(s);
  return s->slopes;
}

Samples *samples_read_numbers(Reader *reader, Node *node) {
  char path[FILE_PATH_SIZE];
  Node *file = key_get(reader, node, "file");
  if (!node_file(reader, file, path)) return NULL;
  Samples *s = read_file(reader, file, path);
  if (!s) {
    node->ignored = true;
    return NULL;
  }
  s->path = realpath(path, NULL);
  if (!s->path) s->path = strdup(path); /* realpath fails if the file has been removed since it was read */
  if (s->path) return s;
  reader->diagnostics->no_memory = true;
  samples_destroy(s);
  return NULL;
}

Samples *samples_read(Reader *reader, Node *node) {
  Samples *s = samples_read_numbers(reader, node);
  if (!s) return NULL;
  bool good = read_interpolation(reader, node, s);
  if (check_sum(reader, node, s) && good) return s;
  samples_destroy(s);
  return NULL;
}

void samples_destroy(Samples *s) {
  if (!s) return;
  free(s->path);
  free(s->values);
  free(s->slopes);
  free(s);
}

int samples_columns(const Samples *s) { return s->columns; }
long samples_count(const Samples *s) { return s->rows; }
double samples_time(const Samples *s, long k) { return s->values[k * (s->columns + 1)]; }

double samples_at(const Samples *s, int column, double t) {
  long low = 0, high = s->rows - 1;
  t = fmin(fmax(t, samples_time(s, low)), samples_time(s, high));
  while (high - low > 1) {
    long middle = low + (high - low) / 2;
    if (t >= samples_time(s, middle))
      low = middle;
    else
      high = middle;
  }
  const double *row = s->values + low * (s->columns + 1), *next = row + s->columns + 1;
  double h = next[0] - row[0], z = (t - row[0]) / h, a = row[column + 1], b = next[column + 1];
  if (s->hold) return z < 1 ? a : b;
  if (!s->slopes) return z < 1 ? a + z * (b - a) : b;
  double c[3];
  sim_hermite(a, b, h * s->slopes[low * s->columns + column], h * s->slopes[(low + 1) * s->columns + column], c);
  return a + z * (c[0] + z * (c[1] + z * c[2]));
}

json_t *samples_echo(const Samples *s) {
  char sum[SUM_SIZE];
  return json_pack("{s:s, s:s, s:s}", "file", s->path, "interpolation",
                   s->hold     ? "hold"
                   : s->slopes ? "cubic"
                               : "linear",
                   "checksum", checksum(s, sum));
}
