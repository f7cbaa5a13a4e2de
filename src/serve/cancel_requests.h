/* SPDX-License-Identifier: BSD-2-Clause */
/* Handles requests to cancel jobs, which are files SPOOL/incoming/NAME.cancel. A request is accepted if it comes from
 * the submitter of the job, the user of the service, or root. Each request is written to the log and removed. If there
 * is no such job, the request is removed only at the next call, a moment later. A file with content is not a request:
 * it is logged once and kept, since another user may have moved it there. */
#ifndef SRC_SERVE_CANCEL_REQUESTS_H
#define SRC_SERVE_CANCEL_REQUESTS_H

#include "src/serve/serve_job.h"

/* Handles requests for at most a fifth of a second; the next call handles the rest. jobs: the running jobs; a cancelled
 * one is stopped later. Returns how many waiting jobs were moved to cancelled/. */
long cancel_requests_take(ServeContext *service, ServeJob *jobs);

#endif
