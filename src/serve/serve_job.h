/* One problem of a service, from its claim to its results: what `control` does with a problem file, over a pool that
 * other problems use at the same time, with what it tells kept for error.txt. */
#ifndef SRC_SERVE_JOB_H
#define SRC_SERVE_JOB_H

#include "control/pool.h"
#include "src/search/search_end.h"
#include "src/serve/spool.h"

/* What a service has for all its jobs. */
typedef struct ServeContext {
  const Options *options;
  Spool *spool;
  CtlPool *pool;
  int ranks;
  bool stopping;  /* jobs pause after the simplex that they are at */
  long simulated; /* so far, by simplexes that have ended */
} ServeContext;

typedef struct ServeJob {
  struct ServeJob *next;
  ServeContext *service;
  char name[SPOOL_NAME_MAX];
  char directory[FILE_PATH_SIZE], path[FILE_PATH_SIZE]; /* running/NAME, the problem file */
  Options options;                                      /* as if `control` had been asked */
  SearchRun run;
  Diagnostics diagnostics; /* its own; they go to */
  FILE *messages;          /* messages.txt */
  CtlListener own;         /* the run's, or its proof's */
  CtlListener listener;
  CtlEvaluator evaluator;
  CtlPoolJob *pooled;
  Certification *proof; /* that follows on its search; NULL: none yet */
  long ivps;            /* counted in service->simulated, and before this service went on with it */
  double rated;
  long ivps_rated; /* when the rate was told last (ctl_seconds), ivps then */
} ServeJob;

/* What has become of a job. */
typedef enum ServeEnd {
  SERVE_RUNS,
  SERVE_DONE,
  SERVE_NOT_MET, /* done, but its target was not met */
  SERVE_FAILED,
  SERVE_PAUSED, /* stopped, with a checkpoint; it stays in running/ */
  SERVE_STUCK   /* it stays there, too, since the spool cannot be written: told */
} ServeEnd;

/* Begins with running/NAME, or goes on with it. *job: NULL unless it runs. */
ServeEnd serve_job_begin(ServeContext *service, const char *name, ServeJob **job);

/* Whether a job is over; if so it is freed, its results are where they belong, and its place in the pool is empty. */
ServeEnd serve_job_look(ServeJob *job);

/* Its line in status.json. */
json_t *serve_job_status(ServeJob *job);

#endif
