/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/base/text_table.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_SIZE = 128 };

typedef struct Cell {
  char text[CELL_SIZE]; /* text for output as plain text and Markdown; CSV is printed from the member csv */
  char csv[CELL_SIZE];
  bool number;
} Cell;

struct TextTable {
  int columns;
  size_t n, room; /* n: number of cells, including the column heads, which are the first row; room: number of allocated
                   * cells */
  Cell *cells;
  bool incomplete; /* memory ran out, so a cell is missing */
};

TextTable *text_table_create(int columns, const char *const *heads) {
  TextTable *table = calloc(1, sizeof *table);
  if (!table) return NULL;
  table->columns = columns;
  for (int i = 0; i < columns; i++) text_table_word(table, "%s", heads[i]);
  return table;
}

void text_table_destroy(TextTable *table) {
  if (table) free(table->cells);
  free(table);
}

/* Returns the next free cell; NULL if there is no memory. */
static Cell *next_cell(TextTable *table) {
  if (!table || table->incomplete) return NULL;
  if (table->n == table->room) {
    size_t room = 2 * table->room + (size_t)table->columns;
    Cell *cells = realloc(table->cells, room * sizeof *cells);
    table->incomplete = !cells;
    if (!cells) return NULL;
    table->cells = cells;
    table->room = room;
  }
  Cell *cell = &table->cells[table->n++];
  *cell = (Cell){.number = false};
  return cell;
}

void text_table_word(TextTable *table, const char *format, ...) {
  Cell *cell = next_cell(table);
  if (!cell) return;
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(cell->text, CELL_SIZE, format, arguments);
  va_end(arguments);
  assert(length < CELL_SIZE);
  (void)length;
  memcpy(cell->csv, cell->text, CELL_SIZE);
}

void text_table_number(TextTable *table, const char *format, double value) {
  Cell *cell = next_cell(table);
  if (!cell) return;
  cell->number = true;
  if (value == value) {
    snprintf(cell->csv, CELL_SIZE, "%.9g", value);
    snprintf(cell->text, CELL_SIZE, format, value);
  } else {
    memcpy(cell->text, "-", 2);
  }
}

/* Prints the text of a cell as CSV, quoted if RFC 4180 requires it. */
static void print_csv(const char *text, FILE *out) {
  if (!strpbrk(text, ",\"\n")) {
    fputs(text, out);
    return;
  }
  fputc('"', out);
  for (; *text; text++) fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
  fputc('"', out);
}

static int column_width(const TextTable *table, int column) {
  size_t width = 3;
  for (size_t k = (size_t)column; k < table->n; k += (size_t)table->columns) {
    size_t length = strlen(table->cells[k].text);
    if (length > width) width = length;
  }
  return (int)width;
}

/* Returns whether a column holds numbers, judged by its first row below the heads. A column of numbers and its head are
 * aligned right. */
static bool numeric(const TextTable *table, int column) {
  size_t k = (size_t)(table->columns + column);
  return k < table->n && table->cells[k].number;
}

static void print_aligned(const TextTable *table, size_t row, TextTableForm form, const int *width, FILE *out) {
  const Cell *cells = &table->cells[row * (size_t)table->columns];
  for (int i = 0; i < table->columns; i++) {
    bool last = i == table->columns - 1, left = !numeric(table, i);
    fputs(form == TABLE_MARKDOWN ? "| " : i ? "  " : "", out);
    fprintf(out, "%*s", left ? (last && form == TABLE_TEXT ? 0 : -width[i]) : width[i], cells[i].text);
    if (form == TABLE_MARKDOWN) fputs(last ? " |" : " ", out);
  }
  fputc('\n', out);
}

/* Prints the rule below the heads: |---|--:| */
static void print_rule(const TextTable *table, const int *width, FILE *out) {
  for (int i = 0; i < table->columns; i++) {
    fputs("| ", out);
    for (int k = 1; k < width[i]; k++) fputc('-', out);
    fputs(numeric(table, i) ? ": " : "- ", out);
  }
  fputs("|\n", out);
}

bool text_table_print(const TextTable *table, TextTableForm form, FILE *out) {
  if (!table || table->incomplete) return false;
  size_t columns = (size_t)table->columns;
  assert(table->n % columns == 0);
  int *width = calloc(columns, sizeof *width);
  if (!width) return false;
  for (int i = 0; i < table->columns; i++) width[i] = column_width(table, i);
  for (size_t row = 0; row < table->n / columns; row++) {
    if (form != TABLE_CSV) {
      print_aligned(table, row, form, width, out);
      if (row == 0 && form == TABLE_MARKDOWN) print_rule(table, width, out);
      continue;
    }
    for (size_t i = 0; i < columns; i++) {
      if (i) fputc(',', out);
      print_csv(table->cells[row * columns + i].csv, out);
    }
    fputc('\n', out);
  }
  free(width);
  return !fflush(out) && !ferror(out);
}
