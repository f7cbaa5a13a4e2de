#include "bench/tools/table.h"

#include "src/base/exit_code.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_SIZE = 128 };

typedef struct Cell {
  char text[CELL_SIZE]; /* in text and Markdown */
  char csv[CELL_SIZE];
  bool number;
} Cell;

struct Table {
  int columns;
  size_t n, room; /* cells; the heads are the first row */
  Cell *cells;
};

bool table_form_option(const char *argument, TableForm *form) {
  bool csv = !strcmp(argument, "--csv"), markdown = !strcmp(argument, "--markdown");
  if (csv) *form = TABLE_CSV;
  if (markdown) *form = TABLE_MARKDOWN;
  return csv || markdown;
}

bool table_arguments(int argc, char **argv, const char *program, const char *usage, TableForm *form, bool *quick,
                     int *code) {
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--help")) {
      fputs(usage, stdout);
      *code = EXIT_DONE;
      return false;
    }
    if (!strcmp(argv[i], "--quick")) {
      *quick = true;
    } else if (!table_form_option(argv[i], form)) {
      fprintf(stderr, "%s: unknown argument '%s'\n%s", program, argv[i], usage);
      *code = EXIT_USAGE;
      return false;
    }
  }
  return true;
}

static void *or_exit(void *memory) {
  if (memory) return memory;
  fputs("bench: out of memory\n", stderr);
  exit(EXIT_FAILURE);
}

Table *table_create(int columns, const char *const *heads) {
  Table *table = or_exit(calloc(1, sizeof *table));
  table->columns = columns;
  for (int i = 0; i < columns; i++) table_text(table, "%s", heads[i]);
  return table;
}

void table_destroy(Table *table) {
  free(table->cells);
  free(table);
}

static Cell *next_cell(Table *table) {
  if (table->n == table->room) {
    table->room = 2 * table->room + (size_t)table->columns;
    table->cells = or_exit(realloc(table->cells, table->room * sizeof *table->cells));
  }
  Cell *cell = &table->cells[table->n++];
  *cell = (Cell){.number = false};
  return cell;
}

void table_text(Table *table, const char *format, ...) {
  Cell *cell = next_cell(table);
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(cell->text, CELL_SIZE, format, arguments);
  va_end(arguments);
  assert(length < CELL_SIZE);
  (void)length;
  memcpy(cell->csv, cell->text, CELL_SIZE);
}

void table_number(Table *table, const char *format, double value) {
  Cell *cell = next_cell(table);
  cell->number = true;
  if (value == value) {
    snprintf(cell->csv, CELL_SIZE, "%.9g", value);
    snprintf(cell->text, CELL_SIZE, format, value);
  } else {
    memcpy(cell->text, "-", 2);
  }
}

/* Quoted where it must be, RFC 4180. */
static void print_csv(const char *text, FILE *out) {
  if (!strpbrk(text, ",\"\n")) {
    fputs(text, out);
    return;
  }
  fputc('"', out);
  for (; *text; text++) fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
  fputc('"', out);
}

static int column_width(const Table *table, int column) {
  size_t width = 3;
  for (size_t k = (size_t)column; k < table->n; k += (size_t)table->columns) {
    size_t length = strlen(table->cells[k].text);
    if (length > width) width = length;
  }
  return (int)width;
}

/* A column is one of numbers if its first row says so; its head stands as they do. */
static bool numeric(const Table *table, int column) {
  size_t k = (size_t)(table->columns + column);
  return k < table->n && table->cells[k].number;
}

static void print_aligned(const Table *table, size_t row, TableForm form, const int *width, FILE *out) {
  const Cell *cells = &table->cells[row * (size_t)table->columns];
  for (int i = 0; i < table->columns; i++) {
    bool last = i == table->columns - 1, left = !numeric(table, i);
    fputs(form == TABLE_MARKDOWN ? "| " : i ? "  " : "", out);
    fprintf(out, "%*s", left ? (last && form == TABLE_TEXT ? 0 : -width[i]) : width[i], cells[i].text);
    if (form == TABLE_MARKDOWN) fputs(last ? " |" : " ", out);
  }
  fputc('\n', out);
}

/* |---|--:| */
static void print_rule(const Table *table, const int *width, FILE *out) {
  for (int i = 0; i < table->columns; i++) {
    fputs("| ", out);
    for (int k = 1; k < width[i]; k++) fputc('-', out);
    fputs(numeric(table, i) ? ": " : "- ", out);
  }
  fputs("|\n", out);
}

void table_print(const Table *table, TableForm form, FILE *out) {
  size_t columns = (size_t)table->columns;
  assert(table->n % columns == 0);
  int *width = or_exit(calloc(columns, sizeof *width));
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
  if (!fflush(out) && !ferror(out)) return;
  fputs("bench: the table could not be written\n", stderr);
  exit(EXIT_FAILURE);
}
