/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests to cancel jobs, i.e. files SPOOL/incoming/NAME.cancel. The service accepts them from the job's submitter,
 * its own user, and root. It removes them whether it accepts them or not. */
#ifndef SRC_SPOOL_JOB_REQUEST_H
#define SRC_SPOOL_JOB_REQUEST_H

#include "src/spool/spool_folders.h"

#include <jansson.h>

/* Returns whether the service applies this user's request to the waiting job of this name. If a running job has the
 * same name, the service prefers it, unless it is another user's and the waiting one is this user's. Returns false if
 * no job waits. status: content of status.json; NULL: none. */
bool job_request_takes_waiting(const SpoolFolders *spool, const json_t *status, const char *name);

typedef enum JobRight { JOB_RIGHT_UNKNOWN, JOB_RIGHT_NO, JOB_RIGHT_YES } JobRight;

/* Returns whether the service would accept a request of this user, judged by status.json (NULL: none) and the files of
 * the spool. The answer is unknown for a job in running/ that waits to be resumed, as its owner is not visible. */
JobRight job_request_right(const SpoolFolders *spool, const json_t *status, const char *name);

/* Creates a request. Returns 0, also if this user has already made it; or EXIT_USAGE or EXIT_INTERNAL after reporting
 * an error. */
int job_request_cancel(const SpoolFolders *spool, const char *name, Diagnostics *diagnostics);

/* Returns whether the request still exists. */
bool job_request_waits(const SpoolFolders *spool, const char *name);
/* Removes the request. */
void job_request_drop(const SpoolFolders *spool, const char *name);

/* Moves a waiting job into cancelled/; to be called if no service is running. Returns 0, or errno: ENOENT if the job
 * does not wait (any more), EACCES or EPERM without permission. */
int job_request_take_back(const SpoolFolders *spool, const char *name);

#endif
