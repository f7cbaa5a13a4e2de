/* What a problem costs before its first step: counted before it is done, by constant rates, so that a file refused for its time
 * is refused always. What it costs after that is shown and can be stopped. */
#ifndef SRC_WORK_H
#define SRC_WORK_H

#include "src/base/progress.h"

#include <stdbool.h>

typedef struct Reader Reader; /* src/file/values/reader.h */
typedef struct Node Node;     /* src/file/text/document.h */

typedef struct Work {
  double seconds, bytes;           /* estimated so far */
  double most_seconds, most_bytes; /* INFINITY: any; bytes by work_most_bytes */
  double held;                     /* bytes that were there before it began */
  bool looked;                     /* most_bytes is no more than what this machine has left, too */
  bool refused;                    /* told, once: nothing that takes long begins any more */
  Progress progress;
} Work;

/* Before all else but the document, whose tree is the first that takes memory. */
void work_begin(Reader *reader);

/* How many bytes may be taken, for who wants so many: what the user allows, and, of more than a few, what the machine has left. */
double work_most_bytes(Work *work, double bytes);

/* Whether work may be done that takes about so much more; told at a path if not. what: "the force at 1000 times". */
bool work_allowed(Reader *reader, const char *path, const char *what, double seconds, double bytes);
/* Of an expression, which is to be read. */
bool work_allows_expression(Reader *reader, const Node *node, const char *text);

/* Shows that `part` of what a key takes is done, 0 to 1. */
void work_show(Reader *reader, const char *key, double part);

#endif
