/* SPDX-License-Identifier: BSD-2-Clause */
/* A pool of MPI ranks that evaluates for several searches at once. Rank 0 coordinates. The other ranks are workers,
 * which know only the models that rank 0 sends. A job is a search together with the model that evaluates its points.
 * The pool takes points from all jobs in turn, so that no rank idles while one search waits for its last point or has
 * few points. The result of each job has the same bits as if the job ran alone.
 *
 * All sends and receives are non-blocking, so the pool never waits for a single rank. A worker that misses its deadline
 * is considered lost until it replies. It gets no more work, and its points go to other workers, one by one. The
 * deadline of a batch of k blocks of points is
 *
 *   T + (k - 1) t after the earliest time at which the worker can have started the batch,
 *
 * where t is the longest time of a block measured so far, and T the timeout of the job. Without a timeout T = max(60 s,
 * 20 t), and there is no deadline before the first t. A single point that is late for the second time counts as +inf if
 * the job has a timeout; otherwise it goes to another worker. When all workers are lost, rank 0 evaluates unless the
 * option `aside` is set.
 *
 * Each job has an owner, for example one user of a service. Owners get equal numbers of workers, at least one each. If
 * an owner has waited for a second, the pool interrupts a worker of an owner that has more than its fair number and
 * sends the points of this worker out again. Results do not depend on that.
 *
 * A job stops when its listener's `stopped` returns true, or when a worker was asked to stop and the job has a callback
 * `stopped`. None of its points are then handed out any more. The pool waits for workers that are within their
 * deadlines, for the listener's grace time. After that it interrupts the workers (ctl_pool_interrupted) and waits two
 * more seconds. A job that ended with CTL_DRIVE_STOPPED can be saved with all outcomes and resumed. After
 * CTL_DRIVE_ABANDONED workers may still be evaluating its points.
 *
 * All functions are called by rank 0 only, except ctl_pool_serve, ctl_pool_run and the functions of group
 * evaluators. */
#ifndef CONTROL_POOL_H
#define CONTROL_POOL_H

#include "control/evaluator.h"

#include <mpi.h>

typedef struct CtlPool CtlPool;
typedef struct CtlPoolJob CtlPoolJob;

/* Options of a pool. A NULL pointer to options stands for all zeros. */
typedef struct CtlPoolOptions {
  int batch;      /* number of points per message; 0: chosen from the number of remaining points of the round and from
                   * measured times */
  bool evaluates; /* whether the coordinator, rank 0, also evaluates a few points at a time while all workers are
                   * busy */
  bool aside;     /* whether the coordinator never evaluates while there is a worker, not even the points of a late
                   * worker */
  double grace;   /* time that workers have to stop at the end, in s; 0: 30 */
  /* replaces `grace` after an abandoned job if its evaluations will soon end by themselves, in s; 0: no wait */
  double abandoned;
} CtlPoolOptions;

/* A job. All pointers are borrowed until the job is removed, except the model's bytes, which are copied. */
typedef struct CtlJob {
  CtlSearch *search; /* search of the job; NULL if the job has tasks */
  /* tasks of the job, which are handed out one by one; the listener then gets search NULL. NULL if the job has a
   * search */
  CtlTasks *tasks;
  const CtlEvaluator *evaluator; /* evaluator that rank 0 uses */
  const CtlListener *listener;   /* listener of the job; may be NULL; its callbacks must neither add nor remove jobs */
  const void *model;             /* bytes from which the builder of a worker (CtlBuilder) makes an equivalent
                                  * evaluator */
  size_t model_size;             /* size of `model`, in bytes; less than 16 GiB */
  /* number of the owner; workers are divided among owners first, then among the jobs of each; 0: default owner */
  long owner;
  /* time limit of one evaluation, in s; 0: none. The limit includes messages and, for the first evaluation of a worker,
   * the time to build the model. */
  double timeout;
} CtlJob;

/* Creates a pool. The workers, ranks 1.. of comm, must call ctl_pool_serve. comm: borrowed. Returns SIM_OK or
 * SIM_NO_MEMORY. */
SimStatus ctl_pool_create(MPI_Comm comm, const CtlPoolOptions *options, CtlPool **pool);

/* Adds a job at any time, with a new or a loaded search. *added belongs to the pool until the job is removed. Returns
 * SIM_OK or SIM_NO_MEMORY. */
SimStatus ctl_pool_add(CtlPool *pool, const CtlJob *job, CtlPoolJob **added);

/* Makes progress on all jobs: receives outcomes, sends points, and evaluates a few points on rank 0 or else sleeps for
 * at most a millisecond. Calls the listeners. */
void ctl_pool_turn(CtlPool *pool);

/* Whether a worker that received a signal has asked for all jobs to stop; this may be true even if there are no jobs.
 * pool NULL: false. */
bool ctl_pool_stop_requested(const CtlPool *pool);

/* ctl_pool_over returns whether a job is over and sets *stop. *stop is 0 if the search of the job has ended;
 * CTL_DRIVE_NO_MEMORY, CTL_DRIVE_STOPPED, CTL_DRIVE_ABANDONED or CTL_POOL_REFUSED; CTL_DRIVE_BAD_ARGUMENT if job is
 * NULL; otherwise the listener's result. */
enum { CTL_POOL_REFUSED = -4 }; /* a worker could not build the model, or its n, d, m differ from those of rank 0 */
bool ctl_pool_over(const CtlPoolJob *job, int *stop);

/* Fills *times with the times of a job so far. With several jobs, `waiting` is the idle time of the pool while the job
 * was in it, and `coordinating` is the work of rank 0 for all jobs. */
void ctl_pool_times(const CtlPool *pool, const CtlPoolJob *job, CtlTimes *times);

/* Removes a job at any time. The pool no longer uses the search of the job, and drops outcomes that workers still
 * compute for it. */
void ctl_pool_remove(CtlPool *pool, CtlPoolJob *job);

/* Runs one job from beginning to end. Returns the value that ctl_pool_over has as *stop. */
int ctl_pool_drive(CtlPool *pool, const CtlJob *job, CtlTimes *times);

/* Stops the workers and destroys the pool. Returns whether all workers stopped within the time `grace`, or `abandoned`
 * after an abandoned job (CtlPoolOptions). If not, MPI_Finalize would wait for them for ever; the caller must end all
 * ranks by MPI_Abort. Workers that have stopped wait for this call. */
bool ctl_pool_close(CtlPool *pool);

/* Creates a pool for one search, runs the search and closes the pool. Every rank of comm must have the evaluator. Rank
 * 0 runs the search and also evaluates. search, listener and times are used on rank 0 only; listener and times may be
 * NULL. Collective. Returns on rank 0 what ctl_pool_drive returns, elsewhere 0 or CTL_DRIVE_NO_MEMORY. After any result
 * but 0 MPI_Finalize may wait for ever; end the program then by MPI_Abort. */
int ctl_pool_run(MPI_Comm comm, CtlSearch *search, CtlEvaluator *evaluator, const CtlListener *listener,
                 CtlTimes *times);

/* Callbacks by which a worker makes an evaluator from the bytes of a model and releases it. If `build` fails, it
 * returns a status other than SIM_OK and releases all it has allocated. */
typedef struct CtlBuilder {
  void *context;
  SimStatus (*build)(void *context, const void *bytes, size_t size, CtlEvaluator *evaluator);
  void (*release)(void *context, CtlEvaluator *evaluator);
  /* called between evaluations; returns whether this worker has been asked to stop. NULL: never */
  bool (*stopped)(void);
} CtlBuilder;

/* Returns the builder for a worker that already has its evaluator (borrowed). The builder ignores the bytes of the
 * model. Its callback `stopped` is NULL. */
CtlBuilder ctl_builder_of(CtlEvaluator *evaluator);

/* Called by a worker: evaluates the points that rank 0 of comm sends, until rank 0 ends the service. After a long wait
 * the worker sleeps between checks for messages. Returns SIM_OK or SIM_NO_MEMORY; after SIM_NO_MEMORY the caller must
 * abort all ranks, because rank 0 is waiting. */
SimStatus ctl_pool_serve(const CtlBuilder *builder, MPI_Comm comm);

/* For calls within an evaluation: whether this thread is in ctl_pool_serve. */
bool ctl_pool_serves(void);
/* For calls within an evaluation: whether rank 0 has cancelled this evaluation, because its job was stopped or removed
 * or because all jobs must stop. This function can serve as SimInterrupt.stops: it is fast and stays true until the
 * evaluation returns. The outcome is then dropped. */
bool ctl_pool_interrupted(void);

/* Workers that rank 0 spawns one by one and replaces when they die, in a program started by `mpirun -n 1
 * --enable-recovery`.
 *
 * - Each worker is an MPI job of its own, so that its death does not affect the others. All messages are point to
 *   point.
 * - MPI never reports the death of a worker. If the worker is on the same machine, rank 0 detects it from the state of
 *   the process, otherwise from a missed deadline. A late worker on the same machine is killed.
 * - Spawning does not work under srun, where Open MPI cannot spawn.
 * - MPI_Comm_spawn waits for ever for a worker that dies while it starts, unless the program sets
 *   OMPI_MCA_pmix_base_exchange_timeout (s) before MPI_Init. No further worker is started after such a timeout.
 * - The program must ignore SIGPIPE. Open MPI writes to its sockets without MSG_NOSIGNAL, so that the second message to
 *   a dead worker would otherwise kill rank 0 and leave the other workers waiting for ever. */
typedef struct CtlSpawn {
  const char *program;
  char **arguments; /* NULL-terminated arguments, without the program's name */
  int workers;      /* number of workers */
  int respawns;     /* maximum number of replacements, for all workers together */
} CtlSpawn;

/* Spawns the workers, each of which must call ctl_pool_serve_spawned. The pointers in *spawn are borrowed. The call
 * blocks while a worker starts, at most 30 s; so does each later replacement. Workers that are missing at first are
 * spawned later. Returns SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM if MPI cannot spawn any worker. *pool: NULL unless
 * SIM_OK. */
SimStatus ctl_pool_spawn(const CtlSpawn *spawn, const CtlPoolOptions *options, CtlPool **pool);

/* Does what ctl_pool_serve does, in a spawned process (MPI_Comm_get_parent is not MPI_COMM_NULL). The caller must then
 * end by _exit, because MPI_Finalize could wait for others. The process ends within a second after the death of rank 0
 * on the same machine. Returns the results of ctl_pool_serve, or SIM_NOT_FINISHED if rank 0 has sent nothing. */
SimStatus ctl_pool_serve_spawned(const CtlBuilder *builder);

/* An evaluator of several ranks that simulate one point together, each with its own rows of a sparse model. The first
 * rank, the leader, is a worker of the pool. The others, its followers, do not exchange messages with the pool. */
typedef struct CtlGroupEvaluator CtlGroupEvaluator;

/* Creates a group evaluator. simulation: that of this rank's rows; group: the ranks of the model; both borrowed.
 * Collective over the group, like the functions below. Returns NULL on all ranks if memory is lacking. */
CtlGroupEvaluator *ctl_group_create(CtlSimulation *simulation, SimGroup *group);
void ctl_group_destroy(CtlGroupEvaluator *group); /* not collective; group: may be NULL */

/* Called by the leader: returns its evaluator, which makes all ranks of the group simulate each point together. Borrows
 * the group. */
CtlEvaluator ctl_group_evaluator(CtlGroupEvaluator *group);

/* Called by the leader: makes ctl_group_follow return on the other ranks. */
void ctl_group_dismiss(CtlGroupEvaluator *group);

/* Called by a follower: takes part in the leader's evaluations until the leader calls ctl_group_dismiss. */
void ctl_group_follow(CtlGroupEvaluator *group);

#endif
