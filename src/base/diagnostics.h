/* Collects everything that is wrong with a problem file and tells it in one go, sorted by position:
 *
 *     FILE:LINE:COL: KEY: what is wrong (what was expected)
 *
 * Text that comes from users may be passed on as it is: it is never a format, and control characters in it
 * are printed escaped. Out of memory is remembered here too, so that readers need not pass it up by hand. */
#ifndef SRC_DIAGNOSTICS_H
#define SRC_DIAGNOSTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#if defined(__GNUC__)
#define LIKE_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define LIKE_PRINTF(text, first)
#endif

/* Where something stands. */
typedef struct Place {
  const char *name; /* of the file, or "--set KEY=VALUE"; borrowed */
  int rank;         /* files and settings are told in this order */
  long line;        /* from 1; 0: no line and column are told */
  long column;      /* from 1 */
} Place;

typedef struct Diagnostic {
  Place place; /* its name is owned */
  char *key;
  char *text;
  size_t number; /* in order of arrival */
} Diagnostic;

typedef struct Diagnostics {
  Diagnostic *list; /* [count] the first DIAGNOSTICS_MAX; owned */
  size_t count;
  size_t capacity;
  size_t dropped; /* those beyond DIAGNOSTICS_MAX */
  bool no_memory; /* the reading ran out of memory: what was read is incomplete */
} Diagnostics;

enum { DIAGNOSTICS_MAX = 1000, EXCERPT_SIZE = 64 };

/* Zero-initialise a Diagnostics; clear it at the end. */
void diagnostics_clear(Diagnostics *diagnostics);

/* One mistake: format and the rest make a text of at most 500 bytes. */
void diagnostics_add(Diagnostics *diagnostics, const Place *place, const char *key, const char *format, ...)
    LIKE_PRINTF(4, 5);

/* Whether one of the first `count` diagnostics concerns a key: that key, a part of it, or what it is a part
 * of. */
bool diagnostics_concern(const Diagnostics *diagnostics, size_t count, const char *key);

/* Prints all of them, sorted by rank, line, column and arrival, one a line. */
void diagnostics_print(Diagnostics *diagnostics, FILE *stream);

/* calloc that notes a failure in diagnostics->no_memory; never NULL for lack of size. */
void *diagnostics_calloc(Diagnostics *diagnostics, size_t n, size_t size);

/* How many bytes of a UTF-8 text fit into room without cutting a character. */
size_t text_cut(const char *text, size_t room);

/* The text in quotes, cut to some 50 bytes at a character's end; returns buffer. */
const char *text_excerpt(const char *text, char buffer[EXCERPT_SIZE]);

#endif
