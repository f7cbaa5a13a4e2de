/* Estimates the cost of a problem before its first step. Estimates use constant rates and are made before the work is
 * done, so a file that is refused for its time is always refused. The time of the later steps is shown and can be
 * interrupted. */
#ifndef SRC_WORK_H
#define SRC_WORK_H

#include "src/base/progress.h"

#include <stdbool.h>

typedef struct Reader Reader; /* src/file/values/reader.h */
typedef struct Node Node;     /* src/file/text/document.h */

typedef struct Work {
  double seconds, bytes;           /* estimated so far */
  double most_seconds, most_bytes; /* limits; INFINITY: no limit; for bytes see work_most_bytes */
  double held;                     /* bytes in use before reading began */
  bool looked;                     /* most_bytes already includes the free memory of this machine */
  bool refused;                    /* reported once; no further expensive work is started */
  Progress progress;
} Work;

/* Starts counting; called after the document is read, as its tree is the first to take memory. */
void work_begin(Reader *reader);

/* Returns the number of bytes that may be used by a request of `bytes`: the user's limit and, for more than a few, the
 * machine's free memory. */
double work_most_bytes(Work *work, double bytes);

/* Whether work with about this additional time and memory is allowed; reports an error at the path if not. what: e.g.
 * "the force at 1000 times". */
bool work_allowed(Reader *reader, const char *path, const char *what, double seconds, double bytes);
/* Whether reading this expression is allowed; reports an error if not. */
bool work_allows_expression(Reader *reader, const Node *node, const char *text);

/* Updates the progress line: `part`, 0 to 1, of a key's work is done. */
void work_show(Reader *reader, const char *key, double part);

#endif
