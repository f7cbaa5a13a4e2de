#include "src/readback/sweep_results.h"

#include "src/base/exit_code.h"
#include "src/base/file_open.h"
#include "src/readback/table_hdf5.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool path_of(const char *directory, const char *name, char path[FILE_PATH_SIZE]) {
  return snprintf(path, FILE_PATH_SIZE, "%s/%s", directory, name) < FILE_PATH_SIZE;
}

bool sweep_results_there(const char *directory) {
  char table[FILE_PATH_SIZE], summary[FILE_PATH_SIZE];
  return path_of(directory, "sweep.csv", table) && path_of(directory, "summary.json", summary) &&
         access(table, F_OK) == 0 && access(summary, F_OK) != 0;
}

/* Cuts the next field out of a text, without its quotes. *end: what followed it, a comma, a line's end or 0. */
static char *next_field(char **at, char *end) {
  char *from = *at, *to = from, *field = from;
  if (*from == '"') {
    for (from++; *from; from++) {
      if (*from == '"' && from[1] != '"') break;
      if (*from == '"') from++;
      *to++ = *from;
    }
    if (*from) from++;
  } else {
    from = to = from + strcspn(from, ",\n");
  }
  *end = *from;
  *at = *from ? from + 1 : from;
  *to = '\0';
  return field;
}

static int refuse(const char *path, long line, const char *what, Diagnostics *diagnostics) {
  return diagnostics_error(diagnostics, EXIT_USAGE, "%s:%ld:1: %s", path, line, what);
}

static int read_header(SweepResults *sweep, char **at, const char *path, Diagnostics *diagnostics) {
  char end = ',';
  while (end == ',' && sweep->n < SWEEP_READ_COLUMNS_MAX) {
    sweep->fields[sweep->n].name = next_field(at, &end);
    if (strcmp(sweep->fields[sweep->n].name, "outcome") == 0 && !sweep->axes) sweep->axes = sweep->n - 1;
    sweep->n++;
  }
  if (end == '\n' && sweep->axes > 0 && strcmp(sweep->fields[0].name, "run") == 0) return 0;
  return refuse(path, 1, "not the table of a sweep (expected run, what was varied, outcome, ..)", diagnostics);
}

static int reserve(SweepResults *sweep, const char *text, Diagnostics *diagnostics) {
  size_t most = 1;
  for (; *text; text++) most += *text == '\n';
  for (int c = 0; c < sweep->n; c++) {
    sweep->fields[c].value = calloc(most, sizeof(double));
    sweep->fields[c].word = calloc(most, sizeof(char *));
    if (!sweep->fields[c].value || !sweep->fields[c].word) return diagnostics_no_memory(diagnostics);
  }
  return 0;
}

static int read_row(SweepResults *sweep, char **at, const char *path, Diagnostics *diagnostics) {
  long row = sweep->rows;
  for (int c = 0; c < sweep->n; c++) {
    SweepField *field = &sweep->fields[c];
    char end, *text = next_field(at, &end), *rest;
    if (end != (c == sweep->n - 1 ? '\n' : ','))
      return refuse(path, row + 2, "not a value for each column", diagnostics);
    field->word[row] = text;
    field->value[row] = strtod(text, &rest);
    if (!*text) field->value[row] = NAN;
    if (*rest) field->words = true;
  }
  sweep->rows++;
  return 0;
}

/* A text, and the row that it stands in. */
typedef struct Word {
  const char *text;
  long row;
} Word;

static int by_text(const void *a, const void *b) {
  const Word *one = a, *other = b;
  int order = strcmp(one->text, other->text);
  return order ? order : one->row < other->row ? -1 : one->row > other->row;
}

/* Texts become numbers, in the order in which they first come. */
static int number_words(const SweepResults *sweep, SweepField *field, Diagnostics *diagnostics) {
  Word *words = calloc((size_t)sweep->rows + 1, sizeof *words);
  double next = 0;
  if (!words) return diagnostics_no_memory(diagnostics);
  for (long row = 0; row < sweep->rows; row++) words[row] = (Word){field->word[row], row};
  qsort(words, (size_t)sweep->rows, sizeof *words, by_text);
  for (long k = 0, first = 0; k < sweep->rows; k++) {
    if (k && strcmp(words[k].text, words[k - 1].text) != 0) first = k;
    field->value[words[k].row] = (double)words[first].row;
  }
  for (long row = 0; row < sweep->rows; row++) {
    long first = (long)field->value[row];
    field->value[row] = first == row ? next++ : field->value[first];
  }
  free(words);
  return 0;
}

int sweep_results_read(SweepResults *sweep, const char *directory, Diagnostics *diagnostics) {
  char path[FILE_PATH_SIZE];
  size_t size;
  *sweep = (SweepResults){0};
  if (!path_of(directory, "sweep.csv", path))
    return diagnostics_error(diagnostics, EXIT_USAGE, "%s: the name is too long", directory);
  sweep->text = file_read(path, &size, diagnostics);
  if (!sweep->text) return EXIT_USAGE;
  char *at = sweep->text;
  int code = read_header(sweep, &at, path, diagnostics);
  if (!code) code = reserve(sweep, at, diagnostics);
  if (!code) code = table_read_units(&sweep->units, directory, diagnostics);
  for (int c = 0; c < sweep->n; c++) sweep->fields[c].unit = table_unit(&sweep->units, sweep->fields[c].name);
  while (!code && *at) code = read_row(sweep, &at, path, diagnostics);
  for (int c = 0; c <= sweep->axes && !code; c++)
    if (sweep->fields[c].words) code = number_words(sweep, &sweep->fields[c], diagnostics);
  return code;
}

/* Whether a cell is a value as a text or, both being numbers, as a number. */
static bool is_value(const char *cell, const char *value) {
  char *of_cell, *of_value;
  if (strcmp(cell, value) == 0) return true;
  double a = strtod(cell, &of_cell), b = strtod(value, &of_value);
  return *cell && *value && !*of_cell && !*of_value && fabs(a - b) <= 1e-12 * fabs(b);
}

/* The keys that vary, or the values of one of them (0: the keys), as words of a message. */
static const char *list(const SweepResults *sweep, int axis, char *out, size_t size) {
  long n = axis ? sweep->rows : sweep->axes;
  *out = '\0';
  for (long k = 0; k < n; k++) {
    size_t length = strlen(out);
    bool new = true;
    for (long before = 0; axis && before < k && new; before++)
      new = strcmp(sweep->fields[axis].word[before], sweep->fields[axis].word[k]) != 0;
    if (!new) continue;
    const char *word = axis ? sweep->fields[axis].word[k] : sweep->fields[1 + k].name;
    snprintf(out + length, size - length, "%s%s", length ? ", " : "", word);
  }
  return out;
}

static void drop_axis(SweepResults *sweep, int axis) {
  free(sweep->fields[axis].value);
  free(sweep->fields[axis].word);
  memmove(&sweep->fields[axis], &sweep->fields[axis + 1], (size_t)(sweep->n - axis - 1) * sizeof *sweep->fields);
  sweep->n--;
  sweep->axes--;
}

int sweep_results_fix(SweepResults *sweep, const char *setting, Diagnostics *diagnostics) {
  const char *equals = strchr(setting, '=');
  size_t length = equals ? (size_t)(equals - setting) : strlen(setting);
  char there[200];
  int axis = 1;
  while (axis <= sweep->axes &&
         (strlen(sweep->fields[axis].name) != length || strncmp(sweep->fields[axis].name, setting, length) != 0))
    axis++;
  if (!equals || axis > sweep->axes)
    return diagnostics_error(diagnostics, EXIT_USAGE, "--set %.100s: expected KEY=VALUE of a key that varies: %s",
                             setting, list(sweep, 0, there, sizeof there));
  long kept = 0;
  for (long row = 0; row < sweep->rows; row++) {
    if (!is_value(sweep->fields[axis].word[row], equals + 1)) continue;
    for (int c = 0; c < sweep->n; c++) {
      sweep->fields[c].value[kept] = sweep->fields[c].value[row];
      sweep->fields[c].word[kept] = sweep->fields[c].word[row];
    }
    kept++;
  }
  if (kept == 0)
    return diagnostics_error(diagnostics, EXIT_USAGE, "--set %.100s: no run has this value (the values are %s)",
                             setting, list(sweep, axis, there, sizeof there));
  sweep->rows = kept;
  drop_axis(sweep, axis);
  return 0;
}

void sweep_results_clear(SweepResults *sweep) {
  for (int c = 0; c < sweep->n; c++) {
    free(sweep->fields[c].value);
    free(sweep->fields[c].word);
  }
  free(sweep->text);
  table_clear(&sweep->units);
  *sweep = (SweepResults){0};
}
