/* SPDX-License-Identifier: BSD-2-Clause */
/* A pool of MPI ranks that evaluates for several searches at once. Rank 0 coordinates. The other ranks are workers,
 * which know only the models that rank 0 sends. A job is a search with the model that evaluates its points. Points
 * of all jobs are distributed in turn, so no rank idles while one search waits for its last point or has few points.
 * Each job's answer has the same bits as if it ran alone.
 *
 * All sends and receives are non-blocking, so the pool never waits for a single rank. A worker that misses its
 * deadline is considered lost until it answers. It gets no more work, and its points go to other workers, one by
 * one. The deadline of a batch of k blocks of points is
 *
 *     T + (k - 1) t   after the earliest time at which the worker can have started it,
 *
 * where t is the longest time of a block measured so far, and T the job's timeout. Without a timeout T = max(60 s,
 * 20 t), and there is no deadline before the first t. A single point that is late for the second time counts as +inf
 * if the job has a timeout; otherwise it goes to another worker. When all workers are lost, rank 0 evaluates unless
 * `aside` is set.
 *
 * Owners share the workers evenly, with at least one worker each. If an owner has waited for a second, the pool
 * interrupts a worker of an owner that exceeds its share and sends the points out again. Answers do not depend on
 * that.
 *
 * A job stops when its listener's `stopped` returns true, or when a worker was asked to stop and the job has a
 * `stopped`. It then gets no more points handed out. The pool waits for workers that are in time for the listener's
 * grace time. After that it interrupts the workers (ctl_pool_interrupted) and waits two more seconds. A job that
 * ended with CTL_DRIVE_STOPPED can be saved and resumed with all outcomes. After CTL_DRIVE_ABANDONED workers may
 * still be evaluating its points.
 *
 * All functions except ctl_pool_serve, ctl_pool_run and the groups' are called by rank 0 only. */
#ifndef CONTROL_POOL_H
#define CONTROL_POOL_H

#include "control/evaluator.h"

#include <mpi.h>

typedef struct CtlPool CtlPool;
typedef struct CtlPoolJob CtlPoolJob;

/* Options of a pool. NULL stands for all zeros. */
typedef struct CtlPoolOptions {
  int batch;      /* number of points per message; 0: chosen from the rest of the round and measured times */
  bool evaluates; /* whether the coordinator also evaluates a few points at a time while all workers are busy */
  bool aside;     /* whether the coordinator never evaluates while there is a worker, not even a late worker's points */
  double grace;   /* time that workers have to stop at the end, in s; 0: 30 */
  /* the same time after an abandoned job, if its evaluations will soon end by themselves, in s; 0: none */
  double abandoned;
} CtlPoolOptions;

/* A job. Everything is borrowed until the job is removed, except the model's bytes, which are copied. */
typedef struct CtlJob {
  CtlSearch *search; /* search of the job; NULL if the job has tasks */
  /* tasks of the job, which are handed out one by one; the listener then gets search NULL. NULL if the job has a
   * search */
  CtlTasks *tasks;
  const CtlEvaluator *evaluator; /* evaluator that rank 0 uses */
  const CtlListener *listener;   /* listener of the job; may be NULL; its callbacks must neither add nor remove jobs */
  const void *model;             /* bytes from which the workers' builder makes an equivalent evaluator */
  size_t model_size;             /* size of the model, in bytes; less than 16 GiB */
  /* number of the owner; workers are shared among owners first, then among the jobs of each; 0: default owner */
  long owner;
  /* time limit of one evaluation, in s; 0: none. The limit includes messages and, for a worker's first evaluation,
   * building the model. */
  double timeout;
} CtlJob;

/* Creates a pool. The workers, ranks 1.. of comm, must call ctl_pool_serve. comm: borrowed. SIM_OK or SIM_NO_MEMORY. */
SimStatus ctl_pool_create(MPI_Comm comm, const CtlPoolOptions *options, CtlPool **pool);

/* Adds a job at any time, with a new or a loaded search. *added belongs to the pool until it is removed. SIM_OK or
 * SIM_NO_MEMORY. */
SimStatus ctl_pool_add(CtlPool *pool, const CtlJob *job, CtlPoolJob **added);

/* Makes progress on all jobs: receives outcomes, sends points, evaluates a few points on rank 0 or else sleeps for at
 * most a millisecond. Calls the listeners. */
void ctl_pool_turn(CtlPool *pool);

/* Whether a worker that received a signal has asked for all jobs to stop, even if there are none. pool NULL: false. */
bool ctl_pool_stop_requested(const CtlPool *pool);

/* Whether a job is over. *stop: 0 if its search has ended; CTL_DRIVE_NO_MEMORY, CTL_DRIVE_STOPPED, CTL_DRIVE_ABANDONED,
 * CTL_POOL_REFUSED or (job NULL) CTL_DRIVE_BAD_ARGUMENT; otherwise the listener's result. */
enum { CTL_POOL_REFUSED = -4 }; /* a worker could not build the model, or its n, d, m differ from those of rank 0 */
bool ctl_pool_over(const CtlPoolJob *job, int *stop);

/* Returns the times of a job so far. With several jobs, `waiting` is the pool's while the job was in it, and
 * `coordinating` is the work for all jobs. */
void ctl_pool_times(const CtlPool *pool, const CtlPoolJob *job, CtlTimes *times);

/* Removes a job at any time. The search of the job is not used any more, and outcomes that workers still compute for it
 * are dropped. */
void ctl_pool_remove(CtlPool *pool, CtlPoolJob *job);

/* Runs one job from beginning to end. Returns *stop of ctl_pool_over. */
int ctl_pool_drive(CtlPool *pool, const CtlJob *job, CtlTimes *times);

/* Stops the workers and destroys the pool. Returns whether all workers stopped within the grace time (`abandoned`
 * after an abandoned job). If not, MPI_Finalize would wait for them for ever; the caller must end all ranks by
 * MPI_Abort. Workers that have stopped wait for it. */
bool ctl_pool_close(CtlPool *pool);

/* For one search, creates a pool, runs the search and closes the pool, if every rank of comm has the evaluator. Rank 0
 * searches and evaluates. search, listener and times are used on rank 0 only; listener and times may be NULL.
 * Collective. Returns on rank 0 what ctl_pool_drive returns, elsewhere 0 or CTL_DRIVE_NO_MEMORY. After any result but 0
 * MPI_Finalize may wait for ever, so end by MPI_Abort. */
int ctl_pool_run(MPI_Comm comm, CtlSearch *search, CtlEvaluator *evaluator, const CtlListener *listener,
                 CtlTimes *times);

/* How a worker makes an evaluator from a model's bytes and releases it. A failing build returns a status other than
 * SIM_OK and releases all it has allocated. */
typedef struct CtlBuilder {
  void *context;
  SimStatus (*build)(void *context, const void *bytes, size_t size, CtlEvaluator *evaluator);
  void (*release)(void *context, CtlEvaluator *evaluator);
  /* called between evaluations; returns whether this worker has been asked to stop. NULL: never */
  bool (*stopped)(void);
} CtlBuilder;

/* Builder for workers that already have their evaluator (borrowed). The builder ignores the bytes of the model.
 * stopped: NULL. */
CtlBuilder ctl_builder_of(CtlEvaluator *evaluator);

/* Worker's side: evaluates the points that rank 0 of comm sends until rank 0 ends it. Sleeps after a long wait.
 * Returns SIM_OK, or SIM_NO_MEMORY; the caller must then abort, because rank 0 is waiting. */
SimStatus ctl_pool_serve(const CtlBuilder *builder, MPI_Comm comm);

/* To be called within an evaluation: whether this thread is in ctl_pool_serve. */
bool ctl_pool_serves(void);
/* To be called within an evaluation: whether rank 0 has cancelled it, because its job was stopped or removed or because
 * all jobs must stop. This function can serve as SimInterrupt.stops: it is fast and stays true until the evaluation
 * returns. The outcome is then dropped. */
bool ctl_pool_interrupted(void);

/* Workers that rank 0 spawns one by one and replaces when they die, in a program started by `mpirun -n 1
 * --enable-recovery`.
 *
 * - Each worker is an MPI job of its own, so its death does not affect the others. All messages are point to point.
 * - MPI never reports a death. Rank 0 detects it from the process if the worker is on the same machine, otherwise by
 *   the deadline of its work. A late worker on the same machine is killed.
 * - It does not work under srun, where Open MPI cannot spawn.
 * - MPI_Comm_spawn waits for ever for a worker that dies while it starts, unless the program sets
 *   OMPI_MCA_pmix_base_exchange_timeout (s) before MPI_Init. No further worker is started after such a timeout.
 * - The program must ignore SIGPIPE. Open MPI writes to its sockets without MSG_NOSIGNAL, so the second message to a
 *   dead worker would otherwise kill rank 0 and leave the other workers waiting for ever. */
typedef struct CtlSpawn {
  const char *program;
  char **arguments; /* NULL-terminated arguments, without the program's name */
  int workers;      /* number of workers */
  int respawns;     /* maximum number of replacements, for all workers together */
} CtlSpawn;

/* Spawns the workers, each of which must call ctl_pool_serve_spawned. The pointers in *spawn are borrowed. Blocks
 * while a worker starts, at most 30 s, here and at each replacement. SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM if
 * MPI cannot spawn any worker. If some are missing, they are spawned later. *pool: NULL unless SIM_OK. */
SimStatus ctl_pool_spawn(const CtlSpawn *spawn, const CtlPoolOptions *options, CtlPool **pool);

/* Does what ctl_pool_serve does, in a spawned process (MPI_Comm_get_parent is not MPI_COMM_NULL). The caller must then
 * end by _exit, because MPI_Finalize could wait for others. The process ends within a second after the death of rank 0
 * on the same machine. Returns the results of ctl_pool_serve, or SIM_NOT_FINISHED if rank 0 has sent nothing. */
SimStatus ctl_pool_serve_spawned(const CtlBuilder *builder);

/* An evaluator of several ranks that simulate one point together, each with its own rows of a sparse model. The
 * first rank, the leader, is a worker of the pool. The others follow it. */
typedef struct CtlGroupEvaluator CtlGroupEvaluator;

/* Creates a group evaluator. simulation: this rank's rows; group: the model's; both borrowed. Collective over the
 * group, like the functions below. NULL on all ranks: no memory. */
CtlGroupEvaluator *ctl_group_create(CtlSimulation *simulation, SimGroup *group);
void ctl_group_destroy(CtlGroupEvaluator *group); /* local, may be NULL */

/* Called by the leader: returns its evaluator, which makes all ranks simulate each point. Borrows the group. */
CtlEvaluator ctl_group_evaluator(CtlGroupEvaluator *group);

/* Called by the leader: ends ctl_group_follow on the other ranks. */
void ctl_group_dismiss(CtlGroupEvaluator *group);

/* Called by a follower: takes part in the leader's evaluations until the leader ends it. */
void ctl_group_follow(CtlGroupEvaluator *group);

#endif
