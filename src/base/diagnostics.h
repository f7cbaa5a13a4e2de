/* Diagnostics: errors and warnings of functions, in addition to their status. The code that prints them passes a
 * Diagnostics down: main, for a command, and the service, for each of its problems.
 *
 *     FILE:LINE:COLUMN: KEY: what is wrong (what was expected)
 *     stiction COMMAND: what is wrong
 *
 * With a function `report` they are passed on at once, since a search may run for hours after a warning. Without one
 * they are kept, to be printed or passed on sorted by position. No other code prints. Text from users may be passed on
 * unchanged: it is never a format, and control characters in it are printed escaped. Lack of memory is noted here, too,
 * so readers need not pass it up. */
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

/* Exit codes of the program, on which users rely (README). Functions that report errors return them, too. */
enum {
  EXIT_DONE = 0,     /* done; for control: target met to search.accept */
  EXIT_USAGE = 2,    /* bad usage, problem file or directory; no gnuplot */
  EXIT_NOT_MET = 3,  /* the search ended without meeting the target */
  EXIT_UNSOLVED = 4, /* an evaluation or a solver failed for good */
  EXIT_STOPPED = 85, /* stopped on a signal, after a checkpoint: `stiction resume` goes on */
  EXIT_INTERNAL = 70 /* out of memory, disk full, or a bug in the program */
};

/* Position of a value in a file or setting. */
typedef struct Place {
  const char *name; /* name of the file, or "--set KEY=VALUE"; borrowed */
  int rank;         /* files and settings are printed in this order */
  long line;        /* from 1; 0: no line and column are printed */
  long column;      /* from 1 */
} Place;

typedef struct Diagnostic {
  Place place; /* its name is owned; without a position: the origin */
  char *key;   /* NULL: without a position */
  char *text;
  bool warning;  /* false: an error */
  size_t number; /* in order of arrival */
} Diagnostic;

typedef struct Diagnostics {
  const char *origin; /* prefix of diagnostics without a position, "stiction control"; borrowed, NULL: "stiction" */
  void (*report)(void *to, const Diagnostic *diagnostic); /* receives each diagnostic at once; NULL: they are kept */
  void *to;                                               /* argument of report */
  Diagnostic *list;                                       /* [count] the first DIAGNOSTICS_MAX kept; owned */
  size_t count;
  size_t capacity;
  size_t dropped; /* number of those beyond DIAGNOSTICS_MAX */
  size_t errors;  /* number of all errors, without warnings */
  bool no_memory; /* memory was missing: the data read are incomplete */
} Diagnostics;

enum { DIAGNOSTICS_MAX = 1000, EXCERPT_SIZE = 64 };

/* Clears diagnostics; they then are as if initialised with zeros. */
void diagnostics_clear(Diagnostics *diagnostics);

/* Adds an error in a file. The text, from format and the rest, has at most 500 bytes. */
void diagnostics_add(Diagnostics *diagnostics, const Place *place, const char *key, const char *format, ...)
    LIKE_PRINTF(4, 5);

/* Adds an error without a position; returns `code`, the caller's exit code. diagnostics: NULL to ignore it, as
 * below. */
int diagnostics_error(Diagnostics *diagnostics, int code, const char *format, ...) LIKE_PRINTF(3, 4);
void diagnostics_warn(Diagnostics *diagnostics, const char *format, ...) LIKE_PRINTF(2, 3);

/* Adds the error "out of memory"; returns EXIT_INTERNAL. */
int diagnostics_no_memory(Diagnostics *diagnostics);

/* Whether further diagnostics will not be kept. A search for errors in millions of values may stop then. */
bool diagnostics_full(const Diagnostics *diagnostics);

/* Whether one of the first `count` errors concerns a key: the key, a part of it, or a section that contains it. */
bool diagnostics_concern(const Diagnostics *diagnostics, size_t count, const char *key);

/* Moves all kept diagnostics to another, sorted by rank, line, column and arrival; those without a position come
 * last. */
void diagnostics_pass(Diagnostics *from, Diagnostics *to);

/* diagnostics_print prints all kept diagnostics in that order, one on each line, and the number of dropped ones.
 * diagnostic_print prints one and can serve as `report`. Only main and the service call these. */
void diagnostics_print(Diagnostics *diagnostics, FILE *stream);
void diagnostic_print(void *stream, const Diagnostic *diagnostic);

/* Returns the kept warnings, or errors, in that order as a JSON list of {file, line, column, key, message}, with null
 * for missing parts. A new reference; NULL: no memory. */
json_t *diagnostics_json(Diagnostics *diagnostics, bool warnings);

/* calloc that notes a failure in diagnostics->no_memory; never NULL for lack of size. */
void *diagnostics_calloc(Diagnostics *diagnostics, size_t n, size_t size);

/* Number of bytes of a UTF-8 text that fit into room without splitting a character. */
size_t text_cut(const char *text, size_t room);

/* Whether there are control characters in a text, which a terminal would obey. */
bool text_has_control(const char *text);

/* Whether a text ends with `end` and has more before it. */
bool text_ends_with(const char *text, const char *end);

/* Prints a text with control characters escaped; lines: except line ends. */
void text_print(const char *text, bool lines, FILE *stream);

/* The text in quotes, cut to some 50 bytes at a character's end; returns buffer. */
const char *text_excerpt(const char *text, char buffer[EXCERPT_SIZE]);

#endif
