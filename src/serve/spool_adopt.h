/* SPDX-License-Identifier: BSD-2-Clause */
/* Copies the files of a claimed job to files that belong to the service, since the submitter may still have the
 * submitted files open for writing. Each file is read once; afterwards only the copy is checked and parsed.
 *
 *   running/NAME/problem.yaml     a problem file; the copy replaces it
 *   running/NAME/.package/        a packed job; its files are copied to running/NAME
 *   running/NAME/.taken/          the package after copying; then it is removed
 *   running/NAME/submitted.json   its submitter (spool_folders.h)
 *
 * Only those files of a package are copied that belong to the owner of the package. If the service has no permission to
 * remove files from .taken, this folder remains. */
#ifndef SRC_SERVE_SPOOL_ADOPT_H
#define SRC_SERVE_SPOOL_ADOPT_H

#include "src/serve/spool.h"

#define SPOOL_PACKAGE ".package"

typedef struct Submitter {
  uid_t user;
  gid_t group;
  time_t at; /* time at which the claimed file was last modified */
} Submitter;

/* Copies the files of running/NAME. Returns 0, or an exit code after reporting which file cannot be read and why. May
 * be called again after an interruption; it then copies the files that were copied already. */
int spool_adopt(const Spool *spool, const char *name, Diagnostics *diagnostics);

/* Writes running/NAME/submitted.json. Must be called before any file is copied, as copies do not belong to the
 * submitter. file: name of the file or folder in incoming/; NULL: unknown. Returns 0, or an exit code after reporting
 * an error. */
int spool_note_submitter(const Spool *spool, const char *name, const char *file, Diagnostics *diagnostics);

/* Adds the exit code of a failed job to submitted.json. It is needed if the command died or never ran. */
void spool_note_exit(const Spool *spool, const char *name, int code);

/* Finds the submitter of a job from the owner of its files, in running/ or another folder. Returns false if it is
 * unknown. */
bool spool_submitter(const Spool *spool, SpoolFolder folder, const char *name, Submitter *submitter);

#endif
