/* SPDX-License-Identifier: BSD-2-Clause */
/* Copies the folder of a job in its present state, so that its results can be plotted or its run can be resumed. */
#ifndef SRC_SPOOL_JOB_FETCH_H
#define SRC_SPOOL_JOB_FETCH_H

#include "src/spool/spool_folders.h"

/* Copies all files of a job into an existing directory, except links, locks and partly written files. For a running
 * search, the checkpoint is copied first, so that the files to which it refers are at least as new as the checkpoint.
 * Returns 0; or EXIT_USAGE (no permission) or EXIT_INTERNAL after reporting an error. */
int job_fetch(const SpoolFolders *spool, SpoolFolder state, const char *name, const char *directory,
              Diagnostics *diagnostics);

#endif
