/* Copies a job's folder in its current state, for plotting or resuming. */
#ifndef SRC_SPOOL_JOB_FETCH_H
#define SRC_SPOOL_JOB_FETCH_H

#include "src/spool/spool_folders.h"

/* Copies all files of a job into an existing directory, without links, locks, and partially written files. For a
 * running search the checkpoint is copied first, so that files to which it refers are at least as new. Returns 0;
 * EXIT_USAGE (no permission) or EXIT_INTERNAL after reporting an error. */
int job_fetch(const SpoolFolders *spool, SpoolFolder state, const char *name, const char *directory,
              Diagnostics *diagnostics);

#endif
