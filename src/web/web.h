/* The web page of a spool: a separate process, which reads the spool and writes files into incoming/. */
#ifndef SRC_WEB_H
#define SRC_WEB_H

#include "src/base/diagnostics.h"

#include <stdbool.h>

typedef struct WebOptions {
  const char *spool;
  const char *listen;     /* ADDRESS:PORT */
  const char *host;       /* another name under which it is reached; NULL: none */
  const char *token_file; /* NULL: none, allowed only on the loopback address */
  bool read_only;         /* submitting and cancelling are disabled */
  bool quiet;             /* does not print its address */
} WebOptions;

/* Serves until a signal to stop (stop_signal.h). Returns 0; EXIT_USAGE or EXIT_INTERNAL after reporting why it cannot
 * start. */
int web_run(const WebOptions *options, Diagnostics *diagnostics);

#endif
