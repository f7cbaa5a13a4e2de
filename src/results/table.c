/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/results/table.h"

#include "src/process/hdf5_library.h"
#include "src/results/csv_file.h"
#include "src/results/hdf5_read.h"
#include "src/results/hdf5_rows.h"
#include "src/results/hdf5_table.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_hdf5(const char *name) {
  size_t length = strlen(name), ending = strlen(TABLE_HDF5);
  return length > ending && strcmp(name + length - ending, TABLE_HDF5) == 0;
}

/* Files that grow -------------------------------------------------------------------------------------------------- */

struct TableFile {
  const Results *results;
  const char *name;
  FILE *csv; /* exactly one of csv and hdf5 is used */
  Hdf5File *hdf5;
  ResultsMark mark; /* length and checksum of the CSV file at the last flush */
  bool failed;
  TableLayout layout; /* layout of the CSV file */
  TableColumn columns[TABLE_COLUMNS_MAX];
};

static bool open_csv(TableFile *file, const ResultsMark *mark) {
  file->csv = mark ? results_reopen(file->results, file->name, mark) : results_open(file->results, file->name);
  if (file->csv && !mark) csv_put_header(file->csv, &file->layout);
  if (mark) file->mark = *mark;
  return file->csv != NULL;
}

TableFile *table_open(const Results *results, const char *name, const TableLayout *layout, const ResultsMark *mark) {
  TableFile *file = calloc(1, sizeof *file);
  if (!file) diagnostics_no_memory(results->diagnostics);
  bool failed = !file;
  if (file) {
    *file = (TableFile){.results = results, .name = name, .layout = *layout};
    memcpy(file->columns, layout->columns, (size_t)layout->n_columns * sizeof *file->columns);
    file->layout.columns = file->columns;
  }
  if (is_hdf5(name)) {
    failed = sim_group_agree(layout->group, failed);
    if (!failed) file->hdf5 = hdf5_rows_open(results, name, layout, mark ? (long)mark->size : -1);
    failed = failed || !file->hdf5;
  } else if (file)
    failed = !open_csv(file, mark);
  if (!failed) return file;
  free(file);
  return NULL;
}

void table_append(TableFile *file, const double *const *data) {
  if (file->hdf5)
    file->failed |= hdf5_rows_append(file->hdf5, data) != 0;
  else
    csv_put_row(file->csv, &file->layout, data);
}

int table_flush(TableFile *file) {
  file->failed |= fflush(file->csv) || ferror(file->csv);
  return file->failed ? -1 : 0;
}

int table_sync(TableFile *file, ResultsMark *mark) {
  if (!file) return 0;
  if (file->hdf5) file->mark = (ResultsMark){.size = hdf5_rows_sync(file->hdf5)};
  file->failed |= file->hdf5 ? file->mark.size < 0 : results_sync(file->csv, &file->mark) != 0;
  *mark = file->mark;
  return file->failed ? -1 : 0;
}

int table_close(TableFile *file, bool ended) {
  if (!file) return 0;
  int reported = results_close(file->results, file->name, file->csv);
  bool failed = hdf5_rows_close(file->hdf5, ended) || file->failed || reported;
  if (failed && !reported)
    diagnostics_error(file->results->diagnostics, EXIT_INTERNAL, "%s could not be written in full (is the disk full?)",
                      file->name);
  free(file);
  return failed ? -1 : 0;
}

/* Tables in memory ------------------------------------------------------------------------------------------------- */

void table_clear(Table *table) {
  for (int c = 0; table->names && c < table->columns; c++) free(table->names[c]);
  for (int c = 0; table->units && c < table->columns; c++) free(table->units[c]);
  free(table->names);
  free(table->units);
  free(table->values);
  free(table->words);
  free(table->cells);
  free(table->text);
  *table = (Table){0};
}

bool table_name(Table *table, int column, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  size_t size = (size_t)vsnprintf(NULL, 0, format, again) + 1;
  va_end(again);
  char *name = realloc(table->names[column], size);
  if (name) {
    table->names[column] = name;
    vsnprintf(name, size, format, arguments);
  }
  va_end(arguments);
  return name != NULL;
}

bool table_set_unit(Table *table, int column, const char *unit) {
  char *copy = strdup(unit);
  if (!copy) return false;
  free(table->units[column]);
  table->units[column] = copy;
  return true;
}

const char *table_unit(const Table *table, int column) { return table->units[column] ? table->units[column] : ""; }

static bool reserve(Table *table, long room) {
  size_t cells = (size_t)room * (size_t)table->columns;
  double *values = realloc(table->values, cells * sizeof *values);
  if (!values) return false;
  table->values = values;
  size_t *places = table->words ? realloc(table->cells, cells * sizeof *places) : NULL;
  if (table->words && !places) return false;
  table->cells = places;
  table->room = room;
  return true;
}

bool table_make(Table *table, int columns, long room, bool texts) {
  *table = (Table){.columns = columns};
  table->names = calloc((size_t)columns, sizeof *table->names);
  table->units = calloc((size_t)columns, sizeof *table->units);
  if (texts) table->words = calloc((size_t)columns, sizeof *table->words);
  return table->names && table->units && (table->words || !texts) && reserve(table, room > 0 ? room : 1);
}

double *table_add_row(Table *table) {
  if (table->rows == table->room && !reserve(table, 2 * table->room)) return NULL;
  size_t first = (size_t)table->rows++ * (size_t)table->columns, size = (size_t)table->columns;
  if (table->words) memset(table->cells + first, 0, size * sizeof *table->cells);
  return memset(table->values + first, 0, size * sizeof *table->values);
}

void table_keep(Table *table, const bool *keep, int without) {
  size_t columns = (size_t)table->columns, to = 0, behind = columns - (size_t)without - 1, from = (size_t)without + 1;
  long kept = 0;
  for (size_t row = 0; row < (size_t)table->rows; row++) {
    if (!keep[row]) continue;
    for (size_t c = 0; c < columns; c++) {
      if (c == (size_t)without) continue;
      table->values[to] = table->values[row * columns + c];
      if (table->words) table->cells[to] = table->cells[row * columns + c];
      to++;
    }
    kept++;
  }
  free(table->names[without]);
  free(table->units[without]);
  memmove(table->names + without, table->names + from, behind * sizeof *table->names);
  memmove(table->units + without, table->units + from, behind * sizeof *table->units);
  if (table->words) memmove(table->words + without, table->words + from, behind * sizeof *table->words);
  table->columns--;
  table->rows = kept;
}

bool table_set_text(Table *table, int column, const char *text, bool word) {
  size_t cell = (size_t)(table->rows - 1) * (size_t)table->columns + (size_t)column, size = strlen(text) + 1;
  if (table->text_size + size > table->text_room) {
    size_t room = 2 * table->text_room + size;
    char *more = realloc(table->text, room);
    if (!more) return false;
    table->text = more;
    table->text_room = room;
  }
  table->cells[cell] = table->text_size;
  memcpy(table->text + table->text_size, text, size);
  table->text_size += size;
  char *end;
  double value = strtod(text, &end);
  word = word || *end || !isfinite(value);
  table->values[cell] = *text && !word ? value : NAN;
  table->words[column] = table->words[column] || word;
  return true;
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

/* Reading and writing whole files ---------------------------------------------------------------------------------- */

static bool write_csv(const Table *table, const Results *results, const char *part, const TableColumn *columns,
                      bool *opened) {
  FILE *file = results_open(results, part);
  *opened = file != NULL;
  if (!file) return false;
  csv_put_table(file, table, columns);
  bool good = fflush(file) == 0 && !ferror(file) && fsync(fileno(file)) == 0;
  return fclose(file) == 0 && good;
}

static bool write_hdf5(const Table *table, const Results *results, const char *part, const TableColumn *columns,
                       int format, const char *title, bool *opened) {
  char path[FILE_PATH_SIZE];
  *opened =
      hdf5_begin(results->diagnostics) && !results_path(results, part, path) && results_clear_way(results, part, false);
  return *opened && hdf5_table_write(path, table, columns, format, title);
}

int table_write(const Table *table, const Results *results, const char *name, const TableColumn *columns, int format,
                const char *title) {
  char part[64];
  bool opened;
  snprintf(part, sizeof part, "%s.part", name);
  bool good = is_hdf5(name) ? write_hdf5(table, results, part, columns, format, title, &opened)
                            : write_csv(table, results, part, columns, &opened);
  return opened && results_put(results, part, name, good) == 0 ? 0 : EXIT_INTERNAL;
}

int table_read(Table *table, const char *directory, const char *name, const char *const *words,
               Diagnostics *diagnostics) {
  return is_hdf5(name) ? hdf5_read(table, directory, name, diagnostics)
                       : csv_read(table, directory, name, false, words, diagnostics);
}

/* A cell of a column of texts. */
typedef struct Word {
  const char *text;
  long row;
} Word;

static int by_text(const void *a, const void *b) {
  const Word *one = a, *other = b;
  int order = strcmp(one->text, other->text);
  return order ? order : one->row < other->row ? -1 : one->row > other->row;
}

/* Numbers the different texts of a column from 0, in the order in which they first occur, and sets the value of each
 * cell to the number of its text. words: buffer [rows]. */
static void number_words(Table *table, int column, Word *words) {
  double *values = table->values + column, next = 0;
  for (long row = 0; row < table->rows; row++) words[row] = (Word){table_text(table, row, column), row};
  qsort(words, (size_t)table->rows, sizeof *words, by_text);
  for (long k = 0, first = 0; k < table->rows; k++) {
    if (k && strcmp(words[k].text, words[k - 1].text) != 0) first = k;
    values[words[k].row * table->columns] = (double)words[first].row;
  }
  for (long row = 0; row < table->rows; row++) {
    long first = (long)values[row * table->columns];
    values[row * table->columns] = first == row ? next++ : values[first * table->columns];
  }
}

int table_read_texts(Table *table, const char *directory, const char *name, Diagnostics *diagnostics) {
  int code = csv_read(table, directory, name, true, NULL, diagnostics);
  Word *words = code ? NULL : malloc(((size_t)table->rows + 1) * sizeof *words);
  if (code) return code;
  for (int c = 0; words && c < table->columns; c++)
    if (table->words[c]) number_words(table, c, words);
  if (!words) {
    table_clear(table);
    return diagnostics_no_memory(diagnostics);
  }
  free(words);
  return 0;
}
