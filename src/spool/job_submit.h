/* Puts jobs into a spool: written under a hidden name in incoming/, then renamed, so that the service sees each whole or not at all.
 *
 *     incoming/NAME.yaml   a problem file that says all itself: its command is in its first line, nothing else is wanted of it
 *     incoming/NAME/       else: problem.yaml, job.json, and the files that it names
 *
 * Whether it is a problem is not looked at here: `stiction submit` does, and the page, first. */
#ifndef SRC_SPOOL_JOB_SUBMIT_H
#define SRC_SPOOL_JOB_SUBMIT_H

#include "src/spool/job_file.h"
#include "src/spool/spool_folders.h"

/* A job that is written, but not in yet. */
typedef struct JobPacked {
  char name[SPOOL_NAME_MAX];        /* that it is to have */
  bool exact;                       /* this name or none; else -2, -3, .. where it is taken */
  bool folder;                      /* packed; else a file */
  char hidden[SPOOL_NAME_MAX + 64]; /* in incoming/; "": it is gone, or in */
} JobPacked;

/* Writes a job. path: of the problem file; job: what is wanted of it, to which settings for its files are added; name: NULL: the file's.
 * Returns 0; EXIT_USAGE or EXIT_INTERNAL (the disk is full) after telling, with nothing left behind. */
int job_submit_pack(const SpoolFolders *spool, const char *path, JobFile *job, const char *name,
                    Diagnostics *diagnostics, JobPacked *packed);

/* Puts it in. name: the one that it has got. Returns likewise. */
int job_submit_put(const SpoolFolders *spool, JobPacked *packed, char name[SPOOL_NAME_MAX], Diagnostics *diagnostics);

/* Takes away what is not in. */
void job_submit_drop(const SpoolFolders *spool, JobPacked *packed);

#endif
