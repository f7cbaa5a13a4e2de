/* SPDX-License-Identifier: BSD-2-Clause */
/* The web page of a spool. It is a process separate from the service, which reads the spool and writes files into
 * incoming/. */
#ifndef SRC_WEB_H
#define SRC_WEB_H

#include "src/base/diagnostics.h"

#include <stdbool.h>

typedef struct WebOptions {
  const char *spool;
  const char *listen;     /* ADDRESS:PORT */
  const char *host;       /* another name by which clients may address the page; NULL: none */
  const char *token_file; /* file with the token; NULL: none, which is allowed only if the page listens on a loopback
                           * address */
  bool read_only;         /* whether clients are forbidden to submit and cancel jobs */
  bool quiet;             /* whether the address of the page is not printed */
} WebOptions;

/* Serves the page until a signal to stop arrives (stop_signal.h). Returns 0; or EXIT_USAGE or EXIT_INTERNAL after
 * reporting why the page cannot start. */
int web_run(const WebOptions *options, Diagnostics *diagnostics);

#endif
