/* Counts attempts of a job that did not end orderly, in running/NAME/attempts.json. It is written before each attempt,
 * except the first one on the ranks: a job in running/ without this file has begun once, there.
 *
 *     {"attempts": 2, "seconds": 0.0, "place": "ranks"}
 *
 * "cancelled": true means that its results are still being given away (hand_over.h). If a service is killed, the number
 * stays with all running jobs, and the job that caused it is unknown. So from the third attempt on such a job runs in
 * its own process: if that dies, the job is the cause. */
#ifndef SRC_SERVE_JOB_ATTEMPTS_H
#define SRC_SERVE_JOB_ATTEMPTS_H

#include "src/serve/spool.h"

#include <stdbool.h>

enum { ATTEMPTS_MOST = 2 }; /* attempts that may end with the service, or with the job's process */

typedef struct Attempts {
  long number;     /* including the current one */
  double seconds;  /* run time of the job in paused attempts */
  bool by_process; /* it must run in its own process */
  bool cancelled;  /* it was cancelled, and only remains to be moved */
} Attempts;

typedef struct ServeJob ServeJob; /* serve_job.h */

/* Reads the attempts of running/NAME. begun: it existed when the service began, or was paused. */
Attempts job_attempts_read(const Spool *spool, const char *name, bool begun);

/* Writes them. Returns 0, or -1 after reporting an error. */
int job_attempts_write(const ServeJob *job);

/* Removes the file after the job has ended. */
void job_attempts_forget(const ServeJob *job);

#endif
