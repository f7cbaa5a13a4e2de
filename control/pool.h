/* A pool of MPI ranks that evaluates for several searches at once. Rank 0 coordinates; the others are workers, which know
 * nothing but the models they have been sent. A job is a search and the model that its points are evaluated with; the
 * points of all jobs go round the workers in turn, so that one search's ranks are not idle while its last point is out
 * and a small scheme keeps no rank waiting. Each job's answer is the same, bit for bit, as if it had been alone.
 *
 * Nobody waits for one rank alone: all sends and receives are non-blocking. A worker that does not answer in time is
 * lost until it does: it gets nothing more, and its points go to others, one by one. In time means
 *
 *     T + (k - 1) t   from when the worker can have begun with a batch of k blocks of points,
 *
 * t the longest time of a block measured so far, and T the job's timeout or, when it has none, max(60 s, 20 t), and no
 * limit before the first t. A point alone that is late for the second time counts as +inf, if the job has a timeout;
 * without one it goes to yet another worker. When no worker is left, rank 0 evaluates, unless it stands aside.
 *
 * Owners share the workers evenly, at least one each. Where one has waited for a second, a worker of another that holds more than its share is freed, as
 * if what it does were not wanted any more, and its points go out once more: no answer depends on it, and what is within a share goes on.
 *
 * A job whose listener says `stopped`, or any that can be stopped when a worker has been asked to, gets nothing more
 * handed out; what is with workers that are in time is waited for and told, for the listener's grace time. Then the workers are told
 * that nobody wants it any more (ctl_pool_interrupted), and have another two seconds. So a job that was CTL_DRIVE_STOPPED can be saved and goes on
 * later with what came of it; if it was CTL_DRIVE_ABANDONED, workers may still be at it.
 *
 * Everything here is rank 0's but ctl_pool_serve. No call is collective. */
#ifndef CONTROL_POOL_H
#define CONTROL_POOL_H

#include "control/evaluator.h"

#include <mpi.h>

SIM_API_BEGIN

typedef struct CtlPool CtlPool;
typedef struct CtlPoolJob CtlPoolJob;

/* How a pool is led; NULL in its place: as it is by zeros. */
typedef struct CtlPoolOptions {
  int batch;      /* points per message; 0: chosen by what is left of the simplex and by measured times */
  bool evaluates; /* the coordinator evaluates, too, a little at a time, while every worker has its hands full */
  bool
      aside; /* it never does while there is a worker, not even for those that do not answer: it must be free for other things */
  double grace; /* s that workers are given to stop at the end; 0: 5 */
  double
      abandoned; /* s likewise where a job was abandoned, of evaluations that end by themselves soon after; 0: none */
} CtlPoolOptions;

/* All borrowed until the job is removed, but for the model's bytes, which are copied. */
typedef struct CtlJob {
  CtlSearch *search;             /* NULL: of */
  CtlTasks *tasks;               /* handed out one by one; the search of what the listener hears is NULL then */
  const CtlEvaluator *evaluator; /* rank 0's own */
  const CtlListener *listener;   /* may be NULL; its calls must neither add nor remove jobs */
  const void *model;             /* what the workers' builder makes an evaluator of the same kind from */
  size_t model_size;             /* bytes, < 16 GiB */
  long owner;     /* workers are shared by owners first, then by the jobs of each; 0: one like all others */
  double timeout; /* s, of one evaluation, messages and, for a worker's first, building the model
                                  * included; 0: none */
} CtlJob;

/* The workers, ranks 1.. of comm, must be in ctl_pool_serve. comm: borrowed. SIM_OK or SIM_NO_MEMORY. */
SimStatus ctl_pool_create(MPI_Comm comm, const CtlPoolOptions *options, CtlPool **pool);

/* At any time, and for any searches, new or loaded. *job: the pool's, until it is removed. SIM_OK or SIM_NO_MEMORY. */
SimStatus ctl_pool_add(CtlPool *pool, const CtlJob *job, CtlPoolJob **added);

/* Goes on a little with all jobs: takes in what has come back, hands out, evaluates a piece here, or else sleeps, a
 * millisecond at most. Calls the listeners. */
void ctl_pool_turn(CtlPool *pool);

/* Whether a worker has asked for all jobs to stop, on a signal that it has got; also while there is none. pool: NULL: no. */
bool ctl_pool_stop_requested(const CtlPool *pool);

/* Whether a job is over. *stop: 0 its search has ended; CTL_DRIVE_NO_MEMORY, CTL_DRIVE_STOPPED, CTL_DRIVE_ABANDONED or
 * CTL_POOL_REFUSED, CTL_DRIVE_BAD_ARGUMENT (of no job); or else what its listener returned. */
enum { CTL_POOL_REFUSED = -4 }; /* a worker could not build the model, or not with rank 0's n, d and m */
bool ctl_pool_over(const CtlPoolJob *job, int *stop);

/* Where a job's time went so far. With several jobs, waiting is the pool's while the job was there, and coordinating is
 * for all of them. */
void ctl_pool_times(const CtlPool *pool, const CtlPoolJob *job, CtlTimes *times);

/* Takes a job out, over or not: its search is not touched any more, and what workers still do for it is dropped. */
void ctl_pool_remove(CtlPool *pool, CtlPoolJob *job);

/* One job from beginning to end. Returns *stop of ctl_pool_over. */
int ctl_pool_drive(CtlPool *pool, const CtlJob *job, CtlTimes *times);

/* Stops the workers and destroys the pool. Returns whether all have stopped. If not, some have not done so within the
 * pool's grace time (`abandoned`, when a job was), and MPI_Finalize would wait for them for ever: the caller must then
 * end all ranks by MPI_Abort, for which those that have stopped are waiting. */
bool ctl_pool_close(CtlPool *pool);

/* All of this for one search whose evaluator every rank of comm has: rank 0 searches, and evaluates along; search, listener and
 * times are its own, the latter two may be NULL. Collective. Returns 0, or on rank 0 what ctl_pool_drive returns, elsewhere
 * CTL_DRIVE_NO_MEMORY; MPI_Finalize may wait for ever after anything else than 0: end by MPI_Abort then. */
int ctl_pool_run(MPI_Comm comm, CtlSearch *search, CtlEvaluator *evaluator, const CtlListener *listener,
                 CtlTimes *times);

/* How a worker makes an evaluator of a model's bytes, and takes it apart. A build that fails returns other than SIM_OK
 * and leaves nothing behind. */
typedef struct CtlBuilder {
  void *context;
  SimStatus (*build)(void *context, const void *bytes, size_t size, CtlEvaluator *evaluator);
  void (*release)(void *context, CtlEvaluator *evaluator);
  bool (*stopped)(void); /* asked between evaluations: whether this worker has been asked to stop. NULL: never */
} CtlBuilder;

/* The builder of those who have their evaluator already (borrowed): model and bytes are ignored. stopped: NULL. */
CtlBuilder ctl_builder_of(CtlEvaluator *evaluator);

/* A worker's side: evaluates what rank 0 of comm hands out until it is told to stop; sleeps when it has waited for long.
 * Returns SIM_OK, or SIM_NO_MEMORY (the caller must then abort: rank 0 is waiting). */
SimStatus ctl_pool_serve(const CtlBuilder *builder, MPI_Comm comm);

/* Within an evaluation: whether this thread is in ctl_pool_serve, and whether rank 0 wants no more of what it evaluates, for whose job has been
 * stopped or taken out, or for all are to stop. For SimInterrupt.stops: it is quick, and stays true until the evaluation has come back; its
 * outcome is dropped then. */
bool ctl_pool_serves(void);
bool ctl_pool_interrupted(void);

/* Workers that rank 0 spawns itself, one by one, and replaces when they die. For a program started by
 * `mpirun -n 1 --enable-recovery`: each worker is a job of its own to MPI, so that the death of one is not the others'.
 * All talk is point to point; MPI never reports a death. Rank 0 notices it by the process, where the worker is on its own
 * machine, or else by the deadline of its work; a worker of its own machine that is late is killed. Not under srun, where
 * Open MPI cannot spawn. MPI_Comm_spawn waits for ever for a worker that dies while it starts, unless the program sets
 * OMPI_MCA_pmix_base_exchange_timeout (s) before MPI_Init; after that no other worker is started.
 * The program must ignore SIGPIPE: Open MPI writes to its sockets without MSG_NOSIGNAL, and the second message to a worker
 * that has just died would end rank 0 and leave the other workers waiting for ever. */
typedef struct CtlSpawn {
  const char *program;
  char **arguments; /* NULL at the end, without the program's name */
  int workers;
  int respawns; /* at most, all workers together */
} CtlSpawn;

/* Spawns the workers, each of which must call ctl_pool_serve_spawned. spawn: what it points to is borrowed. SIM_OK,
 * SIM_NO_MEMORY, or SIM_BAD_PROBLEM when MPI cannot spawn any; fewer than wanted are no error, as the missing are spawned
 * later. *pool: NULL unless SIM_OK. Blocks while a worker starts, for 30 s at most, here and when one is replaced. */
SimStatus ctl_pool_spawn(const CtlSpawn *spawn, const CtlPoolOptions *options, CtlPool **pool);

/* ctl_pool_serve, for a spawned process (MPI_Comm_get_parent is not MPI_COMM_NULL). The caller must then end by _exit:
 * MPI_Finalize could wait for others. The process ends within a second when rank 0, on the same machine, has died. Besides
 * ctl_pool_serve's, SIM_NOT_FINISHED: rank 0 has said nothing. */
SimStatus ctl_pool_serve_spawned(const CtlBuilder *builder);

/* An evaluator of several ranks that simulate one point together, each with its own rows of a sparse model. The first of
 * them, the leader, is a worker of the pool; the others follow it. */
typedef struct CtlGroupEvaluator CtlGroupEvaluator;

/* simulation: of this rank's rows; group: the model's; both borrowed. Collective over it, as all here. NULL, on all ranks: no
 * memory. */
CtlGroupEvaluator *ctl_group_create(CtlSimulation *simulation, SimGroup *group);
void ctl_group_destroy(CtlGroupEvaluator *group); /* local, may be NULL */

/* The leader's evaluator: all ranks simulate each point. The group: borrowed. */
CtlEvaluator ctl_group_evaluator(CtlGroupEvaluator *group);

/* The leader ends the followers' part. */
void ctl_group_dismiss(CtlGroupEvaluator *group);

/* A follower's part in that, until the leader ends it. */
void ctl_group_follow(CtlGroupEvaluator *group);

SIM_API_END

#endif
