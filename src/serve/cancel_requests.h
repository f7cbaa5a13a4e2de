/* Requests to cancel jobs, SPOOL/incoming/NAME.cancel. They are accepted from the job's submitter, the service's own
 * user, and root. Each is logged and removed; a request for a job that does not exist only at the second scan, a moment
 * later. A file that is not empty is not a request: it is logged once and kept, since another user may have moved it
 * there. */
#ifndef SRC_SERVE_CANCEL_REQUESTS_H
#define SRC_SERVE_CANCEL_REQUESTS_H

#include "src/serve/serve_job.h"

/* Handles all requests for at most a fifth of a second; the rest at the next call. jobs: running jobs, which stop
 * later. Returns how many waiting jobs were moved to cancelled/. */
long cancel_requests_take(ServeContext *service, ServeJob *jobs);

#endif
