/* SPDX-License-Identifier: BSD-2-Clause */
/* Handles one job of a service, from its claim to its results. Runs the job's command for its problem file, and keeps
 * its messages for error.txt.
 *
 *   a small `control`: read here -- search on the pool -- later steps, here -- (proof on the pool) --> done/, failed/
 *                            |                 |
 *                            | takes long      | does not end soon
 *                            v                 v
 *   all others:        stiction COMMAND, or stiction resume, in its own process --------------------> done/, failed/
 *
 * No work for a job occupies rank 0 for more than a second. The results are the same bytes wherever they are
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
  int busy;                      /* number of ranks that are evaluating points at present */
  int processes, processes_most; /* number of jobs that run in processes, and its maximum; the extra process is not
                                  * included in either */
  bool extra;                    /* whether the extra process is in use. It is reserved for jobs that have finished
                                  * their search on the pool */
  const struct ServeJob *next;   /* queued job that may start a process now; NULL: there is none */
  /* Whether rank 0 has already done the steps after a search in this iteration of the service's loop. It does them for
   * one job per iteration. */
  bool concluded;
  bool gave;      /* whether results have already been given to a submitter in this iteration of the loop */
  bool stopping;  /* whether the service stops; jobs then pause after their current simplex */
  long simulated; /* number of simulations in completed simplexes, of all jobs */
} ServeContext;

/* Reason why a job must stop. It keeps its results so far. */
typedef enum ServeStop {
  SERVE_GOES_ON,
  SERVE_PAUSES,  /* the job stays in running/, with a checkpoint */
  SERVE_CANCELS, /* the job moves to cancelled/ */
  SERVE_LATE     /* the job has exceeded --job-seconds and moves to failed/ */
} ServeStop;

/* How a job ended. */
typedef enum ServeEnd {
  SERVE_RUNS,
  SERVE_DONE,
  SERVE_NOT_MET, /* the job is done, but its target was not met */
  SERVE_FAILED,
  SERVE_CANCELLED,
  SERVE_PAUSED,   /* the job stopped with a checkpoint, and stays in running/ */
  SERVE_VANISHED, /* running/NAME was removed by a user */
  SERVE_LEFT,     /* the job stays in running/, since its folder cannot be written or moved; this has been reported */
  SERVE_STUCK     /* like SERVE_LEFT, but for a reason that affects all jobs, e.g. a full disk */
} ServeEnd;

typedef enum ServeStage {
  STAGE_CHECK,   /* a process checks whether the large files of the job can be read quickly */
  STAGE_QUEUE,   /* the job waits for a free process */
  STAGE_PROCESS, /* the job runs in a process */
  STAGE_SEARCH,  /* the search of the job runs on the pool */
  STAGE_GIVING   /* the job has ended: its results are given to its submitter, and then its folder is moved */
} ServeStage;

enum { LATE_SIZE = 128 };

typedef struct ServeJob {
  struct ServeJob *next;
  ServeContext *service;
  char name[SPOOL_NAME_MAX];
  ino_t folder;        /* inode of running/NAME; if the folder of this name has another inode, it does not belong to the
                        * job */
  Submitter submitter; /* user that submitted the job; zero: unknown */
  double placed; /* time (ctl_seconds) since which the job has a place: on the pool or, for jobs that do not use the
                  * pool, in a process */
  char directory[FILE_PATH_SIZE], path[FILE_PATH_SIZE]; /* paths of running/NAME and of the problem file */
  JobFile wanted;
  ServeStage stage;
  ServeStop stop;
  bool ends;                 /* whether the search has ended on the pool, so that the process only does the steps after
                              * it */
  bool extra;                /* whether the job uses the extra process */
  double began;              /* time (ctl_seconds) at which the present stage began; STAGE_QUEUE does not set it */
  double rated, evaluations; /* for a job in a process: time (ctl_seconds) at which its rate was last reported, and
                              * number of evaluations until then */
  Attempts attempts;
  Diagnostics diagnostics; /* diagnostics of this job, which are written to `messages` */
  FILE *messages;          /* messages.txt; NULL: there is no message yet */
  long said;               /* number of bytes of messages.txt that earlier attempts have written */
  char late[LATE_SIZE];    /* first line of error.txt if the job exceeded --job-seconds; otherwise "" */
  JobProcess process;      /* used in STAGE_CHECK and STAGE_PROCESS */
  JobSearch search;        /* used in STAGE_SEARCH */
  HandOver gift;           /* used in STAGE_GIVING */
  ServeEnd end;            /* used in STAGE_GIVING: how the job ended */
} ServeJob;

/* Begins the job running/NAME, or resumes it. begun: whether it has begun before. in_process: the job must run in a
 * process, as there is no place on the ranks. Sets *job to the job if it runs; otherwise to NULL. Returns the same
 * values as serve_job_look. */
ServeEnd serve_job_begin(ServeContext *service, const char *name, bool begun, bool in_process, ServeJob **job);

/* Moves the job running/NAME, which waits to be resumed, to cancelled/. Returns how it ended. */
ServeEnd serve_job_cancel(ServeContext *service, const char *name);

/* Requests a job to stop; serve_job_look later returns how it ended. If there are several requests, the first counts,
 * except that a job which pauses can still be cancelled. */
void serve_job_stop(ServeJob *job, ServeStop why);

/* Advances the job. Returns SERVE_RUNS, or how the job ended. A job that has ended is freed, its results are in their
 * final folder, and its place is free. */
ServeEnd serve_job_look(ServeJob *job);

/* Returns whether the folder of the job was removed. */
bool serve_job_has_vanished(const ServeJob *job);

/* Returns the job's entry in status.json. */
json_t *serve_job_status(ServeJob *job);

#endif
