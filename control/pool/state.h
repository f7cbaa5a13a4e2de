/* SPDX-License-Identifier: BSD-2-Clause */
/* Internals of a pool: its structs and the functions that its files share. */
#ifndef CONTROL_POOL_STATE_H
#define CONTROL_POOL_STATE_H

#include "control/base/clock.h"
#include "control/drive/local_batch.h"
#include "control/pool.h"
#include "control/pool/load_balance.h"
#include "control/worker/message.h"

enum { SLOTS = 2 }; /* number of batches per worker; while a worker evaluates one batch, the next one already arrives */

typedef enum SlotState {
  SLOT_FREE,
  SLOT_OUT,
  SLOT_LATE /* the worker has missed the deadline of the batch; the points may be sent to other workers, but this worker
             * may still reply */
} SlotState;

/* A slot holds one batch of points, from the time when the batch is sent to a worker until its outcomes arrive. */
typedef struct Slot {
  SlotState state;
  CtlPoolJob *job; /* job of the batch; NULL: the job was removed, and the reply will be ignored */
  int n, d, count; /* n, d: sizes of the job's problem; count: number of points in the batch */
  CtlWant want;    /* what to evaluate at all points of the batch */
  size_t r;        /* number of doubles in the derivatives of a point; 0 if no derivatives are evaluated */
  int next;        /* in state SLOT_LATE: the points before this index have been sent to other workers or are not
                    * needed */
  bool again;      /* whether the batch is a single point that has been late once before */
  /* whether the message DROP has been sent to the worker; the reply for this batch is then ignored, and the points may
   * be sent to other workers */
  bool dropped;
  bool heavy;       /* whether the batch is a single point that was revoked from a worker (revoke.c) */
  double allowance; /* time allowed for the batch, in s, counted from when the worker can have started it */
  long serial;      /* serial number of the batch, in order of sending */
  long *tickets;    /* [points] tickets of the batch's points; owned, like the buffers work and done */
  MessageWork *work;
  MessageDone *done;
  int points;       /* capacity of the array tickets */
  size_t room;      /* capacity of the buffers work and done, in bytes */
  MessageDrop drop; /* buffer of the message DROP while it is being sent */
  MPI_Request sent, dropping;
} Slot;

typedef struct PoolWorker {
  MPI_Comm comm; /* communicator in which the worker has the rank `rank` */
  int rank;
  enum { WORKER_SERVING, WORKER_STOPPED, WORKER_ABSENT } state;
  int out, late; /* number of this worker's slots in state SLOT_OUT, and in state SLOT_LATE */
  double begun;  /* earliest time at which the worker can have started its oldest batch, on the deadline clock of the
                  * pool */
} PoolWorker;

/* A point that was returned without an outcome. */
typedef struct ReturnedPoint {
  long ticket;
  CtlWant want;
  bool heavy; /* whether the point was revoked from a worker (revoke.c); such a point may take long and is sent alone */
} ReturnedPoint;

struct CtlPoolJob {
  /* state of the drive; of its times only evaluating, ivps, batches, evaluators and overdue are used (ctl_pool_times
   * computes the others) */
  Drive drive;
  CtlPoolJob *next;
  MessageModel *model;  /* the model as a message; owned, like `knows` and `posted` */
  bool *knows;          /* [workers] whether the model has been sent to each worker */
  MPI_Request *posted;  /* [3 * workers] requests of the messages MODEL, FORGET and CANCEL */
  MessageForget forget; /* buffer of the message FORGET or CANCEL while it is being sent */
  bool cancelled;       /* whether the message CANCEL has been sent to all workers that hold points or the model of
                         * this job */
  LoadBalance load;
  long owner;
  long turn;     /* serial number of the pool's batches when the job's owner last got a batch */
  int batch;     /* number of points per batch; 0: this number is chosen automatically */
  int most_rows; /* maximum number of points in a batch if derivatives are evaluated */
  LocalBatch local;
  /* [returned_room] returned points; n_returned of them, from returned_first on, are in use; owned, like
   * returned_controls */
  ReturnedPoint *returned;
  double *returned_controls; /* [returned_room][n] controls of these points */
  int returned_first, n_returned, returned_room;
  double served;              /* last time, on the deadline clock of the pool, at which the job's owner had its share of
                               * the workers, or nothing to evaluate */
  double waiting, evaluating; /* the totals `waiting` and `evaluating` of the pool at the time when the job was added */
  double longest;             /* longest time that a block of points has taken so far, in s */
  double timeout;             /* time limit of an evaluation, in s, from CtlJob */
  bool refused;               /* used while a slot is filled: whether the job was found to have nothing to send to
                               * the slot's worker */
  /* whether the job stops on request: its remaining points are not handed out, and outcomes of points at workers are
   * awaited */
  bool stopping;
  double stopping_since; /* time at which `stopping` was set, by ctl_seconds */
};

typedef struct SpawnedWorkers SpawnedWorkers;

struct CtlPool {
  CtlPoolOptions options;
  SpawnedWorkers *spawned; /* spawned workers; NULL: the workers are ranks of the same MPI job */
  int n_workers;
  long alive;            /* number of workers without a late batch */
  PoolWorker *workers;   /* [n_workers] workers */
  Slot *slots;           /* [n_workers * SLOTS] slots; slot s of worker w is at s * n_workers + w */
  MPI_Request *received; /* [n_workers * SLOTS] requests of the receives */
  int *indices;          /* [n_workers * SLOTS] output of MPI_Testsome */
  int *idle;             /* [n_workers * SLOTS] indices of free slots, n_idle of them */
  int n_idle, n_late;
  CtlPoolJob *jobs;    /* queue of jobs; points of the first job are handed out first */
  CtlPoolJob *removed; /* removed jobs; their messages with models may still be in transit */
  int64_t models;      /* number of models that have been sent to workers so far */
  long serial;         /* number that the next batch gets; batches are numbered in the order in which they are sent */
  double waiting, evaluating; /* times, in s, for which rank 0 has waited for messages, and has evaluated points itself,
                               * in total so far */
  bool stop_requested;        /* whether a worker has requested a stop */
  bool abandoned;             /* whether a job ended while workers were still evaluating its points */
  double asked;               /* time of the last check for stop requests of workers, by ctl_seconds */
  /* deadline_clock: clock, in s, that does not advance while rank 0 is suspended. clock_moved: time of the last update
   * of this clock, by ctl_seconds */
  double deadline_clock, clock_moved;
  /* time of the last check for owners with jobs that wait although workers evaluate for other owners, on the deadline
   * clock */
  double served;
  MessageWait wait;
  double waited_until; /* time of the last turn of a wait in progress, by ctl_seconds */
};

enum { POSTS = 3 /* number of messages about its model that a job may send to each worker */ };

static inline int pool_size(const CtlPool *pool) { return pool->n_workers * SLOTS; }

/* Whether rank 0 must not evaluate, because the option `aside` is set and there are workers. */
static inline bool pool_stands_aside(const CtlPool *pool) { return pool->options.aside && pool->n_workers > 0; }

static inline double job_seconds(const CtlPoolJob *job) { return ctl_seconds() - job->drive.start; }

/* Ends a wait in progress. The end of the wait is the time of the last turn, since after that turn rank 0 was busy. */
static inline void pool_end_wait(CtlPool *pool) {
  if (pool->wait.waiting) pool->waiting += pool->waited_until - pool->wait.since;
  pool->wait = (MessageWait){0};
}

/* Returns the number of points, with this CtlWant, that take about as long together as a single point. */
static inline int job_block(const CtlPoolJob *job, CtlWant want) { return want.derivatives ? 1 : job->load.block; }

/* Whether a job's search has ended. */
static inline bool job_ended(const CtlPoolJob *job) { return driver_ended(&job->drive); }

/* Whether a job is still running, as far as rank 0 knows. */
static inline bool counts(const CtlPoolJob *job) { return !job->drive.stop && !job->stopping; }

/* Functions of returned.c: points that were returned without an outcome. */

/* Stores the points of a slot, from index `from` on, that the search still expects. If memory is lacking, the job
 * ends. */
void pool_return(CtlPoolJob *job, const Slot *slot, int from, bool heavy);
/* Returns the next point that was returned without an outcome and is still expected; NULL if there is none. The point
 * is borrowed until the list changes. */
const ReturnedPoint *pool_next_returned(CtlPoolJob *job);
/* Takes up to most >= 1 returned points with the same CtlWant, or a single heavy one. Returns their number. */
int pool_take_returned(CtlPoolJob *job, int most, long *tickets, double *controls);
/* Evaluates a returned point on rank 0 if no worker is left to evaluate it. Returns whether a point was evaluated. */
bool pool_evaluate_returned(CtlPool *pool);

/* Whether a job has points to hand out. */
static inline bool job_wants(CtlPoolJob *job) {
  return counts(job) && (driver_unasked(&job->drive, NULL) > 0 || pool_next_returned(job));
}

/* Functions of state.c: memory of pools and jobs. */

SimStatus pool_create(int workers, const CtlPoolOptions *options, CtlPool **pool); /* creates a pool without ranks */
void pool_free(CtlPool *pool);
void pool_job_free(CtlPoolJob *job);

/* Functions of slot.c: one batch, sent and received. */

/* Reserves storage in a free slot for points of a job, all with the same CtlWant. Returns false if memory is lacking;
 * the job is then over. */
bool pool_reserve(Slot *slot, CtlPoolJob *job, CtlWant want);
/* Returns the maximum number of points in a batch if all have this CtlWant. */
int pool_batch_most(const CtlPoolJob *job, CtlWant want);
/* Starts sending a message of `size` bytes to worker w. Rank 0 sends all its messages by this function. */
void pool_post(const CtlPool *pool, int w, const void *message, size_t size, int tag, MPI_Request *sent);
/* Sends the points stored in slot k (its `work` and `tickets`) to its worker, with the model if the worker does not
 * have it. */
void pool_send(CtlPool *pool, int k, CtlPoolJob *job, int count);

/* Makes a worker end its work for slot k. */
void pool_drop(CtlPool *pool, int k);

/* Functions of shares.c: the order in which jobs get batches. */

/* pool_count_owners returns the number of owners with active jobs, and pool_share the number of workers to which each
 * owner is entitled. */
int pool_count_owners(const CtlPool *pool);
int pool_share(const CtlPool *pool, int owners);

/* Returns the next job that has a batch for slot k, except jobs that were refused (CtlPoolJob.refused); NULL if no job
 * has a batch. */
CtlPoolJob *pool_next_job(const CtlPool *pool, int k);
/* Records that a job got a batch. */
void pool_note_turn(CtlPool *pool, CtlPoolJob *job);

/* Function of revoke.c: revokes workers of owners that have more than their share, if other owners wait. */
void pool_look_for_unserved(CtlPool *pool);

/* Functions of stop.c, which detect requests to stop and end the jobs concerned. */
void pool_look_for_stop(CtlPool *pool);
/* Sends the message CANCEL for a job, only once, to all workers that hold points or the model of this job. */
void pool_cancel(CtlPool *pool, CtlPoolJob *job);

/* Functions of timeout.c: deadlines. */

/* Marks batches as late if their deadline has passed. */
void pool_look_for_late(CtlPool *pool);
/* Returns the slot with the oldest batch to which worker w has not replied; -1 if there is none. */
int pool_oldest(const CtlPool *pool, int w);
/* Marks all batches of worker w as late. */
void pool_give_up(CtlPool *pool, int w);
/* Whether all points of a late batch have been sent to other workers or are not needed. */
bool pool_spent(Slot *slot);
/* Sends a point of a late batch to a free slot of an idle worker. Returns whether a point was sent. */
bool pool_give_late(CtlPool *pool, int k);
/* Evaluates a point of a late batch on rank 0 if no worker is left to evaluate it. Returns whether a point was
 * evaluated. */
bool pool_evaluate_late(CtlPool *pool);

/* Functions of spawned.c: workers that rank 0 has spawned. */

/* Whether a worker is alive. Workers that were not spawned always count as alive. */
bool spawned_lives(const CtlPool *pool, int w);
/* Maintains spawned workers: detects their deaths and replaces them. */
void spawned_look(CtlPool *pool);
/* Ends all spawned workers, also those that have not stopped. */
void spawned_close(CtlPool *pool);

#endif
