/* A small `control` job on the service's pool. Rank 0 reads it; its points and the boxes of its proof are evaluated by
 * the workers together with those of other jobs; the steps after its search are done on rank 0 if they are short. */
#ifndef SRC_SERVE_JOB_SEARCH_H
#define SRC_SERVE_JOB_SEARCH_H

#include "control/pool.h"
#include "src/search/search_end.h"

typedef struct ServeJob ServeJob; /* serve_job.h */

typedef struct JobSearch {
  Options options; /* as for `control` */
  SearchRun run;
  CtlListener own; /* of the run, or of its proof */
  CtlListener listener;
  CtlEvaluator evaluator;
  CtlPoolJob *pooled;
  Certification *proof; /* the proof after its search; NULL: none yet */
  long ivps;            /* counted in service->simulated, or before this service resumed it */
  double asked;         /* ctl_seconds at which a pause was first noticed; 0: never */
  double rated;
  long ivps_rated; /* at the last report of the rate: ctl_seconds, and ivps */
} JobSearch;

/* State of the job: an exit code, or one of these. */
enum {
  SEARCH_RUNS = -1, /* on the pool */
  /* it may take long: begin or continue it in its own process */
  SEARCH_FOR_PROCESS = -2
};

/* Begins the job, or resumes it from the checkpoint. */
int job_search_begin(ServeJob *job, bool resumes);

/* Checks its state; a job that is over has been released. */
int job_search_look(ServeJob *job);

/* Returns its entry in status.json: a new reference. */
json_t *job_search_status(ServeJob *job, double seconds);

#endif
