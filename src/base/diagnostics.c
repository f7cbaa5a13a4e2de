#include "src/base/diagnostics.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 512 };

void *complaints_calloc(Complaints *complaints, size_t n, size_t size) {
  void *memory = calloc(n ? n : 1, size);
  if (!memory) complaints->no_memory = true;
  return memory;
}

static void complaint_clear(Complaint *complaint) {
  free((char *)complaint->place.name);
  free(complaint->key);
  free(complaint->text);
}

void complaints_clear(Complaints *complaints) {
  for (size_t i = 0; i < complaints->count; i++) complaint_clear(&complaints->list[i]);
  free(complaints->list);
  *complaints = (Complaints){0};
}

void complaints_add(Complaints *complaints, const Place *place, const char *key, const char *format, ...) {
  char text[TEXT_MAX];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);

  if (complaints->count == COMPLAINTS_MAX) {
    complaints->dropped++;
    return;
  }
  if (complaints->count == complaints->capacity) {
    size_t capacity = complaints->capacity ? 2 * complaints->capacity : 16;
    Complaint *list = realloc(complaints->list, capacity * sizeof *list);
    if (!list) {
      complaints->no_memory = true;
      return;
    }
    complaints->list = list;
    complaints->capacity = capacity;
  }
  Complaint complaint = {.place = *place, .number = complaints->count};
  complaint.place.name = strdup(place->name);
  complaint.key = strdup(key);
  complaint.text = strdup(text);
  if (complaint.place.name && complaint.key && complaint.text) {
    complaints->list[complaints->count++] = complaint;
  } else {
    complaints->no_memory = true;
    complaint_clear(&complaint);
  }
}

/* "model.mass" is part of "model.mass.0" and of itself, not of "model.masses". */
static bool is_part(const char *part, const char *key) {
  size_t length = strlen(part);
  return strncmp(part, key, length) == 0 && (key[length] == '\0' || key[length] == '.');
}

bool complaints_concern(const Complaints *complaints, size_t count, const char *key) {
  for (size_t i = 0; i < count && i < complaints->count; i++)
    if (is_part(complaints->list[i].key, key) || is_part(key, complaints->list[i].key)) return true;
  return false;
}

static int compare_long(long a, long b) { return (a > b) - (a < b); }

static int compare_complaints(const void *left, const void *right) {
  const Complaint *a = left, *b = right;
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

void complaints_print(Complaints *complaints, FILE *stream) {
  if (complaints->count) qsort(complaints->list, complaints->count, sizeof *complaints->list, compare_complaints);
  for (size_t i = 0; i < complaints->count; i++) {
    const Complaint *complaint = &complaints->list[i];
    print_escaped(complaint->place.name, stream);
    if (complaint->place.line) fprintf(stream, ":%ld:%ld", complaint->place.line, complaint->place.column);
    fputs(": ", stream);
    print_escaped(complaint->key, stream);
    fputs(": ", stream);
    print_escaped(complaint->text, stream);
    putc('\n', stream);
  }
  if (complaints->dropped) fprintf(stream, "and %zu more mistakes\n", complaints->dropped);
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
