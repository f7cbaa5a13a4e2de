/* SPDX-License-Identifier: BSD-2-Clause */
/* Estimates the cost of a problem before its first step. The estimates use constant speeds, so that a file that is
 * refused because of its time is refused on every machine. The time of the steps themselves is not limited here: it is
 * shown, and steps can be interrupted. */
#ifndef SRC_WORK_H
#define SRC_WORK_H

#include "src/base/progress.h"

#include <stdbool.h>

typedef struct Reader Reader; /* defined in src/file/values/reader.h */
typedef struct Node Node;     /* defined in src/file/text/document.h */

typedef struct Work {
  double seconds, bytes;           /* estimated cost so far: time in s, memory in bytes */
  double most_seconds, most_bytes; /* limits of this time in s and memory in bytes; INFINITY: no limit (see
                                    * work_most_bytes) */
  double held;                     /* memory, in bytes, in use before reading began */
  bool looked;                     /* whether the free memory of this machine has been read and is included in
                                    * most_bytes */
  bool refused;                    /* whether an error was reported; then no further expensive work is started */
  Progress progress;
} Work;

/* Begins to count the cost. Must be called after the document was read, since its tree already uses memory. */
void work_begin(Reader *reader);

/* Returns the memory in bytes that may be used. It is limited by the user and, for large requests, by the free memory
 * of the machine. bytes: size of the request. */
double work_most_bytes(Work *work, double bytes);

/* Returns whether additional work with this estimated time and memory is allowed; reports an error at the path if not.
 * what: description of the work for the message, e.g. "the force at 1000 times". */
bool work_allowed(Reader *reader, const char *path, const char *what, double seconds, double bytes);
/* Returns whether parsing this expression is allowed; reports an error if not. */
bool work_allows_expression(Reader *reader, const Node *node, const char *text);

/* Updates the progress line. It shows that a fraction `part` (0 to 1) of the work for a key is done. */
void work_show(Reader *reader, const char *key, double part);

#endif
