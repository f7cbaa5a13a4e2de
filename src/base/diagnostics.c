/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/base/diagnostics.h"

#include "src/base/json_values.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 512, MESSAGE_MAX = 9000 }; /* bytes; MESSAGE_MAX is so large because a message may name two paths */

void *diagnostics_calloc(Diagnostics *diagnostics, size_t n, size_t size) {
  void *memory = calloc(n ? n : 1, size);
  if (!memory) diagnostics->no_memory = true;
  return memory;
}

static void diagnostic_clear(Diagnostic *diagnostic) {
  free((char *)diagnostic->place.name);
  free(diagnostic->key);
  free(diagnostic->text);
}

void diagnostics_clear(Diagnostics *diagnostics) {
  for (size_t i = 0; i < diagnostics->count; i++) diagnostic_clear(&diagnostics->list[i]);
  free(diagnostics->list);
  *diagnostics = (Diagnostics){.origin = diagnostics->origin, .report = diagnostics->report, .to = diagnostics->to};
}

/* Printing diagnostics --------------------------------------------------------------------------------------------- */

/* Control characters, which a terminal would execute, are the bytes below 0x20, the byte 0x7f, and U+0080 to U+009F of
 * Latin 1. In UTF-8 the latter are the bytes C2 80 to C2 9F. */
/* Returns the number of bytes of the control character at c in a UTF-8 text, or 0 if c is another character. */
static int control_size(const unsigned char *c) {
  if (*c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0) return 2;
  return *c < 0x20 || *c == 0x7f ? 1 : 0;
}

bool text_has_control(const char *text) {
  const unsigned char *c = (const unsigned char *)text;
  while (*c && !control_size(c)) c++;
  return *c;
}

bool text_ends_with(const char *text, const char *end) {
  size_t length = strlen(text), n = strlen(end);
  return length > n && strcmp(text + length - n, end) == 0;
}

void text_print(const char *text, bool lines, FILE *stream) {
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    int size = lines && *c == '\n' ? 0 : control_size(c);
    if (!size) {
      putc(*c, stream);
      continue;
    }
    c += size - 1;
    fprintf(stream, "\\x%02x", *c);
  }
}

void diagnostic_print(void *to, const Diagnostic *diagnostic) {
  FILE *stream = to;
  fflush(stdout); /* print the command's output so far before the message */
  text_print(diagnostic->place.name, false, stream);
  if (diagnostic->place.line) fprintf(stream, ":%ld:%ld", diagnostic->place.line, diagnostic->place.column);
  fputs(diagnostic->warning ? ": warning: " : ": ", stream);
  if (diagnostic->key) {
    text_print(diagnostic->key, false, stream);
    fputs(": ", stream);
  }
  text_print(diagnostic->text, !diagnostic->key, stream);
  putc('\n', stream);
  fflush(stream);
}

static int compare_long(long a, long b) { return (a > b) - (a < b); }

static int compare_diagnostics(const void *left, const void *right) {
  const Diagnostic *a = left, *b = right;
  int order = compare_long(a->place.rank, b->place.rank);
  if (!order) order = strcmp(a->place.name, b->place.name);
  if (!order) order = compare_long(a->place.line, b->place.line);
  if (!order) order = compare_long(a->place.column, b->place.column);
  if (!order) order = a->number < b->number ? -1 : a->number > b->number;
  return order;
}

static void sort(Diagnostics *diagnostics) {
  if (diagnostics->count) qsort(diagnostics->list, diagnostics->count, sizeof *diagnostics->list, compare_diagnostics);
}

void diagnostics_print(Diagnostics *diagnostics, FILE *stream) {
  sort(diagnostics);
  for (size_t i = 0; i < diagnostics->count; i++) diagnostic_print(stream, &diagnostics->list[i]);
  if (diagnostics->dropped) fprintf(stream, "and %zu more mistakes\n", diagnostics->dropped);
}

static json_t *diagnostic_json(const Diagnostic *d) {
  bool somewhere = d->key != NULL;
  json_t *line = d->place.line ? json_integer(d->place.line) : json_null(),
         *column = d->place.line ? json_integer(d->place.column) : json_null();
  return json_pack("{s:o, s:o, s:o, s:o, s:o}", "file", somewhere ? json_text(d->place.name) : json_null(), "line",
                   line, "column", column, "key", json_text(d->key), "message", json_text(d->text));
}

json_t *diagnostics_json(Diagnostics *diagnostics, bool warnings) {
  json_t *list = json_array();
  bool good = list != NULL;
  sort(diagnostics);
  for (size_t i = 0; i < diagnostics->count && good; i++)
    if (diagnostics->list[i].warning == warnings)
      good = json_array_append_new(list, diagnostic_json(&diagnostics->list[i])) == 0;
  return json_if(good, list);
}

/* Adding diagnostics to a list ------------------------------------------------------------------------------------- */

static bool reserve(Diagnostics *diagnostics) {
  if (diagnostics->count < diagnostics->capacity) return true;
  size_t capacity = diagnostics->capacity ? 2 * diagnostics->capacity : 16;
  Diagnostic *list = realloc(diagnostics->list, capacity * sizeof *list);
  if (!list) return false;
  diagnostics->list = list;
  diagnostics->capacity = capacity;
  return true;
}

/* Appends a copy of `given` to the list. If the list is full, counts it as dropped. */
static void keep(Diagnostics *diagnostics, const Diagnostic *given) {
  if (diagnostics->count == DIAGNOSTICS_MAX) {
    diagnostics->dropped++;
    return;
  }
  Diagnostic own = *given;
  own.number = diagnostics->count;
  own.place.name = strdup(given->place.name);
  own.key = given->key ? strdup(given->key) : NULL;
  own.text = strdup(given->text);
  if (own.place.name && own.text && (own.key || !given->key) && reserve(diagnostics)) {
    diagnostics->list[diagnostics->count++] = own;
  } else {
    diagnostics->no_memory = true;
    diagnostic_clear(&own);
  }
}

static void take(Diagnostics *diagnostics, const Diagnostic *given) {
  diagnostics->errors += !given->warning;
  if (diagnostics->report)
    diagnostics->report(diagnostics->to, given);
  else
    keep(diagnostics, given);
}

void diagnostics_add(Diagnostics *diagnostics, const Place *place, const char *key, const char *format, ...) {
  char text[TEXT_MAX];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  /* the cast is safe, since the key is only read */
  take(diagnostics, &(Diagnostic){.place = *place, .key = (char *)key, .text = text});
}

static void add_message(Diagnostics *diagnostics, bool warning, const char *format, va_list arguments) {
  char text[MESSAGE_MAX];
  if (!diagnostics) return;
  vsnprintf(text, sizeof text, format, arguments);
  const Place nowhere = {.name = diagnostics->origin ? diagnostics->origin : "stiction", .rank = INT_MAX};
  take(diagnostics, &(Diagnostic){.place = nowhere, .text = text, .warning = warning});
}

int diagnostics_error(Diagnostics *diagnostics, int code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add_message(diagnostics, false, format, arguments);
  va_end(arguments);
  return code;
}

void diagnostics_warn(Diagnostics *diagnostics, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add_message(diagnostics, true, format, arguments);
  va_end(arguments);
}

int diagnostics_no_memory(Diagnostics *diagnostics) {
  return diagnostics_error(diagnostics, EXIT_INTERNAL, "out of memory");
}

void diagnostics_pass(Diagnostics *from, Diagnostics *to) {
  sort(from);
  for (size_t i = 0; to && i < from->count; i++) take(to, &from->list[i]);
  if (to) to->dropped += from->dropped;
  diagnostics_clear(from);
}

/* Functions that examine a list of diagnostics --------------------------------------------------------------------- */

/* Returns whether `part` is `key` or a value inside it. The key "model.mass" has the parts "model.mass" and
 * "model.mass[1]", but not "model.masses". */
static bool is_part(const char *part, const char *key) {
  size_t length = strlen(part);
  return strncmp(part, key, length) == 0 && (key[length] == '\0' || key[length] == '.' || key[length] == '[');
}

bool diagnostics_full(const Diagnostics *diagnostics) {
  return !diagnostics->report && diagnostics->count == DIAGNOSTICS_MAX;
}

bool diagnostics_concern(const Diagnostics *diagnostics, size_t count, const char *key) {
  for (size_t i = 0; i < count && i < diagnostics->count; i++) {
    const Diagnostic *one = &diagnostics->list[i];
    if (one->key && !one->warning && (is_part(one->key, key) || is_part(key, one->key))) return true;
  }
  return false;
}

void diagnostics_withdraw(Diagnostics *diagnostics, const char *key, const char *text) {
  size_t kept = 0;
  for (size_t i = 0; i < diagnostics->count; i++) {
    Diagnostic *one = &diagnostics->list[i];
    bool goes = !one->warning && one->key && strcmp(one->key, key) == 0 && strncmp(one->text, text, strlen(text)) == 0;
    if (goes) {
      diagnostic_clear(one);
      diagnostics->errors--;
    } else {
      one->number = kept;
      diagnostics->list[kept++] = *one;
    }
  }
  diagnostics->count = kept;
}

size_t text_cut(const char *text, size_t room) {
  size_t length = strlen(text);
  if (length <= room) return length;
  for (length = room; length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80;) length--;
  return length;
}

const char *text_excerpt(const char *text, char buffer[EXCERPT_SIZE]) {
  size_t length = text_cut(text, EXCERPT_SIZE - sizeof "\"...\"");
  snprintf(buffer, EXCERPT_SIZE, "\"%.*s%s\"", (int)length, text, text[length] ? "..." : "");
  return buffer;
}
