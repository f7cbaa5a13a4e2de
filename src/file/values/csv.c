/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/values/csv.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Estimated cost of reading one byte of a file: time, in s, and memory, in bytes. A short field such as "0," needs four
 * times its size as a number, and as much again for the slope that is stored with it. */
static const double SECONDS_A_BYTE = 2e-8, BYTES_A_BYTE = 8;

bool csv_open(Csv *csv, Reader *reader, const Node *file, const char *path, char *key) {
  char fault[FILE_FAULT_SIZE];
  struct stat at;
  *csv = (Csv){.key = node_path(file, key), .diagnostics = reader->diagnostics};
  csv->place = (Place){.name = path, .rank = file->place.rank};
  csv->stream = file_open(path, fault);
  if (!csv->stream) return value_error(reader, file, "%s %s", path, fault);
  bool fits = fstat(fileno(csv->stream), &at) == 0 && at.st_size <= FILE_SIZE_MAX;
  if (!fits) value_error(reader, file, "%s: too large (expected at most 64 MiB)", path);
  double size = (double)at.st_size;
  fits = fits && work_allowed(reader, key, "what was measured", SECONDS_A_BYTE * size, BYTES_A_BYTE * size);
  if (!fits) csv_close(csv);
  return fits;
}

void csv_close(Csv *csv) {
  fclose(csv->stream);
  free(csv->line);
}

bool csv_refuse(Csv *csv, const char *at, const char *text) {
  csv->place.column = at - csv->line + 1;
  diagnostics_add(csv->diagnostics, &csv->place, csv->key, "%s", text);
  return false;
}

char *csv_next(Csv *csv) {
  static const char mark[] = "\xef\xbb\xbf"; /* the byte order mark of UTF-8, which spreadsheets write */
  ssize_t length;
  errno = 0;
  while ((length = getline(&csv->line, &csv->room, csv->stream)) >= 0) {
    char *start = csv->line;
    if (csv->place.line++ == 0 && strncmp(start, mark, 3) == 0) start += 3;
    if (strlen(csv->line) != (size_t)length) {
      csv->broken = true;
      csv_refuse(csv, csv->line, "not text");
      return NULL;
    }
    start += strspn(start, " \t\r\n");
    if (*start && *start != '#') return start;
  }
  if (feof(csv->stream)) return NULL;
  csv->broken = true;
  csv_refuse(csv, csv->line ? csv->line : "", strerror(errno));
  return NULL;
}

bool csv_number(char **from, double *value, bool *more) {
  char *start = *from + strspn(*from, " \t"), *end;
  size_t length = strspn(start, "0123456789+-.eE"); /* characters of a decimal number; strtod would also accept
                                                     * hexadecimal numbers and NaN */
  *value = strtod(start, &end) + 0.0;
  if (!length || end != start + length || !isfinite(*value)) return false;
  end += strspn(end, " \t\r");
  *more = *end == ',';
  *from = end + *more;
  return *more || !*end || *end == '\n';
}

int csv_fields(const char *line) {
  int n = 1;
  for (; *line; line++) n += *line == ',';
  return n;
}
