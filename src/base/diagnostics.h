/* SPDX-License-Identifier: BSD-2-Clause */
/* Diagnostics are errors and warnings, with their position in a file. A function adds them to a list, besides
 * returning a status. The code that prints the list creates it: main for a command, and the service for each of its
 * problems. Each diagnostic is printed in one of these forms:
 *
 *     FILE:LINE:COLUMN: KEY: what is wrong (what was expected)
 *     stiction COMMAND: what is wrong
 *
 * If the list has a function `report`, each diagnostic is passed to it at once, since a search may run for hours
 * after a warning. Otherwise diagnostics are kept, and later printed or passed on, sorted by position. No other code
 * prints errors. Text from users may be passed unchanged: it is never used as a format, and control characters in it
 * are escaped when printed. Lack of memory is recorded here, too, so readers of files need not return it. */
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

/* Exit codes of the program, on which users rely (README). Functions that report errors return the same codes. */
enum {
  EXIT_DONE = 0,     /* success; for `control`: the search met the target within the tolerance search.accept */
  EXIT_USAGE = 2,    /* invalid command line or input file, or results that may not be overwritten */
  EXIT_NOT_MET = 3,  /* the search ended without meeting the target */
  EXIT_UNSOLVED = 4, /* an evaluation or a solver failed, and repeating it would not help */
  EXIT_STOPPED = 85, /* stopped by a signal after writing a checkpoint; `stiction resume` continues the run */
  EXIT_INTERNAL = 70 /* out of memory, disk full, or a bug in the program */
};

/* Position of a value in a file or setting. */
typedef struct Place {
  const char *name; /* file name, or "--set KEY=VALUE"; borrowed */
  int rank;         /* ordinal of the file or setting, by which diagnostics are sorted before they are printed (not an
                     * MPI rank) */
  long line;        /* line number, from 1; 0: neither line nor column is printed */
  long column;      /* column number, from 1 */
} Place;

typedef struct Diagnostic {
  Place place; /* place.name is owned; if it is NULL, `origin` is printed instead */
  char *key;   /* key of the wrong value; NULL: the diagnostic has no position */
  char *text;
  bool warning;  /* true: a warning; false: an error */
  size_t number; /* counts the diagnostics in the order in which they were added */
} Diagnostic;

typedef struct Diagnostics {
  const char *origin; /* prefix of diagnostics without a position, e.g. "stiction control"; borrowed. NULL:
                       * "stiction" */
  /* receives each diagnostic at once; NULL: diagnostics are kept in `list` */
  void (*report)(void *to, const Diagnostic *diagnostic);
  void *to;         /* first argument of report */
  Diagnostic *list; /* [count] at most DIAGNOSTICS_MAX diagnostics; owned */
  size_t count;
  size_t capacity;
  size_t dropped; /* number of diagnostics that did not fit into `list` */
  size_t errors;  /* number of errors, including dropped ones, without warnings */
  bool no_memory; /* memory ran out, so the data read are incomplete */
} Diagnostics;

enum { DIAGNOSTICS_MAX = 1000, EXCERPT_SIZE = 64 };

/* Frees and removes all diagnostics; the struct is then as if initialised with zeros. */
void diagnostics_clear(Diagnostics *diagnostics);

/* Adds an error in a file. Its text is formatted as by printf and cut to 500 bytes. */
void diagnostics_add(Diagnostics *diagnostics, const Place *place, const char *key, const char *format, ...)
    LIKE_PRINTF(4, 5);

/* Adds an error without a position and returns `code`, the caller's exit code. If diagnostics is NULL, here and below,
 * the error is dropped. */
int diagnostics_error(Diagnostics *diagnostics, int code, const char *format, ...) LIKE_PRINTF(3, 4);
void diagnostics_warn(Diagnostics *diagnostics, const char *format, ...) LIKE_PRINTF(2, 3);

/* Adds the error "out of memory"; returns EXIT_INTERNAL. */
int diagnostics_no_memory(Diagnostics *diagnostics);

/* Returns whether further diagnostics would be dropped. A check of millions of values may then stop. */
bool diagnostics_full(const Diagnostics *diagnostics);

/* Returns whether one of the first `count` errors concerns this key: the key itself, a value inside it, or a section
 * that contains it. */
bool diagnostics_concern(const Diagnostics *diagnostics, size_t count, const char *key);

/* Removes the kept errors of a key that begin with `text`. */
void diagnostics_withdraw(Diagnostics *diagnostics, const char *key, const char *text);

/* Moves all kept diagnostics from one list to another, sorted by rank, line, column and order of arrival. Diagnostics
 * without a position come last. */
void diagnostics_pass(Diagnostics *from, Diagnostics *to);

/* diagnostics_print prints all kept diagnostics in the order of diagnostics_pass, one a line, and then the number of
 * dropped ones. diagnostic_print prints a single one and can serve as `report`. Only main and the service call
 * these. */
void diagnostics_print(Diagnostics *diagnostics, FILE *stream);
void diagnostic_print(void *stream, const Diagnostic *diagnostic);

/* Returns the kept diagnostics, only warnings if `warnings`, otherwise only errors, in the order of diagnostics_pass.
 * The result is a JSON list of {file, line, column, key, message}. Missing parts are null. The caller owns the
 * reference; NULL: no memory. */
json_t *diagnostics_json(Diagnostics *diagnostics, bool warnings);

/* Works as calloc, and records a failure in diagnostics->no_memory. With n or size 0 it returns a pointer, not NULL. */
void *diagnostics_calloc(Diagnostics *diagnostics, size_t n, size_t size);

/* Returns how many bytes of a UTF-8 text fit into `room` bytes if no character may be split. */
size_t text_cut(const char *text, size_t room);

/* Returns whether a text contains control characters, which a terminal would execute. */
bool text_has_control(const char *text);

/* Returns whether a text ends with `end` and is longer than it. */
bool text_ends_with(const char *text, const char *end);

/* Prints a text with control characters escaped. If `lines`, line ends are printed unchanged. */
void text_print(const char *text, bool lines, FILE *stream);

/* Writes the text in quotes into buffer, cut to about 50 bytes without splitting a character. Returns buffer. */
const char *text_excerpt(const char *text, char buffer[EXCERPT_SIZE]);

#endif
