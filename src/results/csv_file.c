/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/results/csv_file.h"

#include "src/base/decimal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Writing CSV files ------------------------------------------------------------------------------------------------ */

static void put_text(FILE *file, const char *text) {
  if (!strpbrk(text, ",\"\r\n")) {
    fputs(text, file);
    return;
  }
  fputc('"', file);
  for (; *text; text++) {
    if (*text == '"') fputc('"', file);
    fputc(*text, file);
  }
  fputc('"', file);
}

/* Writes a value as a field of CSV. first: the field is the first of its row, so no comma precedes it. */
static void put_value(FILE *file, const TableColumn *column, const Labels *labels, bool first, double value) {
  const char *comma = first ? "" : ",";
  if (column->kind == COLUMN_WORD) {
    fputs(comma, file);
    put_text(file, column->words ? column->words[(int)value] : labels->names[(int)value]);
  } else if (column->kind == COLUMN_SECONDS) {
    fprintf(file, "%s%.6f", comma, value);
  } else { /* counts are integers, which decimal_write writes without a point; writing comma and number in one call is
            * faster */
    char text[1 + DECIMAL_SIZE] = ",";
    fwrite(text, 1, (size_t)(!first + decimal_write(value, text + !first)), file);
  }
}

static int width_of(const TableColumn *column, const TableLayout *layout) {
  return column->width == WIDTH_DOFS ? layout->d : column->width == WIDTH_CONTROLS ? layout->controls : 1;
}

void csv_put_header(FILE *file, const TableLayout *layout) {
  char name[LABEL_COLUMN_SIZE];
  for (int c = 0; c < layout->n_columns; c++) {
    const TableColumn *column = &layout->columns[c];
    for (int i = 1; i <= width_of(column, layout); i++) {
      if (c) fputc(',', file);
      const char *text = column->name;
      if (column->width == WIDTH_DOFS) text = labels_column(layout->labels, text, i, name);
      if (column->width == WIDTH_CONTROLS)
        text = labels_control(layout->labels, text, layout->matrix, layout->controls, i - 1, name);
      fputs(text, file);
    }
  }
  fputc('\n', file);
}

void csv_put_row(FILE *file, const TableLayout *layout, const double *const *data) {
  for (int c = 0; c < layout->n_columns; c++) {
    int width = width_of(&layout->columns[c], layout);
    for (int i = 0; i < width; i++) put_value(file, &layout->columns[c], layout->labels, c == 0, data[c][i]);
  }
  fputc('\n', file);
}

void csv_put_table(FILE *file, const Table *table, const TableColumn *columns) {
  for (int c = 0; c < table->columns; c++) {
    if (c) fputc(',', file);
    put_text(file, table->names[c]);
  }
  fputc('\n', file);
  for (long row = 0; row < table->rows; row++) {
    for (int c = 0; c < table->columns; c++) {
      if (table->words && c) fputc(',', file);
      if (table->words)
        put_text(file, table_text(table, row, c));
      else
        put_value(file, &columns[c], NULL, c == 0, table_at(table, row, c));
    }
    fputc('\n', file);
  }
}

/* Reading CSV files ------------------------------------------------------------------------------------------------ */

/* A file that is being read. */
typedef struct Source {
  char path[FILE_PATH_SIZE];
  FILE *file;
  bool texts;
  const char *const *words;
  char *line, *more; /* buffers of getline */
  size_t room, more_room;
  long number; /* number of the current line, from 1 */
  Diagnostics *diagnostics;
} Source;

static int refuse(const Source *source, const char *at, const char *what) {
  return diagnostics_error(source->diagnostics, EXIT_USAGE, "%s:%ld:%td: %s", source->path, source->number,
                           at - source->line + 1, what);
}

/* Returns whether a quoted field is open at the end of a text. open: whether a quoted field was open at its start. */
static bool leaves_open(const char *text, bool open) {
  for (; *text; text++) open = open != (*text == '"');
  return open;
}

/* Appends the next line of the file to the current one, since a quoted field continues there. Returns the new length;
 * -1 at the end of the file, or if there is no memory. */
static ssize_t join_line(Source *source, ssize_t length) {
  ssize_t more = getline(&source->more, &source->more_room, source->file);
  char *line = more < 0 ? NULL : realloc(source->line, (size_t)(length + more) + 1);
  if (!line) return -1;
  memcpy(line + length, source->more, (size_t)more + 1);
  source->line = line;
  source->room = (size_t)(length + more) + 1;
  return length + more;
}

/* Reads the next line without its end. Returns 1; 0 at the end of the file; -1 after reporting that the line is
 * incomplete. */
static int next_line(Source *source) {
  ssize_t length = getline(&source->line, &source->room, source->file), joined;
  if (length < 0) return 0;
  source->number++;
  bool open = source->texts && leaves_open(source->line, false);
  while (open && (joined = join_line(source, length)) > 0) {
    open = leaves_open(source->line + length, open);
    length = joined;
  }
  char *end = source->line + length - 1;
  if (*end != '\n') {
    refuse(source, end + 1, "the file breaks off here (a line's end was expected; is its run still going on?)");
    return -1;
  }
  *end = 0;
  return 1;
}

/* Sets *field to the next field of a line, without its quotes. Moves *at to the next field. Returns the character after
 * the field: a comma, or 0 at the end of the line. */
static char cut_field(char **at, char **field) {
  char *from = *at, *to = from;
  *field = to;
  if (*from == '"') {
    for (from++; *from; from++) {
      if (*from == '"' && from[1] != '"') break;
      if (*from == '"') from++;
      *to++ = *from;
    }
    if (*from) from++;
  } else {
    from = to = from + strcspn(from, ",");
  }
  char end = *from;
  *at = from + (end != 0);
  *to = 0;
  return end;
}

static int read_header(Source *source, Table *table) {
  int got = next_line(source), columns = 1;
  if (got < 0) return EXIT_USAGE;
  if (got == 0)
    return diagnostics_error(source->diagnostics, EXIT_USAGE, "%s: is empty (a header was expected)", source->path);
  bool quoted = false;
  for (const char *c = source->line; *c; c++) {
    quoted = quoted != (*c == '"');
    columns += *c == ',' && !quoted;
  }
  if (!table_make(table, columns, 64, source->texts)) return EXIT_INTERNAL;
  char *at = source->line, *name;
  for (int c = 0; c < columns; c++) {
    cut_field(&at, &name);
    if (!table_name(table, c, "%s", name)) return EXIT_INTERNAL;
  }
  return 0;
}

/* Reads a number. A word from the list of allowed words is read as its index in the list. Returns false if the field is
 * neither. */
static bool read_value(const Source *source, const char *field, double *value) {
  for (int k = 0; source->words && source->words[k]; k++)
    if (strcmp(source->words[k], field) == 0) {
      *value = k;
      return true;
    }
  char *end;
  *value = strtod(field, &end);
  return *field && !*end;
}

static int read_row(const Source *source, Table *table) {
  double *row = table_add_row(table);
  char *at = source->line, *field;
  if (!row) return EXIT_INTERNAL;
  for (int c = 0; c < table->columns; c++) {
    char *from = at, end = cut_field(&at, &field);
    bool last = c == table->columns - 1;
    if (source->texts && !table_set_text(table, c, field, false)) return EXIT_INTERNAL;
    if (!source->texts && !read_value(source, field, &row[c]))
      return refuse(source, from, "not a value (one was expected in each of the header's columns)");
    if (last != (end == 0))
      return refuse(source, at - (end != 0), last ? "more values than columns" : "fewer values than columns");
  }
  return 0;
}

int csv_read(Table *table, const char *directory, const char *name, bool texts, const char *const *words,
             Diagnostics *diagnostics) {
  Source source = {.texts = texts, .words = words, .diagnostics = diagnostics};
  *table = (Table){0};
  if (snprintf(source.path, sizeof source.path, "%s/%s", directory, name) >= (int)sizeof source.path)
    return diagnostics_error(diagnostics, EXIT_USAGE, "%s: the name is too long", directory);
  char fault[FILE_FAULT_SIZE];
  source.file = file_open(source.path, fault);
  if (!source.file && errno == ENOENT) return 0;
  if (!source.file) return diagnostics_error(diagnostics, EXIT_USAGE, "%s: %s", source.path, fault);
  int code = read_header(&source, table), got = 0;
  while (!code && (got = next_line(&source)) > 0) code = read_row(&source, table);
  if (got < 0) code = EXIT_USAGE;
  if (code == EXIT_INTERNAL) diagnostics_error(diagnostics, code, "%s: out of memory", source.path);
  if (!code && ferror(source.file))
    code = diagnostics_error(diagnostics, EXIT_USAGE, "%s: could not be read", source.path);
  fclose(source.file);
  free(source.line);
  free(source.more);
  snprintf(table->place, sizeof table->place, "%s:1:1", name);
  if (code) table_clear(table);
  return code;
}
