#include "src/readback/table.h"

#include "src/base/exit_code.h"
#include "src/base/file_open.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* One file being read. */
typedef struct Source {
  char path[FILE_PATH_SIZE];
  FILE *file;
  const char *const *words;
  char *line; /* getline's */
  size_t room;
  long number; /* of the line, from 1 */
  Diagnostics *diagnostics;
} Source;

static int refuse(const Source *source, const char *at, const char *what) {
  return diagnostics_error(source->diagnostics, EXIT_USAGE, "%s:%ld:%td: %s", source->path, source->number,
                           at - source->line + 1, what);
}

/* The next line without its end: 1 if there is one, 0 at the end of the file, -1 after telling that it breaks off. */
static int next_line(Source *source) {
  ssize_t length = getline(&source->line, &source->room, source->file);
  if (length < 0) return 0;
  source->number++;
  char *end = source->line + length - 1;
  if (*end != '\n') {
    refuse(source, end + 1, "the file breaks off here (a line's end was expected; is its run still going on?)");
    return -1;
  }
  *end = 0;
  return 1;
}

static int read_header(Source *source, Table *table) {
  int got = next_line(source);
  if (got < 0) return EXIT_USAGE;
  if (got == 0)
    return diagnostics_error(source->diagnostics, EXIT_USAGE, "%s: is empty (a header was expected)", source->path);
  table->header = strdup(source->line);
  int columns = 1;
  for (const char *c = source->line; *c; c++) columns += *c == ',';
  table->names = calloc((size_t)columns, sizeof *table->names);
  if (!table->header || !table->names) return EXIT_INTERNAL;
  char *rest = table->header;
  for (int c = 0; c < columns; c++) {
    size_t length = strcspn(rest, ",");
    table->names[c] = rest;
    rest[length] = 0;
    rest += length + 1;
  }
  table->columns = columns;
  return 0;
}

/* A number or one of the words; returns where it ends, or NULL. */
static char *read_field(const Source *source, char *from, double *value) {
  size_t length = strcspn(from, ",");
  for (int k = 0; source->words && source->words[k]; k++)
    if (strlen(source->words[k]) == length && strncmp(source->words[k], from, length) == 0) {
      *value = k;
      return from + length;
    }
  char *end;
  *value = strtod(from, &end);
  return length > 0 && end == from + length ? end : NULL;
}

static int read_row(const Source *source, const Table *table, double *row) {
  char *from = source->line;
  for (int c = 0; c < table->columns; c++) {
    char *end = read_field(source, from, &row[c]);
    bool last = c == table->columns - 1;
    if (!end) return refuse(source, from, "not a value (one was expected in each of the header's columns)");
    if (last != (*end == 0))
      return refuse(source, end, last ? "more values than columns" : "fewer values than columns");
    from = end + 1;
  }
  return 0;
}

static int read_rows(Source *source, Table *table) {
  long room = 0;
  int got;
  while ((got = next_line(source)) > 0) {
    if (table->rows == room) {
      room = room ? 2 * room : 1024;
      double *values = realloc(table->values, (size_t)room * (size_t)table->columns * sizeof *values);
      if (!values) return EXIT_INTERNAL;
      table->values = values;
    }
    int code = read_row(source, table, table->values + (size_t)table->rows * (size_t)table->columns);
    if (code) return code;
    table->rows++;
  }
  return got < 0 ? EXIT_USAGE : 0;
}

int table_read(Table *table, const char *directory, const char *name, const char *const *words,
               Diagnostics *diagnostics) {
  Source source = {.words = words, .diagnostics = diagnostics};
  *table = (Table){0};
  if (snprintf(source.path, sizeof source.path, "%s/%s", directory, name) >= (int)sizeof source.path)
    return diagnostics_error(diagnostics, EXIT_USAGE, "%s: the name is too long", directory);
  char fault[FILE_FAULT_SIZE];
  source.file = file_open(source.path, fault);
  if (!source.file && errno == ENOENT) return 0;
  if (!source.file) return diagnostics_error(diagnostics, EXIT_USAGE, "%s: %s", source.path, fault);
  int code = read_header(&source, table);
  if (!code) code = read_rows(&source, table);
  if (code == EXIT_INTERNAL) diagnostics_error(diagnostics, code, "%s: out of memory", source.path);
  if (!code && ferror(source.file))
    code = diagnostics_error(diagnostics, EXIT_USAGE, "%s: could not be read", source.path);
  fclose(source.file);
  free(source.line);
  snprintf(table->place, sizeof table->place, "%s:1:1", name);
  if (code) table_clear(table);
  return code;
}

void table_clear(Table *table) {
  free(table->header);
  free(table->names);
  free(table->renamed);
  free(table->values);
  *table = (Table){0};
}

int table_find(const Table *table, const char *name) {
  for (int c = 0; c < table->columns; c++)
    if (strcmp(table->names[c], name) == 0) return c;
  return -1;
}

int table_find_dofs(const Table *table, const char *symbol, int count, int stride, char missing[TABLE_NAME_SIZE]) {
  int first = -1;
  for (int k = 0; k < count; k++) {
    snprintf(missing, TABLE_NAME_SIZE, "%s%ld", symbol, 1 + (long)k * stride);
    if (k == 0) first = table_find(table, missing);
    if (first < 0 || first + k >= table->columns || strcmp(table->names[first + k], missing) != 0) return -1;
  }
  return first;
}

int table_count(const Table *table, const char *symbol) {
  size_t length = strlen(symbol);
  int count = 0;
  for (int c = 0; c < table->columns; c++) {
    const char *number = table->names[c] + length;
    count += strncmp(table->names[c], symbol, length) == 0 && *number && !number[strspn(number, "0123456789")];
  }
  return count;
}
