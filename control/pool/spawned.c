#define _POSIX_C_SOURCE 200809L /* kill, gethostname, nanosleep */
#include "control/pool/spawned.h"

#include "control/base/clock.h"
#include "control/pool/state.h"
#include "control/worker/message.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What a spawned worker and rank 0 say of themselves. */
typedef struct Hello {
  long process;
  char host[256];
} Hello;

typedef struct Bird {
  bool dead;
  bool near; /* on this machine */
  pid_t process;
} Bird;

struct Nest {
  CtlSpawn spawn;
  Bird *birds; /* [workers] */
  int respawned;
  double looked;
};

static bool is_gone(const Bird *bird) { return bird->near && kill(bird->process, 0) && errno == ESRCH; }

static Hello who_i_am(void) {
  Hello me = {.process = getpid()};
  gethostname(me.host, sizeof me.host - 1);
  return me;
}

/* Who is at the other side of comm. False when it says nothing. */
static bool hear_hello(MPI_Comm comm, Bird *other) {
  static const double HELLO_SECONDS = 30;
  const Hello me = who_i_am();
  Hello hello;
  MessageWait wait = {0};
  int found = 0;
  for (double start = ctl_seconds();; message_rest(&wait)) {
    MPI_Iprobe(0, MESSAGE_HELLO, comm, &found, MPI_STATUS_IGNORE);
    if (found) break;
    if (ctl_seconds() - start > HELLO_SECONDS) return false;
  }
  MPI_Recv(&hello, sizeof hello, MPI_BYTE, 0, MESSAGE_HELLO, comm, MPI_STATUS_IGNORE);
  *other = (Bird){.near = strcmp(hello.host, me.host) == 0, .process = (pid_t)hello.process};
  return true;
}

static bool spawn_one(CtlPool *pool, int w) {
  Nest *nest = pool->nest;
  const Hello me = who_i_am();
  MPI_Comm comm;
  int error;
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  if (MPI_Comm_spawn(nest->spawn.program, nest->spawn.arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &comm, &error))
    return false;
  if (!hear_hello(comm, &nest->birds[w])) return false;
  MPI_Send(&me, sizeof me, MPI_BYTE, 0, MESSAGE_HELLO, comm);
  pool->crew[w].comm = comm;
  pool->crew[w].rank = 0;
  return true;
}

/* A dead worker counts as one that owes an answer, for as long as it is not replaced: see Worker.late. */
static void declare_dead(CtlPool *pool, int w) {
  Worker *worker = &pool->crew[w];
  pool->nest->birds[w].dead = true;
  pool_give_up(pool, w);
  if (worker->late++ == 0) pool->alive--;
}

SimStatus ctl_pool_spawn(const CtlSpawn *spawn, const CtlPoolOptions *options, CtlPool **result) {
  SimStatus status = pool_create(spawn->workers, options, result);
  if (status != SIM_OK) return status;
  CtlPool *pool = *result;
  Nest *nest = calloc(1, sizeof *nest);
  Bird *birds = calloc((size_t)spawn->workers, sizeof *birds);
  if (!nest || !birds) {
    free(nest);
    free(birds);
    pool_free(pool);
    return SIM_NO_MEMORY;
  }
  *nest = (Nest){.spawn = *spawn, .birds = birds};
  pool->nest = nest;
  /* Open MPI writes to its sockets without MSG_NOSIGNAL: the second letter to a worker that has just died would end rank 0,
   * without a word, and leave the other workers waiting for ever */
  signal(SIGPIPE, SIG_IGN);
  for (int w = 0; w < spawn->workers; w++) {
    if (spawn_one(pool, w)) continue;
    if (w == 0) {
      pool_free(pool);
      return SIM_BAD_PROBLEM;
    }
    declare_dead(pool, w);
  }
  return SIM_OK;
}

/* The slots of a dead worker whose points are with others by now. Their letters may be on their way for ever: so their
 * storage stays. */
static void reclaim(CtlPool *pool, int w) {
  for (int k = w; k < pool_size(pool); k += pool->workers) {
    Slot *slot = &pool->slots[k];
    if (slot->state != SLOT_LATE || !pool_spent(slot)) continue;
    MPI_Cancel(&pool->received[k]);
    MPI_Request_free(&pool->received[k]);
    if (slot->sent != MPI_REQUEST_NULL) MPI_Request_free(&slot->sent);
    *slot = (Slot){.sent = MPI_REQUEST_NULL};
    pool->idle[pool->n_idle++] = k;
    pool->n_late--;
    pool->crew[w].late--;
  }
}

static void replace(CtlPool *pool, int w) {
  Nest *nest = pool->nest;
  reclaim(pool, w);
  if (pool->crew[w].late > 1 || nest->respawned >= nest->spawn.respawns) return;
  nest->respawned++;
  if (!spawn_one(pool, w)) return;
  for (CtlPoolJob *job = pool->jobs; job; job = job->next) {
    job->knows[w] = false;
    for (int i = 2 * w; i < 2 * w + 2; i++)
      if (job->posted[i] != MPI_REQUEST_NULL) MPI_Request_free(&job->posted[i]);
  }
  pool->crew[w].late = 0;
  pool->alive++;
}

void nest_look(CtlPool *pool) {
  static const double EVERY = 0.02; /* s */
  Nest *nest = pool->nest;
  double now = ctl_seconds();
  if (now - nest->looked < EVERY) return;
  nest->looked = now;
  for (int w = 0; w < pool->workers; w++) {
    Bird *bird = &nest->birds[w];
    if (bird->dead)
      replace(pool, w);
    else if (is_gone(bird))
      declare_dead(pool, w);
    else if (pool->crew[w].late && bird->near)
      kill(bird->process, SIGKILL);
  }
}

bool nest_has(const CtlPool *pool, int w) { return !pool->nest->birds[w].dead && !is_gone(&pool->nest->birds[w]); }

void nest_close(CtlPool *pool) {
  static const double SECONDS = 2; /* for a killed process to be gone */
  Nest *nest = pool->nest;
  double start = ctl_seconds();
  for (int w = 0; w < pool->workers; w++) {
    const Bird *bird = &nest->birds[w];
    if (bird->dead || !bird->near) continue;
    MessageWait wait = {0};
    if (pool->crew[w].state != WORKER_STOPPED) kill(bird->process, SIGKILL);
    while (!is_gone(bird) && ctl_seconds() - start < SECONDS) message_rest(&wait);
  }
  free(nest->birds);
  free(nest);
}

/* Of rank 0's death MPI says nothing: without this a worker on its machine would wait for it for ever, and mpirun for the
 * worker. */
static void *go_with(void *rank_0) {
  while (!is_gone(rank_0)) nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
  _exit(EXIT_FAILURE);
}

SimStatus ctl_pool_serve_spawned(const CtlBuilder *builder) {
  static Bird rank_0; /* one for the process, like its parent */
  const Hello me = who_i_am();
  MPI_Comm parent;
  pthread_t watch;
  MPI_Comm_get_parent(&parent);
  MPI_Send(&me, sizeof me, MPI_BYTE, 0, MESSAGE_HELLO, parent);
  if (!hear_hello(parent, &rank_0)) return SIM_NOT_FINISHED;
  if (pthread_create(&watch, NULL, go_with, &rank_0) != 0) return SIM_NO_MEMORY;
  pthread_detach(watch);
  return ctl_pool_serve(builder, parent);
}
