/* A small `control` job on the service's pool: rank 0 reads it, its points and the boxes of its proof go round the workers with those of other
 * jobs, and what follows on its search, if that is short, is done here. */
#ifndef SRC_SERVE_JOB_SEARCH_H
#define SRC_SERVE_JOB_SEARCH_H

#include "control/pool.h"
#include "src/search/search_end.h"

typedef struct ServeJob ServeJob; /* serve_job.h */

typedef struct JobSearch {
  Options options; /* as if `control` had been asked */
  SearchRun run;
  CtlListener own; /* the run's, or its proof's */
  CtlListener listener;
  CtlEvaluator evaluator;
  CtlPoolJob *pooled;
  Certification *proof; /* that follows on its search; NULL: none yet */
  long ivps;            /* counted in service->simulated, and before this service went on with it */
  double asked;         /* ctl_seconds, when it was first found that it is to pause; 0: never */
  double rated;
  long ivps_rated; /* when the rate was told last (ctl_seconds), ivps then */
} JobSearch;

/* What has become of it: an exit code, or one of these. */
enum {
  SEARCH_RUNS = -1, /* on the pool */
  SEARCH_FOR_PROCESS =
      -2 /* it may hold others up here: begin it, or, where it has begun, go on with it, in a process of its own */
};

/* Begins, or goes on from the checkpoint. */
int job_search_begin(ServeJob *job, bool resumes);

/* Looks how it is; what is over has been released. */
int job_search_look(ServeJob *job);

/* Of status.json: a new reference. */
json_t *job_search_status(ServeJob *job, double seconds);

#endif
