/* Wishes to cancel jobs, SPOOL/incoming/NAME.cancel: honoured if they are of the job's submitter, of the service's own user, or of root; told,
 * and taken away, in any case; that of a job which is not there at the second look, a moment later. A file that is not empty is no wish: told once,
 * and left alone, since others may have moved it there. */
#ifndef SRC_SERVE_CANCEL_REQUESTS_H
#define SRC_SERVE_CANCEL_REQUESTS_H

#include "src/serve/serve_job.h"

/* Looks at all that there are, for a fifth of a second: at the rest the next time. jobs: those that run, which stop by and by. Returns how many others, which waited, are in cancelled/ now. */
long cancel_requests_take(ServeContext *service, ServeJob *jobs);

#endif
