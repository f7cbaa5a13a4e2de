/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts the attempts to run a job, in the file running/NAME/attempts.json. The file is written before each attempt and
 * removed when the job ends. For a first attempt on the ranks no file is written: a job in running/ without the file
 * has had one attempt, on the ranks.
 *
 *   {"attempts": 2, "seconds": 0.0, "place": "ranks"}
 *
 * "cancelled": true means that the job is cancelled and its results are being given to the submitter (hand_over.h).
 *
 * If a service is killed, all its running jobs keep their counts, as it is unknown which job was the cause. Therefore,
 * from the third attempt on, a job runs in a process of its own: if that process dies, this job is the cause. */
#ifndef SRC_SERVE_JOB_ATTEMPTS_H
#define SRC_SERVE_JOB_ATTEMPTS_H

#include "src/serve/spool.h"

#include <stdbool.h>

enum { ATTEMPTS_MOST = 2 }; /* number of attempts that may fail because the service or the job's process died */

typedef struct Attempts {
  long number;     /* number of attempts, including the current one */
  double seconds;  /* run time of earlier attempts that ended because the job was paused, in s */
  bool by_process; /* whether the job must run in a process of its own */
  bool cancelled;  /* whether the job was cancelled, so that it is only moved to cancelled/ */
} Attempts;

typedef struct ServeJob ServeJob; /* defined in serve_job.h */

/* Reads the attempts of the job running/NAME. begun: the job was in running/ when the service began, or it was
 * paused. */
Attempts job_attempts_read(const Spool *spool, const char *name, bool begun);

/* Writes the attempts of a job to the file. Returns 0, or -1 after reporting an error. */
int job_attempts_write(const ServeJob *job);

/* Removes attempts.json after the job has ended. */
void job_attempts_forget(const ServeJob *job);

#endif
