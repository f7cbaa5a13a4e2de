#include "src/base/diagnostics.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 512 };

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
  *diagnostics = (Diagnostics){0};
}

void diagnostics_add(Diagnostics *diagnostics, const Place *place, const char *key, const char *format, ...) {
  char text[TEXT_MAX];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);

  if (diagnostics->count == DIAGNOSTICS_MAX) {
    diagnostics->dropped++;
    return;
  }
  if (diagnostics->count == diagnostics->capacity) {
    size_t capacity = diagnostics->capacity ? 2 * diagnostics->capacity : 16;
    Diagnostic *list = realloc(diagnostics->list, capacity * sizeof *list);
    if (!list) {
      diagnostics->no_memory = true;
      return;
    }
    diagnostics->list = list;
    diagnostics->capacity = capacity;
  }
  Diagnostic diagnostic = {.place = *place, .number = diagnostics->count};
  diagnostic.place.name = strdup(place->name);
  diagnostic.key = strdup(key);
  diagnostic.text = strdup(text);
  if (diagnostic.place.name && diagnostic.key && diagnostic.text) {
    diagnostics->list[diagnostics->count++] = diagnostic;
  } else {
    diagnostics->no_memory = true;
    diagnostic_clear(&diagnostic);
  }
}

/* "model.mass" is part of "model.mass.0" and of itself, not of "model.masses". */
static bool is_part(const char *part, const char *key) {
  size_t length = strlen(part);
  return strncmp(part, key, length) == 0 && (key[length] == '\0' || key[length] == '.');
}

bool diagnostics_concern(const Diagnostics *diagnostics, size_t count, const char *key) {
  for (size_t i = 0; i < count && i < diagnostics->count; i++)
    if (is_part(diagnostics->list[i].key, key) || is_part(key, diagnostics->list[i].key)) return true;
  return false;
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

/* Terminals obey control characters, also those of Latin 1 (U+0080 to U+009F, in UTF-8 C2 80 to C2 9F). */
static void print_escaped(const char *text, FILE *stream) {
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if (*c < 0x20 || *c == 0x7f) {
      fprintf(stream, "\\x%02x", *c);
    } else if (*c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0) {
      fprintf(stream, "\\x%02x", c[1]);
      c++;
    } else {
      putc(*c, stream);
    }
  }
}

void diagnostics_print(Diagnostics *diagnostics, FILE *stream) {
  if (diagnostics->count) qsort(diagnostics->list, diagnostics->count, sizeof *diagnostics->list, compare_diagnostics);
  for (size_t i = 0; i < diagnostics->count; i++) {
    const Diagnostic *diagnostic = &diagnostics->list[i];
    print_escaped(diagnostic->place.name, stream);
    if (diagnostic->place.line) fprintf(stream, ":%ld:%ld", diagnostic->place.line, diagnostic->place.column);
    fputs(": ", stream);
    print_escaped(diagnostic->key, stream);
    fputs(": ", stream);
    print_escaped(diagnostic->text, stream);
    putc('\n', stream);
  }
  if (diagnostics->dropped) fprintf(stream, "and %zu more mistakes\n", diagnostics->dropped);
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
