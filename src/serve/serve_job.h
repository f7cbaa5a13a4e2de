/* One job of a service, from its claim to its results: what its command does with its problem file, with what it tells kept for error.txt.
 *
 *     a small `control`:  read here -- search on the pool -- what follows, here -- (proof on the pool) --> done/, failed/
 *                              |                 |
 *                              | takes long      | does not end soon
 *                              v                 v
 *     all else:           stiction COMMAND, or stiction resume, in a process of its own --------------> done/, failed/
 *
 * So nothing that a job asks for holds rank 0 up for more than a second. The results are the same bytes wherever they come from. */
#ifndef SRC_SERVE_JOB_H
#define SRC_SERVE_JOB_H

#include "src/serve/hand_over.h"
#include "src/serve/job_attempts.h"
#include "src/serve/job_process.h"
#include "src/serve/job_search.h"
#include "src/spool/job_file.h"

/* What a service has for all its jobs. */
typedef struct ServeContext {
  const Options *options;
  Spool *spool;
  CtlPool *pool;
  int ranks;
  int busy;                      /* ranks with work in hand, lately */
  int processes, processes_most; /* jobs in processes of their own now, and at most, but for */
  bool extra;                    /* one more, of a job whose search has ended on the pool: it is taken */
  const struct ServeJob *next;   /* the one in the queue that may have a process now; NULL: none */
  bool concluded;                /* in this turn of the loop rank 0 has done what follows on a search: at most one */
  bool gave;                     /* likewise it has given results away */
  bool stopping;                 /* jobs pause after the simplex that they are at */
  long simulated;                /* so far, by simplexes that have ended */
} ServeContext;

/* Why a job is to stop, with its results so far. */
typedef enum ServeStop {
  SERVE_GOES_ON,
  SERVE_PAUSES,  /* it stays in running/, with a checkpoint */
  SERVE_CANCELS, /* for cancelled/ */
  SERVE_LATE     /* over --job-seconds: for failed/ */
} ServeStop;

/* What has become of a job. */
typedef enum ServeEnd {
  SERVE_RUNS,
  SERVE_DONE,
  SERVE_NOT_MET, /* done, but its target was not met */
  SERVE_FAILED,
  SERVE_CANCELLED,
  SERVE_PAUSED,   /* stopped, with a checkpoint; it stays in running/ */
  SERVE_VANISHED, /* somebody has taken running/NAME away */
  SERVE_LEFT,     /* it stays in running/, since it cannot be written or moved: told */
  SERVE_STUCK     /* likewise, and nothing can */
} ServeEnd;

typedef enum ServeStage {
  STAGE_CHECK,   /* a process looks whether large files are quickly read */
  STAGE_QUEUE,   /* for a process, of which there are as many as there may be */
  STAGE_PROCESS, /* it runs there */
  STAGE_SEARCH,  /* it is on the pool */
  STAGE_GIVING   /* it has ended: its results are given to its submitter, and moved */
} ServeStage;

enum { LATE_SIZE = 128 };

typedef struct ServeJob {
  struct ServeJob *next;
  ServeContext *service;
  char name[SPOOL_NAME_MAX];
  ino_t folder;        /* running/NAME as it was found: another one in its place is not the job's */
  Submitter submitter; /* zero: nobody knows */
  double placed;       /* ctl_seconds: since it has had a place, on the pool or, of those that go there, in a process */
  char directory[FILE_PATH_SIZE], path[FILE_PATH_SIZE]; /* running/NAME, the problem file */
  JobFile wanted;
  ServeStage stage;
  ServeStop stop;
  bool ends;                 /* its search has ended on the pool: a process is for what follows */
  bool extra;                /* it has the extra process */
  double began;              /* ctl_seconds: its stage, unless that is a queue */
  double rated, evaluations; /* ctl_seconds: when status last told its rate, in a process; by then */
  Attempts attempts;
  Diagnostics diagnostics; /* its own; they go to */
  FILE *messages;          /* messages.txt; NULL: nothing has been told */
  long said;               /* bytes in it of earlier attempts */
  char late[LATE_SIZE];    /* that it was ended by --job-seconds, the first line of error.txt; "": it was not */
  JobProcess process;      /* of STAGE_CHECK, STAGE_PROCESS */
  JobSearch search;        /* of STAGE_SEARCH */
  HandOver gift;           /* of STAGE_GIVING */
  ServeEnd end;            /* likewise: as what it is to be moved */
} ServeJob;

/* Begins with running/NAME, or goes on with one that has begun before. in_process: there is no place for it on the ranks. *job: NULL unless it
 * runs. */
ServeEnd serve_job_begin(ServeContext *service, const char *name, bool begun, bool in_process, ServeJob **job);

/* Moves running/NAME, which waits there to be gone on with, to cancelled/. */
ServeEnd serve_job_cancel(ServeContext *service, const char *name);

/* A wish, of which serve_job_look tells when it has come true. Of several the first one counts, but a job that pauses can be cancelled. */
void serve_job_stop(ServeJob *job, ServeStop why);

/* Goes on a little. Whether the job is over; if so it is freed, its results are where they belong, and its place is empty. */
ServeEnd serve_job_look(ServeJob *job);

/* Whether its folder is not there any more. */
bool serve_job_has_vanished(const ServeJob *job);

/* Its line in status.json. */
json_t *serve_job_status(ServeJob *job);

#endif
