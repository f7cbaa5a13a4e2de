/* SPDX-License-Identifier: BSD-2-Clause */
/* Submits jobs to a spool. A job is written under a hidden name in incoming/ and then renamed. Thus the service sees it
 * completely or not at all.
 *
 *   incoming/NAME.yaml   a problem file that alone defines the job; its first line has the command
 *   incoming/NAME/       any other job: problem.yaml, job.json, and the files that the problem names
 *
 * The problem itself is checked before, by `stiction submit` or the web page. */
#ifndef SRC_SPOOL_JOB_SUBMIT_H
#define SRC_SPOOL_JOB_SUBMIT_H

#include "src/spool/job_file.h"
#include "src/spool/spool_folders.h"

/* A job that has been written but not yet submitted. */
typedef struct JobPacked {
  char name[SPOOL_NAME_MAX];        /* name that the job should get */
  bool exact;                       /* true: use exactly this name or fail; false: append -2, -3, .. if it exists */
  bool folder;                      /* true: the job is packed as a folder; false: it is a single file */
  char hidden[SPOOL_NAME_MAX + 64]; /* hidden name of the job in incoming/; "": the job has been removed or submitted */
} JobPacked;

/* Writes a job under a hidden name. path: path of the problem file. job: request of the job, to which settings with the
 * names of its files are added. name: requested name; NULL: it is derived from the name of the file. Returns 0; or
 * EXIT_USAGE or EXIT_INTERNAL (e.g. the disk is full) after reporting an error and removing all that was written. */
int job_submit_pack(const SpoolFolders *spool, const char *path, JobFile *job, const char *name,
                    Diagnostics *diagnostics, JobPacked *packed);

/* Submits a packed job. Sets name to the name that the job has got. Returns the same codes as job_submit_pack. */
int job_submit_put(const SpoolFolders *spool, JobPacked *packed, char name[SPOOL_NAME_MAX], Diagnostics *diagnostics);

/* Removes a packed job that was not submitted. */
void job_submit_drop(const SpoolFolders *spool, JobPacked *packed);

#endif
