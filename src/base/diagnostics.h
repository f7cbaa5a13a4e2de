/* Diagnostics: what functions of the program have to say besides their status, errors and warnings, passed down to them
 * by who prints: main, for a command, and the service, for each of its problems.
 *
 *     FILE:LINE:COLUMN: KEY: what is wrong (what was expected)
 *     stiction COMMAND: what is wrong
 *
 * Who hears them at once gives a function (a search may run for hours after a warning); without one they are kept, to be
 * printed or passed on sorted by position. Nobody else prints.
 * Text that comes from users may be passed on as it is: it is never a format, and control characters in it are printed
 * escaped. Out of memory is remembered here too, so that readers need not pass it up by hand. */
#ifndef SRC_BASE_DIAGNOSTICS_H
#define SRC_BASE_DIAGNOSTICS_H

#include <jansson.h>
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
  int rank;         /* files and settings are printed in this order */
  long line;        /* from 1; 0: no line and column are told */
  long column;      /* from 1 */
} Place;

typedef struct Diagnostic {
  Place place; /* its name is owned; of what stands nowhere: the origin */
  char *key;   /* NULL: of what stands nowhere */
  char *text;
  bool warning;  /* no error */
  size_t number; /* in order of arrival */
} Diagnostic;

typedef struct Diagnostics {
  const char *origin; /* what those begin with that stand nowhere, "stiction control"; borrowed, NULL: "stiction" */
  void (*tell)(void *to, const Diagnostic *diagnostic); /* hears each as it comes; NULL: they are kept */
  void *to;                                             /* its context */
  Diagnostic *list;                                     /* [count] the first DIAGNOSTICS_MAX that are kept; owned */
  size_t count;
  size_t capacity;
  size_t dropped; /* those beyond DIAGNOSTICS_MAX */
  size_t errors;  /* all that came, warnings not counted */
  bool no_memory; /* the reading ran out of memory: what was read is incomplete */
} Diagnostics;

enum { DIAGNOSTICS_MAX = 1000, EXCERPT_SIZE = 64 };

/* Clear it at the end, as one that was zero-initialised. */
void diagnostics_clear(Diagnostics *diagnostics);

/* An error in a file: format and the rest make a text of at most 500 bytes. */
void diagnostics_add(Diagnostics *diagnostics, const Place *place, const char *key, const char *format, ...)
    LIKE_PRINTF(4, 5);

/* An error that stands nowhere; returns `code`, the caller's exit code. diagnostics: NULL to drop it, as below. */
int diagnostics_error(Diagnostics *diagnostics, int code, const char *format, ...) LIKE_PRINTF(3, 4);
void diagnostics_warn(Diagnostics *diagnostics, const char *format, ...) LIKE_PRINTF(2, 3);

/* The error "out of memory"; returns EXIT_INTERNAL. */
int diagnostics_no_memory(Diagnostics *diagnostics);

/* Whether no more of those that are kept will be told: who looks for mistakes by the million may leave off. */
bool diagnostics_full(const Diagnostics *diagnostics);

/* Whether one of the first `count` errors concerns a key: that key, a part of it, or what it is a part of. */
bool diagnostics_concern(const Diagnostics *diagnostics, size_t count, const char *key);

/* Moves all that are kept to another, sorted by rank, line, column and arrival; what stands nowhere comes last. */
void diagnostics_pass(Diagnostics *from, Diagnostics *to);

/* Main and the service print: all that are kept, likewise, one a line, and how many were dropped; and one, as a `tell`. */
void diagnostics_print(Diagnostics *diagnostics, FILE *stream);
void diagnostic_print(void *stream, const Diagnostic *diagnostic);

/* Those of the kept that are warnings, or errors, in that order, as a JSON list of {file, line, column, key, message}; null for what one
 * has not. A new reference; NULL: no memory. */
json_t *diagnostics_json(Diagnostics *diagnostics, bool warnings);

/* calloc that notes a failure in diagnostics->no_memory; never NULL for lack of size. */
void *diagnostics_calloc(Diagnostics *diagnostics, size_t n, size_t size);

/* How many bytes of a UTF-8 text fit into room without cutting a character. */
size_t text_cut(const char *text, size_t room);

/* Whether there are control characters in a text, which a terminal would obey. */
bool text_has_control(const char *text);

/* Whether a text ends so, with something before it. */
bool text_ends_with(const char *text, const char *end);

/* Prints a text with its control characters escaped; lines: but for line ends. */
void text_print(const char *text, bool lines, FILE *stream);

/* The text in quotes, cut to some 50 bytes at a character's end; returns buffer. */
const char *text_excerpt(const char *text, char buffer[EXCERPT_SIZE]);

#endif
