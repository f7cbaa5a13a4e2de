/* SPDX-License-Identifier: BSD-2-Clause */
/* The web page of a spool. It is a separate process that reads the spool and writes files into incoming/. */
#ifndef SRC_WEB_H
#define SRC_WEB_H

#include "src/base/diagnostics.h"

#include <stdbool.h>

typedef struct WebOptions {
  const char *spool;
  const char *listen;     /* ADDRESS:PORT */
  const char *host;       /* another name by which clients reach the page; NULL: none */
  const char *token_file; /* file with the token; NULL: none, which is allowed only on the loopback address */
  bool read_only;         /* clients can neither submit nor cancel jobs */
  bool quiet;             /* do not print the address of the page */
} WebOptions;

/* Serves the page until a signal to stop (stop_signal.h). Returns 0; or EXIT_USAGE or EXIT_INTERNAL after reporting why
 * it cannot start. */
int web_run(const WebOptions *options, Diagnostics *diagnostics);

#endif
