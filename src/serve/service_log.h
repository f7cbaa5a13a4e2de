/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the log of a service on standard output, with one line for each event of a job:
 *
 *   2026-11-23T13:50:01Z tp1: done: target met (tolerance), J 468.067, E1 8.9e-07, 12.3 s */
#ifndef SRC_SERVE_SERVICE_LOG_H
#define SRC_SERVE_SERVICE_LOG_H

#include "src/base/diagnostics.h"
#include "src/serve/spool.h"

/* Prints a line about the job `name`. */
void service_log(const char *name, const char *format, ...) LIKE_PRINTF(2, 3);

/* Prints how a job ended, from its results in the folder for this outcome. word: "done", "failed" or "cancelled". */
void service_log_end(const Spool *spool, const char *name, const char *word);

#endif
