/* How often a job has begun and not come to an orderly end, in running/NAME/attempts.json, which is written before it begins, but for the first
 * time on the ranks: who is in running/ without it has begun once, there.
 *
 *     {"attempts": 2, "seconds": 0.0, "place": "ranks"}
 *
 * "cancelled": true is there where its results are still being given away (hand_over.h).
 * A service that is killed leaves the number with all jobs that ran, and nobody knows which of them it was. So from the third time on such a
 * job runs in a process of its own: if that dies, it was this one. */
#ifndef SRC_SERVE_JOB_ATTEMPTS_H
#define SRC_SERVE_JOB_ATTEMPTS_H

#include "src/serve/spool.h"

#include <stdbool.h>

enum { ATTEMPTS_MOST = 2 }; /* that may end with the service, or with the job's process */

typedef struct Attempts {
  long number;     /* this one counted */
  double seconds;  /* that the job has run, in attempts that were paused */
  bool by_process; /* it needs a process of its own */
  bool cancelled;  /* it has been, and is only to be moved */
} Attempts;

typedef struct ServeJob ServeJob; /* serve_job.h */

/* Those of running/NAME. begun: it was there when the service began, or was paused. */
Attempts job_attempts_read(const Spool *spool, const char *name, bool begun);

/* Writes it. Returns 0, or -1 after telling. */
int job_attempts_write(const ServeJob *job);

/* The job is over: takes the file away. */
void job_attempts_forget(const ServeJob *job);

#endif
