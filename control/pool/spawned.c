/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L /* declares kill, gethostname and nanosleep */
#include "control/base/argument.h"
#include "control/pool/state.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The process of a spawned worker, or of rank 0. */
typedef struct WorkerProcess {
  bool dead;
  bool near; /* whether the process is on this machine */
  pid_t id;
} WorkerProcess;

struct SpawnedWorkers {
  CtlSpawn spawn;
  MPI_Comm self;            /* copy of MPI_COMM_SELF with an error handler that returns the errors of a spawn */
  WorkerProcess *processes; /* [workers] processes of the workers */
  int respawned;
  bool failed; /* whether the last spawn failed */
  double looked;
};

static bool is_gone(const WorkerProcess *process) { return process->near && kill(process->id, 0) && errno == ESRCH; }

static MessageHello own_hello(void) {
  MessageHello me = {.process = getpid()};
  gethostname(me.host, sizeof me.host - 1);
  return me;
}

static void send_hello(MPI_Comm comm) {
  const MessageHello me = own_hello();
  MPI_Request sent;
  message_send(&me, sizeof me, 0, MESSAGE_HELLO, comm, &sent);
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
}

/* Receives the identity of the process at the other end of comm. Returns false if this process sends nothing in
 * time. */
static bool receive_hello(MPI_Comm comm, WorkerProcess *other) {
  static const double HELLO_SECONDS = 30;
  const MessageHello me = own_hello();
  MessageHello hello;
  MessageWait wait = {0};
  int found = 0;
  for (double start = ctl_seconds();; message_wait(&wait)) {
    MPI_Iprobe(0, MESSAGE_HELLO, comm, &found, MPI_STATUS_IGNORE);
    if (found) break;
    if (ctl_seconds() - start > HELLO_SECONDS) return false;
  }
  MPI_Request received;
  message_receive(&hello, sizeof hello, 0, MESSAGE_HELLO, comm, &received);
  MPI_Wait(&received, MPI_STATUS_IGNORE);
  *other = (WorkerProcess){.near = strcmp(hello.host, me.host) == 0, .id = (pid_t)hello.process};
  return true;
}

/* Whether workers can be spawned. After a failed spawn, for example if a worker died while it started, Open MPI
 * connects to no other worker, and each attempt would time out. */
static bool can_spawn(const CtlPool *pool) { return !pool->spawned->failed; }

static bool spawn_one(CtlPool *pool, int w) {
  SpawnedWorkers *spawned = pool->spawned;
  MPI_Comm comm;
  int error;
  spawned->failed = true;
  if (MPI_Comm_spawn(spawned->spawn.program, spawned->spawn.arguments, 1, MPI_INFO_NULL, 0, spawned->self, &comm,
                     &error))
    return false;
  if (!receive_hello(comm, &spawned->processes[w])) return false;
  send_hello(comm);
  spawned->failed = false;
  pool->workers[w].comm = comm;
  pool->workers[w].rank = 0;
  return true;
}

/* Marks a worker as dead. A dead worker counts as late until it is replaced (PoolWorker.late). */
static void declare_dead(CtlPool *pool, int w) {
  PoolWorker *worker = &pool->workers[w];
  pool->spawned->processes[w].dead = true;
  pool_give_up(pool, w);
  if (worker->late++ == 0) pool->alive--;
}

static SimStatus spawned_create(const CtlSpawn *spawn, SpawnedWorkers **result) {
  SpawnedWorkers *spawned = *result = calloc(1, sizeof *spawned);
  if (!spawned) return SIM_NO_MEMORY;
  *spawned = (SpawnedWorkers){.spawn = *spawn, .processes = calloc((size_t)spawn->workers, sizeof *spawned->processes)};
  MPI_Comm_dup(MPI_COMM_SELF, &spawned->self);
  MPI_Comm_set_errhandler(spawned->self, MPI_ERRORS_RETURN);
  return spawned->processes ? SIM_OK : SIM_NO_MEMORY;
}

static void spawned_free(SpawnedWorkers *spawned) {
  if (!spawned) return;
  MPI_Comm_free(&spawned->self);
  free(spawned->processes);
  free(spawned);
}

SimStatus ctl_pool_spawn(const CtlSpawn *spawn, const CtlPoolOptions *options, CtlPool **result) {
  ARGUMENT(result != NULL, "pool", "is NULL");
  *result = NULL;
  ARGUMENT(spawn && spawn->program, "spawn", "is NULL, or has no program");
  ARGUMENT(spawn->workers >= 1 && spawn->respawns >= 0, "spawn", "has no workers, or a negative number of respawns");
  ARGUMENT(message_comm_is(MPI_COMM_SELF), "the process", "has not started MPI");
  CtlPool *pool;
  SimStatus status = pool_create(spawn->workers, options, &pool);
  if (status != SIM_OK) return status;
  status = spawned_create(spawn, &pool->spawned);
  for (int w = 0; status == SIM_OK && w < spawn->workers; w++) {
    if (can_spawn(pool) && spawn_one(pool, w)) continue;
    if (w == 0)
      status = SIM_BAD_PROBLEM;
    else
      declare_dead(pool, w);
  }
  if (status == SIM_OK) {
    *result = pool;
  } else {
    spawned_free(pool->spawned);
    pool_free(pool);
  }
  return status;
}

/* Frees those slots of a dead worker for which all points have been sent to other workers. Messages of these slots may
 * never complete, so their buffers are not freed. */
static void reclaim_slots(CtlPool *pool, int w) {
  for (int k = w; k < pool_size(pool); k += pool->n_workers) {
    Slot *slot = &pool->slots[k];
    if (slot->state != SLOT_LATE || !pool_spent(slot)) continue;
    MPI_Cancel(&pool->received[k]);
    MPI_Request_free(&pool->received[k]);
    if (slot->sent != MPI_REQUEST_NULL) MPI_Request_free(&slot->sent);
    *slot = (Slot){.sent = MPI_REQUEST_NULL, .dropping = MPI_REQUEST_NULL};
    pool->idle[pool->n_idle++] = k;
    pool->n_late--;
    pool->workers[w].late--;
  }
}

static void replace_worker(CtlPool *pool, int w) {
  SpawnedWorkers *spawned = pool->spawned;
  reclaim_slots(pool, w);
  if (pool->workers[w].late > 1 || !can_spawn(pool) || spawned->respawned >= spawned->spawn.respawns) return;
  spawned->respawned++;
  if (!spawn_one(pool, w)) return;
  for (CtlPoolJob *job = pool->jobs; job; job = job->next) {
    job->knows[w] = false;
    for (int i = POSTS * w; i < POSTS * (w + 1); i++)
      if (job->posted[i] != MPI_REQUEST_NULL) MPI_Request_free(&job->posted[i]);
  }
  pool->workers[w].late = 0;
  pool->alive++;
}

void spawned_look(CtlPool *pool) {
  static const double CHECK_SECONDS = 0.02; /* interval between two checks of the processes, in s */
  SpawnedWorkers *spawned = pool->spawned;
  double now = ctl_seconds();
  if (now - spawned->looked < CHECK_SECONDS) return;
  spawned->looked = now;
  for (int w = 0; w < pool->n_workers; w++) {
    WorkerProcess *process = &spawned->processes[w];
    if (process->dead)
      replace_worker(pool, w);
    else if (is_gone(process))
      declare_dead(pool, w);
    else if (pool->workers[w].late && process->near)
      kill(process->id, SIGKILL);
  }
}

bool spawned_lives(const CtlPool *pool, int w) {
  if (!pool->spawned) return true;
  const WorkerProcess *process = &pool->spawned->processes[w];
  return !process->dead && !is_gone(process);
}

void spawned_close(CtlPool *pool) {
  static const double EXIT_SECONDS = 2; /* time in s that a killed process has to disappear */
  SpawnedWorkers *spawned = pool->spawned;
  double start = ctl_seconds();
  for (int w = 0; w < pool->n_workers; w++) {
    const WorkerProcess *process = &spawned->processes[w];
    if (process->dead || !process->near) continue;
    MessageWait wait = {0};
    if (pool->workers[w].state != WORKER_STOPPED) kill(process->id, SIGKILL);
    while (!is_gone(process) && ctl_seconds() - start < EXIT_SECONDS) message_wait(&wait);
  }
  spawned_free(spawned);
}

/* Ends this process when rank 0 dies, which MPI does not report. Without this thread a worker on the machine of rank 0
 * would wait for rank 0 for ever, and mpirun would wait for the worker. */
static void *end_with(void *rank_0) {
  while (!is_gone(rank_0)) nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
  _exit(EXIT_FAILURE);
}

SimStatus ctl_pool_serve_spawned(const CtlBuilder *builder) {
  static WorkerProcess rank_0; /* a process has only one parent, so one variable suffices */
  MPI_Comm parent;
  pthread_t watch;
  ARGUMENT(builder && builder->build, "builder", "is NULL, or has no function");
  ARGUMENT(message_comm_is(MPI_COMM_SELF), "the process", "has not started MPI");
  MPI_Comm_get_parent(&parent);
  ARGUMENT(parent != MPI_COMM_NULL, "the process", "has not been spawned");
  send_hello(parent);
  if (!receive_hello(parent, &rank_0)) return SIM_NOT_FINISHED;
  if (pthread_create(&watch, NULL, end_with, &rank_0) != 0) return SIM_NO_MEMORY;
  pthread_detach(watch);
  return ctl_pool_serve(builder, parent);
}
