/* Submits jobs to a spool. A job is written under a hidden name in incoming/ and then renamed, so that the service sees
 * it completely or not at all.
 *
 *     incoming/NAME.yaml   a problem file without further requests; its first line has the command
 *     incoming/NAME/       otherwise: problem.yaml, job.json, and the files that it names
 *
 * The problem itself is checked before, by `stiction submit` and the page. */
#ifndef SRC_SPOOL_JOB_SUBMIT_H
#define SRC_SPOOL_JOB_SUBMIT_H

#include "src/spool/job_file.h"
#include "src/spool/spool_folders.h"

/* A job that is written but not yet submitted. */
typedef struct JobPacked {
  char name[SPOOL_NAME_MAX];        /* requested name */
  bool exact;                       /* use this name or fail; otherwise append -2, -3, .. if it exists */
  bool folder;                      /* packed as a folder; otherwise a file */
  char hidden[SPOOL_NAME_MAX + 64]; /* name in incoming/; "": removed, or submitted */
} JobPacked;

/* Writes a job. path: of the problem file; job: its requests, to which settings for its files are added; name: NULL:
 * from the file's name. Returns 0; EXIT_USAGE or EXIT_INTERNAL (the disk is full) after reporting an error and removing
 * everything written. */
int job_submit_pack(const SpoolFolders *spool, const char *path, JobFile *job, const char *name,
                    Diagnostics *diagnostics, JobPacked *packed);

/* Submits the job. name: the name it was given. Returns as above. */
int job_submit_put(const SpoolFolders *spool, JobPacked *packed, char name[SPOOL_NAME_MAX], Diagnostics *diagnostics);

/* Removes a job that was not submitted. */
void job_submit_drop(const SpoolFolders *spool, JobPacked *packed);

#endif
