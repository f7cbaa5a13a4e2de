/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests to cancel jobs, which are files SPOOL/incoming/NAME.cancel. The service accepts a request from the submitter
 * of the job, the user of the service, and root. It removes all requests, whether it accepts them or not. */
#ifndef SRC_SPOOL_JOB_REQUEST_H
#define SRC_SPOOL_JOB_REQUEST_H

#include "src/spool/spool_folders.h"

#include <jansson.h>

/* Returns whether the service would apply a request of this user to the waiting job with this name. If a running job
 * has the same name, the request applies to the running job, unless that belongs to another user and the waiting job to
 * this user. Returns false if no job with this name waits. status: content of status.json; NULL: there is none. */
bool job_request_takes_waiting(const SpoolFolders *spool, const json_t *status, const char *name);

typedef enum JobRight { JOB_RIGHT_UNKNOWN, JOB_RIGHT_NO, JOB_RIGHT_YES } JobRight;

/* Returns whether the service would accept a request of this user, judged by status.json (NULL: there is none) and the
 * files of the spool. The result is unknown for a job in running/ that waits to be resumed, as its owner is not visible
 * to other users. */
JobRight job_request_right(const SpoolFolders *spool, const json_t *status, const char *name);

/* Creates a request to cancel the job. Returns 0, also if this user has already made the request; or EXIT_USAGE or
 * EXIT_INTERNAL after reporting an error. */
int job_request_cancel(const SpoolFolders *spool, const char *name, Diagnostics *diagnostics);

/* Returns whether the request still exists, i.e. the service has not handled it. */
bool job_request_waits(const SpoolFolders *spool, const char *name);
/* Removes the request. */
void job_request_drop(const SpoolFolders *spool, const char *name);

/* Moves a waiting job to cancelled/. Called if no service is running. Returns 0, or errno: ENOENT if the job is not
 * waiting, EACCES or EPERM if there is no permission. */
int job_request_take_back(const SpoolFolders *spool, const char *name);

#endif
