/* Internals of a pool. */
#ifndef CONTROL_POOL_STATE_H
#define CONTROL_POOL_STATE_H

#include "control/base/clock.h"
#include "control/drive/local_batch.h"
#include "control/pool.h"
#include "control/pool/load_balance.h"
#include "control/worker/message.h"

enum { SLOTS = 2 }; /* per worker: its next batch is there when it has finished one */

typedef enum SlotState {
  SLOT_FREE,
  SLOT_OUT,
  SLOT_LATE /* the worker has missed its deadline; its points may be sent to others, but it may still answer */
} SlotState;

/* A batch of points from being sent to a worker until its outcomes arrive. */
typedef struct Slot {
  SlotState state;
  CtlPoolJob *job;  /* NULL: the job was removed, and the answer will be dropped */
  int n, d, count;  /* count: points */
  CtlWant want;     /* what to evaluate at all of its points */
  size_t r;         /* size of a point's derivatives, numbers; 0 without */
  int next;         /* SLOT_LATE: points before it have been sent to others or are not needed */
  bool again;       /* a single point that was late once before */
  bool dropped;     /* the worker has been sent DROP: its answer does not count, and its points may be sent to others */
  bool heavy;       /* a single point whose worker was revoked */
  double allowance; /* allowed time from when the worker can have started it, s */
  long serial;      /* serial number of the batch, in order of sending */
  long *tickets;    /* [points]; owned, like the next two */
  MessageWork *work;
  MessageDone *done;
  int points;       /* capacity of tickets */
  size_t room;      /* capacity of work and of done, bytes */
  MessageDrop drop; /* message buffer while DROP is being sent */
  MPI_Request sent, dropping;
} Slot;

typedef struct PoolWorker {
  MPI_Comm comm; /* communicator in which the worker is rank `rank` */
  int rank;
  enum { WORKER_SERVING, WORKER_STOPPED, WORKER_ABSENT } state;
  int out, late; /* numbers of slots that are out, and late */
  double begun;  /* time at which it can have started the oldest batch out, on the pool's deadline clock */
} PoolWorker;

/* A point that was returned without an outcome. */
typedef struct ReturnedPoint {
  long ticket;
  CtlWant want;
  bool heavy; /* the worker was revoked: the point may take long and is sent alone */
} ReturnedPoint;

struct CtlPoolJob {
  /* state of the drive; of its times only evaluating, ivps, batches and counts are kept here, see ctl_pool_times */
  Drive drive;
  CtlPoolJob *next;
  MessageModel *model;  /* owned, like the next two */
  bool *knows;          /* [workers] whether each has been sent the model */
  MPI_Request *posted;  /* [3 * workers] MODEL, FORGET, CANCEL */
  MessageForget forget; /* message buffer while FORGET or CANCEL is being sent */
  bool cancelled;       /* CANCEL has been sent to the workers that hold points or the model */
  LoadBalance load;
  long owner;
  long turn;     /* the pool's serial number when its owner last got a batch */
  int batch;     /* points per batch; 0: chosen automatically */
  int most_rows; /* maximum number of points with derivatives */
  LocalBatch local;
  ReturnedPoint *returned;   /* [returned_room] n_returned of them from returned_first on; owned, like the next */
  double *returned_controls; /* [returned_room][n] */
  int returned_first, n_returned, returned_room;
  double served;              /* time on the pool's deadline clock when its owner was last served */
  double waiting, evaluating; /* the pool's values when the job was added */
  double longest;             /* longest time of a block so far, s */
  double timeout;             /* timeout, s, as in CtlJob */
  bool refused;               /* while a slot is filled: the job has nothing to send to the slot's worker */
  bool stopping;              /* stopping on request: no more points are handed out, outstanding outcomes are awaited */
  double stopping_since;      /* ctl_seconds */
};

typedef struct SpawnedWorkers SpawnedWorkers;

struct CtlPool {
  CtlPoolOptions options;
  SpawnedWorkers *spawned; /* NULL: the workers are ranks of the same MPI job */
  int n_workers;
  long alive;            /* workers that have no late batch */
  PoolWorker *workers;   /* [n_workers] */
  Slot *slots;           /* [n_workers * SLOTS]: slot s of worker w at s * n_workers + w */
  MPI_Request *received; /* [n_workers * SLOTS] */
  int *indices;          /* [n_workers * SLOTS] for MPI_Testsome */
  int *idle;             /* [n_workers * SLOTS] free slots, n_idle of them */
  int n_idle, n_late;
  CtlPoolJob *jobs;    /* queue: points of the first job are handed out first */
  CtlPoolJob *removed; /* removed jobs whose messages with models may still be in transit */
  int64_t models;      /* number of models so far */
  long serial;
  double waiting, evaluating;         /* totals so far, s */
  bool stop_requested;                /* a worker has requested a stop */
  bool abandoned;                     /* a job ended while workers were still evaluating for it */
  double asked;                       /* ctl_seconds of the last check for stop requests of workers */
  double deadline_clock, clock_moved; /* s; it stands still while rank 0 does; ctl_seconds of its last update */
  double served;                      /* time on that clock of the last check for waiting owners */
  MessageWait wait;
  double waited_until; /* ctl_seconds */
};

enum { POSTS = 3 /* messages per job and worker */ };

static inline int pool_size(const CtlPool *pool) { return pool->n_workers * SLOTS; }

/* Whether rank 0 must not evaluate. */
static inline bool pool_stands_aside(const CtlPool *pool) { return pool->options.aside && pool->n_workers > 0; }

static inline double job_seconds(const CtlPoolJob *job) { return ctl_seconds() - job->drive.start; }

/* Ends a wait in progress at the time of its last turn, since the caller's work after that is not waiting. */
static inline void pool_end_wait(CtlPool *pool) {
  if (pool->wait.waiting) pool->waiting += pool->waited_until - pool->wait.since;
  pool->wait = (MessageWait){0};
}

/* Number of points of this kind that take about as long as one. */
static inline int job_block(const CtlPoolJob *job, CtlWant want) { return want.derivatives ? 1 : job->load.block; }

/* Whether a job's search has ended. */
static inline bool job_ended(const CtlPoolJob *job) { return driver_ended(&job->drive); }

/* Whether a job continues, as far as known. */
static inline bool counts(const CtlPoolJob *job) { return !job->drive.stop && !job->stopping; }

/* returned.c: points that were returned without an outcome */

/* Stores the points of a slot, from index `from` on, that the search still expects. When out of memory the job is
 * over. */
void pool_return(CtlPoolJob *job, const Slot *slot, int from, bool heavy);
/* Returns the next returned point; NULL: none is expected. Borrowed until the list changes. */
const ReturnedPoint *pool_next_returned(CtlPoolJob *job);
/* Takes up to most >= 1 points of the same kind, or a single heavy one. Returns their number. */
int pool_take_returned(CtlPoolJob *job, int most, long *tickets, double *controls);
/* Evaluates one here if no worker is left for it. Returns whether it did. */
bool pool_evaluate_returned(CtlPool *pool);

/* Whether a job has points to hand out. */
static inline bool job_wants(CtlPoolJob *job) {
  return counts(job) && (driver_unasked(&job->drive, NULL) > 0 || pool_next_returned(job));
}

/* state.c: memory */

SimStatus pool_create(int workers, const CtlPoolOptions *options, CtlPool **pool); /* creates a pool without ranks */
void pool_free(CtlPool *pool);
void pool_job_free(CtlPoolJob *job);

/* slot.c: one batch, sent and received */

/* Reserves storage for points of a job in a free slot, all of one kind. Returns false when out of memory; the job is
 * over then. */
bool pool_reserve(Slot *slot, CtlPoolJob *job, CtlWant want);
/* Maximum number of points of this kind in a batch. */
int pool_batch_most(const CtlPoolJob *job, CtlWant want);
/* Starts sending a message of `size` bytes to a worker. All messages of rank 0 use this function. */
void pool_post(const CtlPool *pool, int w, const void *message, size_t size, int tag, MPI_Request *sent);
/* Sends the points in a slot's work and tickets to its worker, with the model if necessary. */
void pool_send(CtlPool *pool, int k, CtlPoolJob *job, int count);

/* Makes a worker end its work for a slot. */
void pool_drop(CtlPool *pool, int k);

/* shares.c: order in which jobs get batches */

/* Number of owners with active jobs; each one's share of the workers. */
int pool_count_owners(const CtlPool *pool);
int pool_share(const CtlPool *pool, int owners);

/* The next job that has a batch for a slot, after those that were refused (CtlPoolJob.refused); NULL: none. */
CtlPoolJob *pool_next_job(const CtlPool *pool, int k);
/* Records that the job got a batch. */
void pool_note_turn(CtlPool *pool, CtlPoolJob *job);

/* revoke.c: revokes workers of owners that exceed their share, for owners that wait. */
void pool_look_for_unserved(CtlPool *pool);

/* stop.c: detects requests to stop and ends the jobs concerned. */
void pool_look_for_stop(CtlPool *pool);
/* Cancels a job, once, on the workers that hold anything of it. */
void pool_cancel(CtlPool *pool, CtlPoolJob *job);

/* timeout.c: deadlines */

/* Marks batches past their deadline as late. */
void pool_look_for_late(CtlPool *pool);
/* The oldest batch of a worker that is out; -1: none. */
int pool_oldest(const CtlPool *pool, int w);
/* Marks all batches of a worker as late. */
void pool_give_up(CtlPool *pool, int w);
/* Whether nothing of a late batch remains to be sent to others. */
bool pool_spent(Slot *slot);
/* Sends a point of a late batch to a free slot whose worker is idle. Returns whether it did. */
bool pool_give_late(CtlPool *pool, int k);
/* Evaluates one here if no worker is left for it. Returns whether it did. */
bool pool_evaluate_late(CtlPool *pool);

/* spawned.c */

/* Whether a worker is alive: false for a spawned one that has died. */
bool spawned_lives(const CtlPool *pool, int w);
/* Maintains spawned workers: detects deaths and replaces dead workers. */
void spawned_look(CtlPool *pool);
/* Ends the spawned workers: those that have stopped, and those that have not. */
void spawned_close(CtlPool *pool);

#endif
