/* Wishes to cancel jobs: SPOOL/incoming/NAME.cancel, which the service honours if they are the submitter's, its own user's or root's, and
 * takes away either way. */
#ifndef SRC_SPOOL_JOB_REQUEST_H
#define SRC_SPOOL_JOB_REQUEST_H

#include "src/spool/spool_folders.h"

#include <jansson.h>

/* Which of two jobs of a name a service takes for our wish, of which one waits: what runs goes first, unless it is another's, and our own
 * waits. False also where none waits. status: as below. */
bool job_request_takes_waiting(const SpoolFolders *spool, const json_t *status, const char *name);

typedef enum JobRight { JOB_RIGHT_UNKNOWN, JOB_RIGHT_NO, JOB_RIGHT_YES } JobRight;

/* Whether a service would honour our wish, as far as status.json and the spool's files tell. status: NULL: there is none. It is unknown
 * of a job in running/ that waits to be gone on with: nobody else is told whose it is. */
JobRight job_request_right(const SpoolFolders *spool, const json_t *status, const char *name);

/* Leaves a wish. Returns 0, also where there is one of ours already; else EXIT_USAGE or EXIT_INTERNAL after telling. */
int job_request_cancel(const SpoolFolders *spool, const char *name, Diagnostics *diagnostics);

/* Whether it is still there. */
bool job_request_waits(const SpoolFolders *spool, const char *name);
/* Takes it back. */
void job_request_drop(const SpoolFolders *spool, const char *name);

/* Where no service is at work: moves a job that waits into cancelled/ ourselves. Returns 0, or errno: ENOENT where it does not wait (any more),
 * EACCES or EPERM where it is not ours to move. */
int job_request_take_back(const SpoolFolders *spool, const char *name);

#endif
