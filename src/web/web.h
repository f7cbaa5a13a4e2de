/* The page of a spool: a process of its own, which reads the spool and puts files into incoming/. */
#ifndef SRC_WEB_H
#define SRC_WEB_H

#include "src/base/diagnostics.h"

#include <stdbool.h>

typedef struct WebWishes {
  const char *spool;
  const char *listen;     /* ADDRESS:PORT */
  const char *host;       /* another name by which it is reached; NULL: none */
  const char *token_file; /* NULL: none, on the loopback address alone */
  bool read_only;         /* nothing is submitted, nothing cancelled */
  bool quiet;             /* where it listens is not told */
} WebWishes;

/* Serves until a signal to stop (stop_signal.h). Returns 0, EXIT_USAGE or EXIT_INTERNAL after telling why it cannot begin. */
int web_run(const WebWishes *wishes, Diagnostics *diagnostics);

#endif
