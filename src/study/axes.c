/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L /* declares open_memstream and strdup */
#include "src/study/axes.h"

#include "src/file/text/document.h"
#include "src/file/text/expression.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ROUND_OFF = 4 * DBL_EPSILON; /* tolerance, relative to a value of a range, for rounding it */

static int refuse(Diagnostics *diagnostics, const char *text, const char *why) {
  char excerpt[EXCERPT_SIZE];
  return diagnostics_error(diagnostics, EXIT_USAGE, "--vary %s: %s", text_excerpt(text, excerpt), why);
}

/* Writing values as texts ------------------------------------------------------------------------------------------ */

/* Returns the code point of the character at *at, which is not ASCII, in a UTF-8 text. Moves *at to the next
 * character. */
static unsigned long next_character(const unsigned char **at) {
  unsigned char first = *(*at)++;
  unsigned long number = first & (first >= 0xf0 ? 0x07 : first >= 0xe0 ? 0x0f : 0x1f);
  while ((**at & 0xc0) == 0x80) number = number << 6 | (*(*at)++ & 0x3f);
  return number;
}

/* Writes a scalar as YAML, such that it is read as the same scalar. An empty value becomes ~. A text with line breaks
 * needs quotes, since YAML would otherwise join its lines. */
static void write_scalar(FILE *out, const char *text, bool plain) {
  if (plain && !strchr(text, '\n')) {
    fputs(*text ? text : "~", out);
    return;
  }
  fputc('"', out);
  for (const unsigned char *c = (const unsigned char *)text; *c;) {
    if (*c >= 0x80) {
      fprintf(out, "\\U%08lx", next_character(&c));
      continue;
    }
    fprintf(out, *c < 0x20 || *c == 0x7f ? "\\x%02x" : *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    c++;
  }
  fputc('"', out);
}

/* Writes a node in one line, in the flow style of YAML. */
static void write_node(FILE *out, const Node *node) {
  if (node->kind == NODE_SCALAR) {
    write_scalar(out, node->text, node->plain);
    return;
  }
  bool list = node->kind == NODE_SEQUENCE;
  fputc(list ? '[' : '{', out);
  for (const Node *child = node->first; child; child = child->next) {
    if (child->key) {
      write_scalar(out, child->key, false);
      fputs(": ", out);
    }
    write_node(out, child);
    if (child->next) fputs(", ", out);
  }
  fputc(list ? ']' : '}', out);
}

/* Returns the setting KEY=VALUE, where VALUE is the content of a node; the caller frees it. NULL: no memory. */
static char *setting_of(const char *key, const Node *node) {
  char *value = NULL;
  size_t size;
  FILE *out = open_memstream(&value, &size);
  if (!out) return NULL;
  write_node(out, node);
  char *setting = fclose(out) == 0 ? document_setting("", key, value) : NULL;
  free(value);
  return setting;
}

/* Returns the setting KEY=NUMBER; the caller frees it; NULL: no memory. The number has 12 digits if these are exact up
 * to round_off. Otherwise it has 15 to 17 digits, as few as are needed to read the same number. */
static char *setting_of_number(const char *key, double number, double round_off) {
  /* number of digits that usually suffice */
  enum { FEW = 12 };
  char digits[32];
  snprintf(digits, sizeof digits, "%.*g", FEW, fabs(number) > round_off ? number : 0);
  bool few = fabs(strtod(digits, NULL) - number) <= round_off;
  for (int precision = 15; precision <= 17 && !few; precision++) {
    snprintf(digits, sizeof digits, "%.*g", precision, number);
    if (strtod(digits, NULL) == number) break;
  }
  return document_setting("", key, digits);
}

/* Reading the values of an axis ------------------------------------------------------------------------------------ */

static int reserve(Axis *axis, long count, Diagnostics *diagnostics) {
  axis->settings = diagnostics_calloc(diagnostics, (size_t)count, sizeof *axis->settings);
  axis->count = axis->settings ? count : 0;
  return axis->settings ? 0 : diagnostics_no_memory(diagnostics);
}

static int read_list(Axis *axis, const char *given, const char *list, Diagnostics *diagnostics) {
  static const char name[] = "values: ";
  size_t size = sizeof name + strlen(list);
  char *text = malloc(size);
  if (!text) return diagnostics_no_memory(diagnostics);
  snprintf(text, size, "%s%s", name, list);
  Diagnostics dropped = {0};
  Document *document = document_create("--vary", text, strlen(text), &dropped);
  Node *values = document ? document_node(document, "values") : NULL;
  int code = 0;
  if (!values || values->kind != NODE_SEQUENCE || dropped.errors)
    code = refuse(diagnostics, given, "not a list (expected KEY=[a, b, c])");
  else if (values->n < 2)
    code = refuse(diagnostics, given, "fewer than two values (expected KEY=[a, b, c]; --set takes one)");
  else if (values->n > SWEEP_RUNS_MAX)
    code = refuse(diagnostics, given, "more than a million values");
  else
    code = reserve(axis, (long)values->n, diagnostics);
  long k = 0;
  for (const Node *node = code ? NULL : values->first; node && !code; node = node->next)
    if (!(axis->settings[k++] = setting_of(axis->key, node))) code = diagnostics_no_memory(diagnostics);
  diagnostics_clear(&dropped);
  document_destroy(document);
  free(text);
  return code;
}

/* Indices of the parts of a range from:to:count[:log], which cut_range separates. */
enum { FROM, TO, COUNT, HOW, RANGE_TEXTS };

static bool cut_range(char *range, char *texts[RANGE_TEXTS]) {
  int n = 0;
  texts[HOW] = NULL;
  for (char *from = range; from && n < RANGE_TEXTS; n++) {
    char *end = strchr(from, ':');
    texts[n] = from;
    from = end ? end + 1 : NULL;
    if (end) *end = '\0';
    if (end && n == HOW) return false;
  }
  return n > COUNT && (!texts[HOW] || strcmp(texts[HOW], "log") == 0);
}

/* Reads the three numbers of a range. Each is an expression without variables. */
static int read_numbers(const char *given, char *const *texts, double numbers[HOW], Diagnostics *diagnostics) {
  static const char *const names[HOW] = {"from", "to", "count"};
  for (int k = 0; k < HOW; k++) {
    char message[EXPRESSION_MESSAGE_SIZE], why[EXPRESSION_MESSAGE_SIZE + 16];
    if (expression_constant(texts[k], &numbers[k], message)) continue;
    if (!*message) return diagnostics_no_memory(diagnostics);
    snprintf(why, sizeof why, "%s: %s", names[k], message);
    return refuse(diagnostics, given, why);
  }
  return 0;
}

/* Fills the values of a range, with equal steps or, if logarithmic, with equal ratios. The first and the last value are
 * exact. Values between them are rounded, so that 0.30000000000000004 becomes 0.3. */
static int fill_range(Axis *axis, const double numbers[HOW], bool logarithmic, Diagnostics *diagnostics) {
  double from = numbers[FROM], to = numbers[TO], count = numbers[COUNT];
  int code = reserve(axis, (long)count, diagnostics);
  for (long k = 0; k < axis->count && !code; k++) {
    double part = (double)k / (count - 1),
           value = logarithmic ? from * pow(to / from, part) : from + part * (to - from);
    bool end = k == 0 || k == axis->count - 1;
    if (end) value = k ? to : from;
    double size = logarithmic ? fabs(value) : fmax(fabs(from), fabs(to));
    if (!(axis->settings[k] = setting_of_number(axis->key, value, end ? 0 : ROUND_OFF * size)))
      code = diagnostics_no_memory(diagnostics);
  }
  return code;
}

static int read_range(Axis *axis, const char *given, const char *range, Diagnostics *diagnostics) {
  char *texts[RANGE_TEXTS], *copy = strdup(range);
  double numbers[HOW], count;
  if (!copy) return diagnostics_no_memory(diagnostics);
  int code = cut_range(copy, texts)
                 ? read_numbers(given, texts, numbers, diagnostics)
                 : refuse(diagnostics, given, "expected KEY=[a, b, c], KEY=from:to:count or KEY=from:to:count:log");
  bool logarithmic = !code && texts[HOW];
  free(copy);
  if (code) return code;
  count = numbers[COUNT];
  if (!(count >= 2 && count == floor(count)))
    return refuse(diagnostics, given, "expected a count of 2 or more, a whole number");
  if (count > SWEEP_RUNS_MAX) return refuse(diagnostics, given, "more than a million values");
  if (numbers[FROM] == numbers[TO]) return refuse(diagnostics, given, "from and to are the same");
  if (logarithmic && !(numbers[FROM] > 0 && numbers[TO] > 0))
    return refuse(diagnostics, given, "expected from and to above 0, for equal ratios");
  axis->range = true;
  return fill_range(axis, numbers, logarithmic, diagnostics);
}

static int read_axis(Axes *axes, const char *given, Diagnostics *diagnostics) {
  const char *equals = strchr(given, '=');
  if (!equals || equals == given)
    return refuse(diagnostics, given, "expected KEY=[a, b, c] or KEY=from:to:count[:log]");
  Axis *axis = &axes->axes[axes->n];
  axis->key = strndup(given, (size_t)(equals - given));
  if (!axis->key) return diagnostics_no_memory(diagnostics);
  for (int k = 0; k < axes->n; k++)
    if (strcmp(axes->axes[k].key, axis->key) == 0) {
      free(axis->key);
      *axis = (Axis){0};
      return refuse(diagnostics, given, "this key is varied twice");
    }
  axes->n++;
  const char *values = equals + 1 + strspn(equals + 1, " \n");
  return *values == '[' ? read_list(axis, given, values, diagnostics) : read_range(axis, given, values, diagnostics);
}

/* Computes the number of runs. Returns an exit code after reporting that there are too many. */
static int count_runs(Axes *axes, Diagnostics *diagnostics) {
  double runs = 1;
  for (int k = 0; k < axes->n; k++) {
    if (axes->zip && axes->axes[k].count != axes->axes[0].count)
      return diagnostics_error(diagnostics, EXIT_USAGE, "--zip: %ld values of %s, but %ld of %s (expected as many)",
                               axes->axes[k].count, axes->axes[k].key, axes->axes[0].count, axes->axes[0].key);
    runs = axes->zip ? (double)axes->axes[0].count : runs * (double)axes->axes[k].count;
  }
  if (runs > SWEEP_RUNS_MAX)
    return diagnostics_error(diagnostics, EXIT_USAGE, "%.0f runs (expected at most %d)", runs, SWEEP_RUNS_MAX);
  axes->runs = (long)runs;
  return 0;
}

int axes_read(Axes *axes, char *const *varies, int n, bool zip, Diagnostics *diagnostics) {
  *axes = (Axes){.zip = zip};
  if (n == 0)
    return diagnostics_error(diagnostics, EXIT_USAGE,
                             "nothing varies (expected --vary KEY=[a, b, c], or more of them)");
  if (n > SWEEP_AXES_MAX)
    return diagnostics_error(diagnostics, EXIT_USAGE, "%d times --vary (expected at most %d)", n, SWEEP_AXES_MAX);
  int code = 0;
  for (int k = 0; k < n; k++) {
    int one = read_axis(axes, varies[k], diagnostics);
    if (one > code) code = one;
  }
  return code ? code : count_runs(axes, diagnostics);
}

void axes_clear(Axes *axes) {
  for (int k = 0; k < axes->n; k++) {
    Axis *axis = &axes->axes[k];
    for (long i = 0; i < axis->count; i++) free(axis->settings[i]);
    free(axis->settings);
    free(axis->key);
  }
  *axes = (Axes){0};
}

void axes_index(const Axes *axes, long run, long *index) {
  for (int k = axes->n - 1; k >= 0; k--) {
    index[k] = axes->zip ? run : run % axes->axes[k].count;
    run = axes->zip ? run : run / axes->axes[k].count;
  }
}

const char *axes_value(const Axis *axis, long index) { return axis->settings[index] + strlen(axis->key) + 1; }
