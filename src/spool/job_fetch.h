/* Copies a job's folder, as far as it has come, for who will plot it, or go on with it. */
#ifndef SRC_SPOOL_JOB_FETCH_H
#define SRC_SPOOL_JOB_FETCH_H

#include "src/spool/spool_folders.h"

/* Copies all files of a job into a directory that is there: no links, no lock, nothing that is half written. Of a search that runs the
 * checkpoint comes first: what it refers to in other files is in these by then. Returns 0; EXIT_USAGE (it may not be looked into) or
 * EXIT_INTERNAL after telling. */
int job_fetch(const SpoolFolders *spool, SpoolFolder state, const char *name, const char *directory,
              Diagnostics *diagnostics);

#endif
