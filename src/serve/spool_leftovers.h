/* SPDX-License-Identifier: BSD-2-Clause */
/* Removes files from incoming/ that a killed `stiction submit` or a killed web page has left there. They are named
 * .NAME.PID-K, and are files, or folders with the files of a job. */
#ifndef SRC_SERVE_SPOOL_LEFTOVERS_H
#define SRC_SERVE_SPOOL_LEFTOVERS_H

#include "src/serve/spool.h"

/* Removes entries with names .NAME.PID-K, if they contain only files of a job and were last written more than a day ago
 * by the clock of the file system. Reports their number. Keeps all other entries, and those that the service has no
 * permission to remove. */
void spool_leftovers_clear(const Spool *spool);

#endif
