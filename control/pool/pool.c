/* SPDX-License-Identifier: BSD-2-Clause */
/* Creates and ends pools, adds and removes the jobs of a pool, and implements ctl_pool_turn: one round of sending and
 * receiving messages. */
#include "control/pool.h"
#include "control/base/argument.h"

#include "control/pool/state.h"

#include <stdlib.h>
#include <string.h>

SimStatus ctl_pool_create(MPI_Comm comm, const CtlPoolOptions *options, CtlPool **pool) {
  ARGUMENT_THERE(pool);
  *pool = NULL;
  ARGUMENT(message_comm_is(comm), "comm", "is no communicator, or MPI is not running");
  int ranks;
  MPI_Comm_size(comm, &ranks);
  SimStatus status = pool_create(ranks - 1, options, pool);
  for (int w = 0; status == SIM_OK && w < ranks - 1; w++)
    (*pool)->workers[w] = (PoolWorker){.comm = comm, .rank = 1 + w};
  return status;
}

/* Returns the maximum number of points in a batch: the points of a simplex divided evenly among the evaluators, in
 * whole blocks, limited by the size of a message. batch: number that the user has chosen; 0: none. */
static int batch_at_most(const CtlEvaluator *evaluator, int batch, long scheme_size, int evaluators) {
  int most = message_batch_most(evaluator->n, evaluator->d, 0);
  long share = scheme_size / evaluators + 1,
       wanted = batch ? batch : share + evaluator->block - share % evaluator->block;
  return wanted < most ? (int)wanted : most;
}

static SimStatus job_init(CtlPoolJob *job, const CtlJob *given, const CtlPool *pool) {
  size_t workers = (size_t)pool->n_workers;
  int evaluators = pool->n_workers + pool->options.evaluates;
  if (!evaluators) evaluators = 1;
  int batch = given->tasks ? 1 : pool->options.batch;
  int at_most = batch_at_most(given->evaluator, batch, driver_round(&job->drive), evaluators);
  if (batch) job->batch = at_most;
  job->most_rows = message_batch_most(given->evaluator->n, given->evaluator->d,
                                      ctl_evaluator_rows(given->evaluator, (CtlWant){.derivatives = true}));
  job->model = calloc(1, message_model_size(given->model_size));
  job->knows = calloc(workers + 1, sizeof *job->knows);
  job->posted = malloc((POSTS * workers + 1) * sizeof *job->posted);
  if (!job->model || !job->knows || !job->posted) return SIM_NO_MEMORY;
  for (size_t i = 0; i < POSTS * workers; i++) job->posted[i] = MPI_REQUEST_NULL;
  const CtlEvaluator *own = given->evaluator;
  *job->model = (MessageModel){.model = pool->models,
                               .size = given->model_size,
                               .n = own->n,
                               .d = own->d,
                               .m = own->m,
                               .segments = own->segments};
  job->forget = (MessageForget){.model = pool->models};
  if (given->model_size) memcpy(message_bytes(job->model), given->model, given->model_size);
  SimStatus status = load_balance_init(&job->load, pool->n_workers, evaluators, given->evaluator->block, at_most);
  return status == SIM_OK ? local_batch_init(&job->local, given->evaluator, at_most) : status;
}

/* Returns the total waiting time so far, in s, including a wait in progress. */
static double waited_seconds(const CtlPool *pool) {
  return pool->waiting + (pool->wait.waiting ? pool->waited_until - pool->wait.since : 0);
}

SimStatus ctl_pool_add(CtlPool *pool, const CtlJob *given, CtlPoolJob **added) {
  ARGUMENT(added != NULL, "job", "is NULL");
  *added = NULL;
  ARGUMENT_THERE(pool);
  ARGUMENT(given != NULL, "job", "is NULL");
  ARGUMENT(given->timeout >= 0, "timeout", "is below 0");
  ARGUMENT(given->model || !given->model_size, "model", "is NULL");
  const Drive drive = {.search = given->search, .tasks = given->tasks, .evaluator = given->evaluator};
  SimStatus status = driver_check(&drive, __func__);
  if (status != SIM_OK) return status;
  CtlPoolJob *job = calloc(1, sizeof *job);
  if (!job) return SIM_NO_MEMORY;
  pool_end_wait(pool);
  *job = (CtlPoolJob){.drive = {.search = given->search,
                                .tasks = given->tasks,
                                .evaluator = given->evaluator,
                                .listener = given->listener ? given->listener : &driver_unheard,
                                .start = ctl_seconds()},
                      .owner = given->owner,
                      .timeout = given->timeout,
                      .served = pool->deadline_clock,
                      .waiting = pool->waiting,
                      .evaluating = pool->evaluating};
  if (job_init(job, given, pool) != SIM_OK) {
    pool_job_free(job);
    return SIM_NO_MEMORY;
  }
  job->drive.times.evaluators = pool->n_workers + pool->options.evaluates;
  pool->models++;
  CtlPoolJob **at = &pool->jobs;
  while (*at) at = &(*at)->next;
  *at = job;
  *added = job;
  return SIM_OK;
}

bool ctl_pool_over(const CtlPoolJob *job, int *stop) {
  if (stop) *stop = job ? job->drive.stop : CTL_DRIVE_BAD_ARGUMENT;
  return !job || job->drive.stop || job_ended(job);
}

void ctl_pool_times(const CtlPool *pool, const CtlPoolJob *job, CtlTimes *times) {
  if (!pool || !job || !times) return;
  *times = job->drive.times;
  times->wall = job_seconds(job);
  times->waiting = waited_seconds(pool) - job->waiting;
  times->coordinating = times->wall - times->waiting - (pool->evaluating - job->evaluating);
}

void ctl_pool_remove(CtlPool *pool, CtlPoolJob *job) {
  CtlPoolJob **at = pool ? &pool->jobs : NULL;
  while (at && *at && *at != job) at = &(*at)->next;
  if (!at || !*at) return; /* the job does not belong to this pool */
  *at = job->next;
  pool_cancel(pool, job);
  for (int k = 0; k < pool_size(pool); k++)
    if (pool->slots[k].job == job) pool->slots[k].job = NULL;
  for (int w = 0; w < pool->n_workers; w++)
    if (job->knows[w] && spawned_lives(pool, w))
      pool_post(pool, w, &job->forget, sizeof job->forget, MESSAGE_FORGET, &job->posted[POSTS * w + 1]);
  job->next = pool->removed;
  pool->removed = job;
}

int ctl_pool_drive(CtlPool *pool, const CtlJob *given, CtlTimes *times) {
  CtlPoolJob *job;
  CtlTimes unread;
  int stop;
  if (!times) times = &unread;
  *times = (CtlTimes){0};
  SimStatus status = ctl_pool_add(pool, given, &job);
  if (status != SIM_OK) return status == SIM_NO_MEMORY ? CTL_DRIVE_NO_MEMORY : CTL_DRIVE_BAD_ARGUMENT;
  while (!ctl_pool_over(job, &stop)) ctl_pool_turn(pool);
  ctl_pool_times(pool, job, times);
  ctl_pool_remove(pool, job);
  return stop;
}

/* Receives the message of a worker that it has stopped. Returns whether this message has arrived. */
static bool take_stopped(PoolWorker *worker) {
  if (worker->state != WORKER_SERVING || !message_take_signal(worker->rank, MESSAGE_STOPPED, worker->comm))
    return false;
  /* receives requests to stop that have not been processed */
  message_take_signal(worker->rank, MESSAGE_STOP_REQUEST, worker->comm);
  worker->state = WORKER_STOPPED;
  return true;
}

/* Whether all workers report within the grace time that they have stopped. Receives replies that still arrive. */
static bool all_stop(CtlPool *pool) {
  static const double DEFAULT_GRACE = 30; /* default time for workers to stop, in s; it is long because workers that
                                           * share cores may be suspended for seconds */
  double grace = pool->options.grace > 0 ? pool->options.grace : DEFAULT_GRACE, start = ctl_seconds();
  if (pool->abandoned) grace = pool->options.abandoned;
  MessageWait wait = {0};
  int left = 0, some;
  for (int w = 0; w < pool->n_workers; w++) {
    PoolWorker *worker = &pool->workers[w];
    MPI_Request sent; /* the request need not be kept, since an empty message has no buffer */
    worker->state = spawned_lives(pool, w) ? WORKER_SERVING : WORKER_ABSENT;
    if (worker->state == WORKER_ABSENT) continue;
    left++;
    pool_post(pool, w, NULL, 0, MESSAGE_STOP, &sent);
    MPI_Request_free(&sent);
  }
  while (left && ctl_seconds() - start < grace) {
    int before = left;
    MPI_Testsome(pool_size(pool), pool->received, &some, pool->indices, MPI_STATUSES_IGNORE);
    for (int w = 0; w < pool->n_workers; w++) left -= take_stopped(&pool->workers[w]);
    if (left == before) message_wait(&wait);
  }
  return left == 0;
}

/* Cancels the receives of replies that will not come, and waits until all sends to workers that have stopped are
 * complete. */
static void settle_messages(CtlPool *pool) {
  for (int k = 0; k < pool_size(pool); k++) {
    MPI_Wait(&pool->slots[k].sent, MPI_STATUS_IGNORE);
    MPI_Wait(&pool->slots[k].dropping, MPI_STATUS_IGNORE);
    if (pool->received[k] == MPI_REQUEST_NULL) continue;
    MPI_Cancel(&pool->received[k]);
    MPI_Wait(&pool->received[k], MPI_STATUS_IGNORE);
  }
  while (pool->removed) {
    CtlPoolJob *job = pool->removed;
    pool->removed = job->next;
    MPI_Waitall(POSTS * pool->n_workers, job->posted, MPI_STATUSES_IGNORE);
    pool_job_free(job);
  }
}

/* Releases the workers that have stopped. A spawned worker may have died meanwhile; a send to a dead worker might never
 * complete. */
static void dismiss_workers(CtlPool *pool) {
  static const double SPAWNED_SECONDS = 2;
  double start = ctl_seconds();
  for (int w = 0; w < pool->n_workers; w++) {
    if (pool->workers[w].state != WORKER_STOPPED) continue;
    MPI_Request sent;
    MessageWait wait = {0};
    int arrived = 0;
    pool_post(pool, w, NULL, 0, MESSAGE_LEAVE, &sent);
    for (;;) {
      MPI_Test(&sent, &arrived, MPI_STATUS_IGNORE);
      bool lost = !spawned_lives(pool, w) || (pool->spawned && ctl_seconds() - start > SPAWNED_SECONDS);
      if (arrived || lost) break;
      message_wait(&wait);
    }
    if (!arrived) MPI_Request_free(&sent);
  }
}

bool ctl_pool_close(CtlPool *pool) {
  if (!pool) return true;
  while (pool->jobs) ctl_pool_remove(pool, pool->jobs);
  bool all = all_stop(pool);
  if (!all && !pool->spawned) return false; /* messages may still be in transit, so their buffers stay allocated */
  dismiss_workers(pool);
  if (pool->spawned) {
    spawned_close(pool); /* buffers of messages to dead workers are not freed */
    return true;
  }
  settle_messages(pool);
  pool_free(pool);
  return true;
}
