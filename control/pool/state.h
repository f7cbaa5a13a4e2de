/* The inside of a pool, for its own files. */
#ifndef CONTROL_POOL_STATE_H
#define CONTROL_POOL_STATE_H

#include "control/drive/local_batch.h"
#include "control/pool.h"
#include "control/pool/load_balance.h"
#include "control/worker/message.h"

enum { SLOTS = 2 }; /* a worker's: it finds its next batch in its mailbox when it has sent the last one off */

typedef enum SlotState {
  SLOT_FREE,
  SLOT_OUT,
  SLOT_LATE /* the worker has not answered in time; others may have its points, but it still may answer */
} SlotState;

/* One batch on its way to a worker and back. */
typedef struct Slot {
  SlotState state;
  CtlPoolJob *job;  /* NULL: removed, the answer is dropped */
  int n, d, count;  /* points */
  int next;         /* SLOT_LATE: those before it have been given to others, or need not be */
  bool again;       /* a point alone, late once already */
  double allowance; /* s from when the worker can have begun with it */
  long serial;      /* the lower, the earlier it was handed out */
  long *tickets;    /* [at_most] of the largest job it has served */
  double *work;     /* message_work_size */
  double *done;     /* message_done_size */
  size_t room;      /* doubles in work and done */
  MPI_Request sent;
} Slot;

typedef struct Worker {
  MPI_Comm comm; /* where it is rank `rank` */
  int rank;
  enum { WORKER_SERVING, WORKER_STOPPED, WORKER_ABSENT } state;
  int out, late; /* slots */
  double begun;  /* when it can have begun with the oldest batch out, by the pool's patience */
} Worker;

struct CtlPoolJob {
  CtlJob given;
  CtlPoolJob *next;
  double *letter; /* the MODEL message; its first number is FORGET's */
  int letter_size;
  bool *knows;         /* [workers] has been sent the model */
  MPI_Request *posted; /* [2 * workers] MODEL, FORGET */
  CtlLoad load;
  int batch; /* points in each, 0 to choose */
  CtlDesk desk;
  CtlTimes times;             /* evaluating, ivps, batches and counts; the rest by ctl_pool_times */
  double start;               /* ctl_seconds */
  double waiting, evaluating; /* the pool's then */
  double longest;             /* s a block, so far */
  bool stopping;              /* as somebody has wished: nothing more is handed out, what is out is waited for */
  double stopping_since;      /* ctl_seconds */
  int stop;                   /* other than 0: over */
};

typedef struct Nest Nest;

struct CtlPool {
  CtlPoolOptions options;
  Nest *nest; /* of spawned workers; NULL: they are ranks that were there before */
  int workers;
  long alive;            /* workers that none of their batches is late of */
  Worker *crew;          /* [workers] */
  Slot *slots;           /* [workers * SLOTS]: slot s of worker w at s * workers + w */
  MPI_Request *received; /* [workers * SLOTS] */
  int *indices;          /* [workers * SLOTS] for MPI_Testsome */
  int *idle;             /* [workers * SLOTS] free slots, n_idle of them */
  int n_idle, n_late;
  CtlPoolJob *jobs; /* in turn: the first gets its points handed out first */
  CtlPoolJob *gone; /* removed, but the letters with their models may be on their way */
  double models;    /* so far */
  long serial;
  double waiting, evaluating; /* s, so far */
  bool wished;                /* a worker has been asked to stop */
  bool abandoned;             /* a job has been left with workers still at it */
  double asked;               /* ctl_seconds, when the workers' wishes were looked for */
  double patience, looked;    /* a clock of deadlines, which stands still while rank 0 does; when it was set */
  MessageWait wait;
  double rested; /* ctl_seconds, when it last rested */
};

static inline int pool_size(const CtlPool *pool) { return pool->workers * SLOTS; }

SimStatus pool_create(int workers, const CtlPoolOptions *options, CtlPool **pool); /* with no ranks yet */
void pool_free(CtlPool *pool);

/* Whether nothing of a late batch is to be given to others any more. */
bool pool_spent(Slot *slot);

/* Gives up all that a worker has in hand. */
void pool_give_up(CtlPool *pool, int w);

/* Whether a spawned worker lives. */
bool nest_has(const CtlPool *pool, int w);
/* Looks after spawned workers: notices deaths, replaces the dead. */
void nest_look(CtlPool *pool);
/* The end of them, when they have stopped, and of those that have not. */
void nest_close(CtlPool *pool);

/* Whether a job wants anything handed out. */
static inline bool job_wants(const CtlPoolJob *job) {
  return !job->stop && !job->stopping && ctl_search_unasked(job->given.search) > 0;
}

void pool_job_free(CtlPoolJob *job);

/* Room for so many points of a job in a free slot. False when out of memory: the job is over then. */
bool pool_reserve(Slot *slot, CtlPoolJob *job, int count);
/* Sends a letter of so many doubles to a worker: all of rank 0's go this way. */
void pool_post(const CtlPool *pool, int w, const double *letter, int size, int tag, MPI_Request *sent);
/* Sends the points in a slot's work and tickets to its worker, with the model if need be. */
void pool_send(CtlPool *pool, int k, CtlPoolJob *job, int count);

/* Tells an outcome, if it is still wanted. */
void pool_tell(CtlPoolJob *job, long ticket, const CtlOutcome *outcome);

/* Takes an empty letter of a worker's, if there is one. Whether there is. */
bool pool_hear(const Worker *worker, int tag);

/* Notices wishes to stop, and ends the jobs that are to stop. */
void pool_look_for_stop(CtlPool *pool);

/* Gives up batches that are past their deadline. */
void pool_look_for_late(CtlPool *pool);

/* Gives a point that is late elsewhere to a free slot whose worker has nothing else to do. Whether it has. */
bool pool_give_late(CtlPool *pool, int k);

/* Evaluates one here, if there is no worker left that could. Whether it has. */
bool pool_evaluate_late(CtlPool *pool);

#endif
