/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs a small job of the command `control` on the pool of the service. Rank 0 reads the problem. The workers evaluate
 * its points, and the boxes (sets of controls) of its proof, together with those of other jobs. Rank 0 also does the
 * steps after the search, if they are short. */
#ifndef SRC_SERVE_JOB_SEARCH_H
#define SRC_SERVE_JOB_SEARCH_H

#include "control/pool.h"
#include "src/search/search_end.h"

typedef struct ServeJob ServeJob; /* defined in serve_job.h */

typedef struct JobSearch {
  Options options; /* options of the command `control` */
  SearchRun run;
  CtlListener own; /* listener of the search or, later, of its proof */
  CtlListener listener;
  CtlEvaluator evaluator;
  CtlPoolJob *pooled;
  Certification *proof; /* the proof that follows the search; NULL: it has not begun */
  long ivps;            /* number of simulations that are already included in service->simulated, or that were made
                         * before this service resumed the job */
  double asked;         /* time (ctl_seconds) at which a request to pause was first noticed; 0: there was none */
  double rated;
  long ivps_rated; /* rated: time (ctl_seconds) at which the rate of simulations was last reported; ivps_rated: number
                    * of simulations (initial value problems) until then */
} JobSearch;

/* State of the job: its exit code if it has ended, otherwise one of these constants. */
enum {
  SEARCH_RUNS = -1, /* the job runs on the pool */
  /* The job may take long, so it must begin or continue in a process of its own. */
  SEARCH_FOR_PROCESS = -2
};

/* Begins the job, or resumes it from the checkpoint. */
int job_search_begin(ServeJob *job, bool resumes);

/* Returns the state of the job. If the job has ended, its memory has been freed. */
int job_search_look(ServeJob *job);

/* Returns the entry of the job in status.json. The caller owns the reference. */
json_t *job_search_status(ServeJob *job, double seconds);

#endif
