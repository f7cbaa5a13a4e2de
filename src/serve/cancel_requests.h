/* SPDX-License-Identifier: BSD-2-Clause */
/* Handles requests to cancel jobs: files SPOOL/incoming/NAME.cancel. A request is accepted from the job's submitter,
 * the service's own user, and root. Each request is logged and removed. If its job does not exist, it is removed only
 * at the second scan, a moment later. A file with content is not a request: it is logged once and kept, since another
 * user may have moved it there. */
#ifndef SRC_SERVE_CANCEL_REQUESTS_H
#define SRC_SERVE_CANCEL_REQUESTS_H

#include "src/serve/serve_job.h"

/* Handles requests for at most a fifth of a second; the next call handles the rest. jobs: the running jobs; a cancelled
 * one stops later. Returns how many waiting jobs were moved to cancelled/. */
long cancel_requests_take(ServeContext *service, ServeJob *jobs);

#endif
