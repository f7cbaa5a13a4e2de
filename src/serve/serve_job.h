/* One job of a service, from its claim to its results: runs its command on its problem file and stores its messages for
 * error.txt.
 *
 *     a small `control`:  read here -- search on the pool -- later steps, here -- (proof on the pool) --> done/, failed/
 *                              |                 |
 *                              | takes long      | does not end soon
 *                              v                 v
 *     all others:         stiction COMMAND, or stiction resume, in its own process --------------------> done/, failed/
 *
 * So no request of a job blocks rank 0 for more than a second. The results are the same bytes wherever they are
 * computed. */
#ifndef SRC_SERVE_JOB_H
#define SRC_SERVE_JOB_H

#include "src/serve/hand_over.h"
#include "src/serve/job_attempts.h"
#include "src/serve/job_process.h"
#include "src/serve/job_search.h"
#include "src/spool/job_file.h"

/* Data that all jobs of a service share. */
typedef struct ServeContext {
  const Options *options;
  Spool *spool;
  CtlPool *pool;
  int ranks;
  int busy;                      /* number of ranks that are evaluating */
  int processes, processes_most; /* number of jobs in their own processes, and its maximum, except */
  bool extra;                    /* whether one more is in use, for a job that has finished its search on the pool */
  const struct ServeJob *next;   /* queued job that may start a process now; NULL: none */
  /* in this iteration of the loop, rank 0 has done the steps after a search: at most one per iteration */
  bool concluded;
  bool gave;      /* in this iteration, it has given results away */
  bool stopping;  /* jobs pause after their current simplex */
  long simulated; /* number of simulations in finished simplexes */
} ServeContext;

/* Reason why a job must stop, with its results so far. */
typedef enum ServeStop {
  SERVE_GOES_ON,
  SERVE_PAUSES,  /* it stays in running/, with a checkpoint */
  SERVE_CANCELS, /* moves to cancelled/ */
  SERVE_LATE     /* exceeded --job-seconds: moves to failed/ */
} ServeStop;

/* How a job ended. */
typedef enum ServeEnd {
  SERVE_RUNS,
  SERVE_DONE,
  SERVE_NOT_MET, /* done, but the target was not met */
  SERVE_FAILED,
  SERVE_CANCELLED,
  SERVE_PAUSED,   /* stopped, with a checkpoint; it stays in running/ */
  SERVE_VANISHED, /* running/NAME was removed by a user */
  SERVE_LEFT,     /* stays in running/, since it cannot be written or moved: reported */
  SERVE_STUCK     /* the same, and this affects all jobs */
} ServeEnd;

typedef enum ServeStage {
  STAGE_CHECK,   /* a process checks whether large files can be read quickly */
  STAGE_QUEUE,   /* waits for a free process */
  STAGE_PROCESS, /* it runs there */
  STAGE_SEARCH,  /* it is on the pool */
  STAGE_GIVING   /* has ended: its results are given to its submitter, and moved */
} ServeStage;

enum { LATE_SIZE = 128 };

typedef struct ServeJob {
  struct ServeJob *next;
  ServeContext *service;
  char name[SPOOL_NAME_MAX];
  ino_t folder;        /* inode of running/NAME: another folder of this name is not the job's */
  Submitter submitter; /* zero: unknown */
  double placed; /* ctl_seconds since which it has a place, on the pool or, for jobs that use the pool, in a process */
  char directory[FILE_PATH_SIZE], path[FILE_PATH_SIZE]; /* running/NAME, and the problem file */
  JobFile wanted;
  ServeStage stage;
  ServeStop stop;
  bool ends;                 /* its search has ended on the pool: the process does the steps after it */
  bool extra;                /* it uses the extra process */
  double began;              /* ctl_seconds: start of its stage, unless that is a queue */
  double rated, evaluations; /* time of the last report of its rate in a process, ctl_seconds, and evaluations then */
  Attempts attempts;
  Diagnostics diagnostics; /* its own; written to */
  FILE *messages;          /* messages.txt; NULL: no message yet */
  long said;               /* bytes in it from earlier attempts */
  char late[LATE_SIZE];    /* first line of error.txt if --job-seconds ended it; otherwise "" */
  JobProcess process;      /* for STAGE_CHECK, STAGE_PROCESS */
  JobSearch search;        /* for STAGE_SEARCH */
  HandOver gift;           /* for STAGE_GIVING */
  ServeEnd end;            /* for STAGE_GIVING: its outcome */
} ServeJob;

/* Begins running/NAME, or resumes it. in_process: there is no place on the ranks. *job: NULL unless it runs. */
ServeEnd serve_job_begin(ServeContext *service, const char *name, bool begun, bool in_process, ServeJob **job);

/* Moves running/NAME, which waits to be resumed, to cancelled/. */
ServeEnd serve_job_cancel(ServeContext *service, const char *name);

/* Requests a stop; serve_job_look reports when it has happened. The first request counts, except that a pausing job can
 * be cancelled. */
void serve_job_stop(ServeJob *job, ServeStop why);

/* Advances the job. Returns how it ended, or SERVE_RUNS. After its end it is freed, its results are in their final
 * folder, and its place is free. */
ServeEnd serve_job_look(ServeJob *job);

/* Whether its folder was removed. */
bool serve_job_has_vanished(const ServeJob *job);

/* Returns its entry in status.json. */
json_t *serve_job_status(ServeJob *job);

#endif
