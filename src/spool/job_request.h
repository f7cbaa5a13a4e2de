/* Requests to cancel jobs: SPOOL/incoming/NAME.cancel. The service accepts them from the submitter, its own user, or
 * root, and removes them in each case. */
#ifndef SRC_SPOOL_JOB_REQUEST_H
#define SRC_SPOOL_JOB_REQUEST_H

#include "src/spool/spool_folders.h"

#include <jansson.h>

/* If both a waiting and a running job have this name: whether the service applies this user's request to the waiting
 * one. It prefers the running one, unless that is another user's and the waiting one is this user's. Also false if no
 * job waits. status: as below. */
bool job_request_takes_waiting(const SpoolFolders *spool, const json_t *status, const char *name);

typedef enum JobRight { JOB_RIGHT_UNKNOWN, JOB_RIGHT_NO, JOB_RIGHT_YES } JobRight;

/* Whether the service would accept a request of this user, judged by status.json and the spool's files. status: NULL:
 * none. Unknown for a job in running/ that waits to be resumed, as its owner is not visible. */
JobRight job_request_right(const SpoolFolders *spool, const json_t *status, const char *name);

/* Creates a request. Returns 0, also if this user's request already exists; EXIT_USAGE or EXIT_INTERNAL after reporting
 * an error. */
int job_request_cancel(const SpoolFolders *spool, const char *name, Diagnostics *diagnostics);

/* Whether the request still exists. */
bool job_request_waits(const SpoolFolders *spool, const char *name);
/* Removes the request. */
void job_request_drop(const SpoolFolders *spool, const char *name);

/* If no service is running: moves a waiting job into cancelled/. Returns 0, or errno: ENOENT if it does not wait (any
 * more), EACCES or EPERM without permission. */
int job_request_take_back(const SpoolFolders *spool, const char *name);

#endif
