/* Pools and their jobs, from beginning to end. */
#include "control/pool.h"

#include "control/base/clock.h"
#include "control/pool/state.h"
#include "control/worker/message.h"

#include <stdlib.h>
#include <string.h>

void pool_free(CtlPool *pool) {
  for (int k = 0; pool->slots && k < pool_size(pool); k++) {
    free(pool->slots[k].work);
    free(pool->slots[k].done);
    free(pool->slots[k].tickets);
  }
  free(pool->crew);
  free(pool->slots);
  free(pool->received);
  free(pool->indices);
  free(pool->idle);
  free(pool);
}

SimStatus pool_create(int workers, const CtlPoolOptions *options, CtlPool **result) {
  CtlPool *pool = calloc(1, sizeof *pool);
  *result = NULL;
  if (!pool) return SIM_NO_MEMORY;
  *pool = (CtlPool){.options = *options, .workers = workers, .alive = workers, .looked = ctl_seconds()};
  size_t slots = (size_t)pool_size(pool);
  pool->crew = calloc((size_t)pool->workers + 1, sizeof *pool->crew);
  pool->slots = calloc(slots + 1, sizeof *pool->slots);
  pool->received = calloc(slots + 1, sizeof *pool->received);
  pool->indices = calloc(slots + 1, sizeof *pool->indices);
  pool->idle = calloc(slots + 1, sizeof *pool->idle);
  if (!pool->crew || !pool->slots || !pool->received || !pool->indices || !pool->idle) {
    pool_free(pool);
    return SIM_NO_MEMORY;
  }
  for (int k = 0; k < pool_size(pool); k++) {
    pool->slots[k].sent = pool->received[k] = MPI_REQUEST_NULL;
    pool->idle[pool->n_idle++] = k;
  }
  *result = pool;
  return SIM_OK;
}

SimStatus ctl_pool_create(MPI_Comm comm, const CtlPoolOptions *options, CtlPool **pool) {
  int ranks;
  MPI_Comm_size(comm, &ranks);
  SimStatus status = pool_create(ranks - 1, options, pool);
  for (int w = 0; status == SIM_OK && w < ranks - 1; w++) (*pool)->crew[w] = (Worker){.comm = comm, .rank = 1 + w};
  return status;
}

/* The most points in a batch: an even share of a simplex, in whole blocks, if a message holds it. */
static int batch_at_most(const CtlEvaluator *evaluator, int batch, long scheme_size, int evaluators) {
  int most = message_batch_most(evaluator->n, evaluator->d);
  long share = scheme_size / evaluators + 1,
       wanted = batch ? batch : share + evaluator->block - share % evaluator->block;
  return wanted < most ? (int)wanted : most;
}

void pool_job_free(CtlPoolJob *job) {
  free(job->letter);
  free(job->knows);
  free(job->posted);
  ctl_load_clear(&job->load);
  ctl_desk_clear(&job->desk);
  free(job);
}

static SimStatus job_init(CtlPoolJob *job, const CtlPool *pool) {
  const CtlJob *given = &job->given;
  size_t workers = (size_t)pool->workers;
  int evaluators = pool->workers + pool->options.evaluates;
  CtlState state;
  ctl_search_state(given->search, &state);
  if (!evaluators) evaluators = 1;
  int at_most = batch_at_most(given->evaluator, pool->options.batch, state.scheme_size, evaluators);
  if (pool->options.batch) job->batch = at_most;
  job->letter_size = message_model_size(given->model_size);
  job->letter = calloc((size_t)job->letter_size, sizeof *job->letter);
  job->knows = calloc(workers + 1, sizeof *job->knows);
  job->posted = malloc((2 * workers + 1) * sizeof *job->posted);
  if (!job->letter || !job->knows || !job->posted) return SIM_NO_MEMORY;
  for (size_t i = 0; i < 2 * workers; i++) job->posted[i] = MPI_REQUEST_NULL;
  job->letter[0] = pool->models;
  job->letter[1] = (double)given->model_size;
  if (given->model_size) memcpy(job->letter + 2, given->model, given->model_size);
  SimStatus status = ctl_load_init(&job->load, pool->workers, evaluators, given->evaluator->block, at_most);
  return status == SIM_OK ? ctl_desk_init(&job->desk, given->evaluator, at_most) : status;
}

SimStatus ctl_pool_add(CtlPool *pool, const CtlJob *given, CtlPoolJob **added) {
  CtlPoolJob *job = calloc(1, sizeof *job);
  *added = NULL;
  if (!job) return SIM_NO_MEMORY;
  *job =
      (CtlPoolJob){.given = *given, .start = ctl_seconds(), .waiting = pool->waiting, .evaluating = pool->evaluating};
  if (job_init(job, pool) != SIM_OK) {
    pool_job_free(job);
    return SIM_NO_MEMORY;
  }
  job->times.evaluators = pool->workers + pool->options.evaluates;
  job->given.model = NULL; /* copied */
  pool->models++;
  CtlPoolJob **at = &pool->jobs;
  while (*at) at = &(*at)->next;
  *at = job;
  *added = job;
  return SIM_OK;
}

bool ctl_pool_over(const CtlPoolJob *job, int *stop) {
  CtlState state;
  *stop = job->stop;
  if (job->stop) return true;
  if (ctl_search_unasked(job->given.search)) return false;
  ctl_search_state(job->given.search, &state);
  return state.reason != CTL_RUNNING;
}

void ctl_pool_times(const CtlPool *pool, const CtlPoolJob *job, CtlTimes *times) {
  *times = job->times;
  times->wall = ctl_seconds() - job->start;
  times->waiting = pool->waiting - job->waiting;
  times->coordinating = times->wall - times->waiting - (pool->evaluating - job->evaluating);
}

void ctl_pool_remove(CtlPool *pool, CtlPoolJob *job) {
  CtlPoolJob **at = &pool->jobs;
  while (*at != job) at = &(*at)->next;
  *at = job->next;
  for (int k = 0; k < pool_size(pool); k++)
    if (pool->slots[k].job == job) pool->slots[k].job = NULL;
  for (int w = 0; w < pool->workers; w++)
    if (job->knows[w] && (!pool->nest || nest_has(pool, w)))
      pool_post(pool, w, job->letter, 1, MESSAGE_FORGET, &job->posted[2 * w + 1]);
  job->next = pool->gone;
  pool->gone = job;
}

int ctl_pool_drive(CtlPool *pool, const CtlJob *given, CtlTimes *times) {
  CtlPoolJob *job;
  int stop;
  *times = (CtlTimes){0};
  if (ctl_pool_add(pool, given, &job) != SIM_OK) return CTL_DRIVE_NO_MEMORY;
  while (!ctl_pool_over(job, &stop)) ctl_pool_turn(pool);
  ctl_pool_times(pool, job, times);
  ctl_pool_remove(pool, job);
  return stop;
}

/* Whether a worker says now that it has stopped. */
static bool hear_stopped(Worker *worker) {
  if (worker->state != WORKER_SERVING || !pool_hear(worker, MESSAGE_STOPPED)) return false;
  pool_hear(worker, MESSAGE_WISH); /* of which nobody has taken notice */
  worker->state = WORKER_STOPPED;
  return true;
}

/* Whether all workers have said that they have stopped, within the grace time. Answers that still come are received. */
static bool all_stop(CtlPool *pool) {
  static const double DEFAULT_GRACE = 5;
  double grace = pool->options.grace > 0 ? pool->options.grace : DEFAULT_GRACE, start = ctl_seconds();
  if (pool->abandoned) grace = 0;
  MessageWait wait = {0};
  int left = 0, some;
  for (int w = 0; w < pool->workers; w++) {
    Worker *worker = &pool->crew[w];
    MPI_Request sent; /* an empty letter: nothing to keep until it has arrived */
    worker->state = pool->nest && !nest_has(pool, w) ? WORKER_ABSENT : WORKER_SERVING;
    if (worker->state == WORKER_ABSENT) continue;
    left++;
    pool_post(pool, w, NULL, 0, MESSAGE_STOP, &sent);
    MPI_Request_free(&sent);
  }
  while (left && ctl_seconds() - start < grace) {
    int before = left;
    MPI_Testsome(pool_size(pool), pool->received, &some, pool->indices, MPI_STATUSES_IGNORE);
    for (int w = 0; w < pool->workers; w++) left -= hear_stopped(&pool->crew[w]);
    if (left == before) message_rest(&wait);
  }
  return left == 0;
}

/* What the workers will not answer any more, and what has been sent to them, which they have taken. */
static void settle(CtlPool *pool) {
  for (int k = 0; k < pool_size(pool); k++) {
    MPI_Wait(&pool->slots[k].sent, MPI_STATUS_IGNORE);
    if (pool->received[k] == MPI_REQUEST_NULL) continue;
    MPI_Cancel(&pool->received[k]);
    MPI_Wait(&pool->received[k], MPI_STATUS_IGNORE);
  }
  while (pool->gone) {
    CtlPoolJob *job = pool->gone;
    pool->gone = job->next;
    MPI_Waitall(2 * pool->workers, job->posted, MPI_STATUSES_IGNORE);
    pool_job_free(job);
  }
}

bool ctl_pool_close(CtlPool *pool) {
  while (pool->jobs) ctl_pool_remove(pool, pool->jobs);
  bool all = all_stop(pool);
  if (!all && !pool->nest) return false; /* letters may be on their way: their storage stays */
  for (int w = 0; w < pool->workers; w++)
    if (pool->crew[w].state == WORKER_STOPPED) {
      MPI_Request sent;
      pool_post(pool, w, NULL, 0, MESSAGE_LEAVE, &sent);
      MPI_Wait(&sent, MPI_STATUS_IGNORE);
    }
  if (pool->nest) {
    nest_close(pool); /* here, too, storage stays: of letters to the dead */
    return true;
  }
  settle(pool);
  pool_free(pool);
  return true;
}
