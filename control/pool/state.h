/* The inside of a pool, for its own files. */
#ifndef CONTROL_POOL_STATE_H
#define CONTROL_POOL_STATE_H

#include "control/base/clock.h"
#include "control/drive/local_batch.h"
#include "control/pool.h"
#include "control/pool/load_balance.h"
#include "control/worker/message.h"

enum { SLOTS = 2 }; /* a worker's: its next batch is there already when it has sent the last one off */

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
  CtlWant want;     /* of all of them */
  size_t r;         /* numbers of a point's derivatives, 0 without */
  int next;         /* SLOT_LATE: those before it have been given to others, or need not be */
  bool again;       /* a point alone, late once already */
  bool dropped;     /* the worker has been sent DROP: its answer does not count, and others may have its points */
  bool heavy;       /* a point alone, which a worker has been freed of */
  double allowance; /* s from when the worker can have begun with it */
  long serial;      /* the lower, the earlier it was handed out */
  long *tickets;    /* [points]; owned, as the next two */
  MessageWork *work;
  MessageDone *done;
  int points;       /* room in tickets */
  size_t room;      /* bytes in work and in done */
  MessageDrop drop; /* as long as DROP is on its way */
  MPI_Request sent, dropping;
} Slot;

typedef struct PoolWorker {
  MPI_Comm comm; /* where it is rank `rank` */
  int rank;
  enum { WORKER_SERVING, WORKER_STOPPED, WORKER_ABSENT } state;
  int out, late; /* slots */
  double begun;  /* when it can have begun with the oldest batch out, by the pool's deadline clock */
} PoolWorker;

/* A point that has come back without an answer. */
typedef struct ReturnedPoint {
  long ticket;
  CtlWant want;
  bool heavy; /* a worker has been freed of it: it may take long, and goes alone */
} ReturnedPoint;

struct CtlPoolJob {
  Drive drive; /* of its times evaluating, ivps, batches and counts; the rest by ctl_pool_times */
  CtlPoolJob *next;
  MessageModel *model;  /* owned, as the next two */
  bool *knows;          /* [workers] has been sent the model */
  MPI_Request *posted;  /* [3 * workers] MODEL, FORGET, CANCEL */
  MessageForget forget; /* as long as FORGET or CANCEL is on its way */
  bool cancelled;       /* CANCEL has been sent to those with anything of it */
  LoadBalance load;
  long owner;
  long turn;     /* the pool's serial when its owner last had a batch */
  int batch;     /* points in each, 0 to choose */
  int most_rows; /* with derivatives at most */
  LocalBatch local;
  ReturnedPoint *returned;   /* [returned_room] n_returned of them from returned_first on; owned, as the next */
  double *returned_controls; /* [returned_room][n] */
  int returned_first, n_returned, returned_room;
  double served;              /* the pool's deadline clock when its owner last had what it wanted */
  double waiting, evaluating; /* the pool's then */
  double longest;             /* s a block, so far */
  double timeout;             /* s, as CtlJob's */
  bool refused;               /* while a slot is filled: it lacks nothing that the slot's worker could do */
  bool stopping;              /* as somebody has asked: nothing more is handed out, what is out is waited for */
  double stopping_since;      /* ctl_seconds */
};

typedef struct SpawnedWorkers SpawnedWorkers;

struct CtlPool {
  CtlPoolOptions options;
  SpawnedWorkers *spawned; /* NULL: the workers are ranks that were there before */
  int n_workers;
  long alive;            /* workers that none of their batches is late of */
  PoolWorker *workers;   /* [n_workers] */
  Slot *slots;           /* [n_workers * SLOTS]: slot s of worker w at s * n_workers + w */
  MPI_Request *received; /* [n_workers * SLOTS] */
  int *indices;          /* [n_workers * SLOTS] for MPI_Testsome */
  int *idle;             /* [n_workers * SLOTS] free slots, n_idle of them */
  int n_idle, n_late;
  CtlPoolJob *jobs;    /* in turn: the first gets its points handed out first */
  CtlPoolJob *removed; /* but messages with their models may be on their way */
  int64_t models;      /* so far */
  long serial;
  double waiting, evaluating;         /* s, so far */
  bool stop_requested;                /* of a worker */
  bool abandoned;                     /* a job has been left with workers still at it */
  double asked;                       /* ctl_seconds, when the workers' requests to stop were looked for */
  double deadline_clock, clock_moved; /* s; it stands still while rank 0 does; ctl_seconds when it was moved on */
  double served;                      /* by that clock, when owners that wait were looked for */
  MessageWait wait;
  double waited_until; /* ctl_seconds */
};

enum { POSTS = 3 /* of a job to a worker */ };

static inline int pool_size(const CtlPool *pool) { return pool->n_workers * SLOTS; }

/* Whether rank 0 evaluates nothing. */
static inline bool pool_stands_aside(const CtlPool *pool) { return pool->options.aside && pool->n_workers > 0; }

static inline double job_seconds(const CtlPoolJob *job) { return ctl_seconds() - job->drive.start; }

/* A wait that is under way ends where its last turn did: what the caller has done since was none. */
static inline void pool_end_wait(CtlPool *pool) {
  if (pool->wait.waiting) pool->waiting += pool->waited_until - pool->wait.since;
  pool->wait = (MessageWait){0};
}

/* Points with what is wanted that take about as long as one. */
static inline int job_block(const CtlPoolJob *job, CtlWant want) { return want.derivatives ? 1 : job->load.block; }

/* Whether a job's search has ended. */
static inline bool job_ended(const CtlPoolJob *job) { return driver_ended(&job->drive); }

/* Whether a job goes on, for all that is known. */
static inline bool counts(const CtlPoolJob *job) { return !job->drive.stop && !job->stopping; }

/* returned.c: points that have come back without an answer */

/* Keeps those of a slot from a place on that are still wanted. Out of memory: the job is over. */
void pool_return(CtlPoolJob *job, const Slot *slot, int from, bool heavy);
/* The next of them; NULL: none is wanted. Borrowed until another is taken or comes back. */
const ReturnedPoint *pool_next_returned(CtlPoolJob *job);
/* Up to most >= 1 that are alike; a heavy one alone. How many. */
int pool_take_returned(CtlPoolJob *job, int most, long *tickets, double *controls);
/* Evaluates one here, if there is no worker left that could. Whether it has. */
bool pool_evaluate_returned(CtlPool *pool);

/* Whether a job wants anything handed out. */
static inline bool job_wants(CtlPoolJob *job) {
  return counts(job) && (driver_unasked(&job->drive, NULL) > 0 || pool_next_returned(job));
}

/* state.c: memory */

SimStatus pool_create(int workers, const CtlPoolOptions *options, CtlPool **pool); /* with no ranks yet */
void pool_free(CtlPool *pool);
void pool_job_free(CtlPoolJob *job);

/* slot.c: one batch, there and back */

/* Room for points of a job in a free slot, of all of which the same is wanted. False when out of memory: the job is over then. */
bool pool_reserve(Slot *slot, CtlPoolJob *job, CtlWant want);
/* Points of which that is wanted, in a batch at most. */
int pool_batch_most(const CtlPoolJob *job, CtlWant want);
/* Begins to send a message of so many bytes to a worker: all of rank 0's go this way. */
void pool_post(const CtlPool *pool, int w, const void *message, size_t size, int tag, MPI_Request *sent);
/* Sends the points in a slot's work and tickets to its worker, with the model if need be. */
void pool_send(CtlPool *pool, int k, CtlPoolJob *job, int count);

/* Has a worker end what it does for a slot. */
void pool_drop(CtlPool *pool, int k);

/* shares.c: whose points go out next */

/* Owners with anything to do here; of so many each one's share of the workers. */
int pool_count_owners(const CtlPool *pool);
int pool_share(const CtlPool *pool, int owners);

/* The next job that wants a batch in a slot, after those that have been refused it (CtlPoolJob.refused); NULL: none. */
CtlPoolJob *pool_next_job(const CtlPool *pool, int k);
/* It has had one. */
void pool_note_turn(CtlPool *pool, CtlPoolJob *job);

/* revoke.c: frees workers for owners that wait, of those that hold more than their share. */
void pool_look_for_unserved(CtlPool *pool);

/* stop.c: notices requests to stop, and ends the jobs that are to stop. */
void pool_look_for_stop(CtlPool *pool);
/* Tells workers that have anything of a job that nobody wants it, once. */
void pool_cancel(CtlPool *pool, CtlPoolJob *job);

/* timeout.c: deadlines */

/* Gives up batches that are past their deadline. */
void pool_look_for_late(CtlPool *pool);
/* The first of a worker's batches that are out; -1: none. */
int pool_oldest(const CtlPool *pool, int w);
/* Gives up all that a worker has in hand. */
void pool_give_up(CtlPool *pool, int w);
/* Whether nothing of a late batch is to be given to others any more. */
bool pool_spent(Slot *slot);
/* Gives a point that is late elsewhere to a free slot whose worker has nothing else to do. Whether it has. */
bool pool_give_late(CtlPool *pool, int k);
/* Evaluates one here, if there is no worker left that could. Whether it has. */
bool pool_evaluate_late(CtlPool *pool);

/* spawned.c */

/* Whether a worker is there: false of a spawned one that has died. */
bool spawned_lives(const CtlPool *pool, int w);
/* Looks after spawned workers: notices deaths, replaces the dead. */
void spawned_look(CtlPool *pool);
/* The end of them, when they have stopped, and of those that have not. */
void spawned_close(CtlPool *pool);

#endif
