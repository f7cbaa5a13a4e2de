/* SPDX-License-Identifier: BSD-2-Clause */
/* Rank 0 of the pool (the coordinator), which sends batches of points to workers and receives their outcomes. */
#include "control/pool/state.h"

#include <math.h>

/* Collects points with the same CtlWant for a slot, and returns their number. Points that a worker has returned without
 * outcomes come before new points. */
static int collect_points(CtlPoolJob *job, int most, Slot *slot, CtlWant *want) {
  if (pool_next_returned(job)) return pool_take_returned(job, most, slot->tickets, message_controls(slot->work));
  return driver_ask(&job->drive, most, slot->tickets, message_controls(slot->work), want);
}

/* Sends a batch of a job's points to the worker of a free slot k, if the job has points and the worker has fewer points
 * than the load balance gives it. Returns whether a batch was sent. */
static bool give_batch(CtlPool *pool, int k, CtlPoolJob *job) {
  Slot *slot = &pool->slots[k];
  CtlWant want = {0};
  long unasked = driver_unasked(&job->drive, &want);
  const ReturnedPoint *returned = pool_next_returned(job);
  bool heavy = returned && returned->heavy;
  if (returned) want = returned->want;
  int size = job->batch
                 ? job->batch
                 : load_balance_batch(&job->load, k % pool->n_workers, unasked + job->n_returned, job_seconds(job));
  if (!size || !pool_reserve(slot, job, want)) return false;
  int most = pool_batch_most(job, want);
  pool_send(pool, k, job, collect_points(job, size < most ? size : most, slot, &want));
  slot->heavy = heavy;
  return true;
}

/* Moves a job to the end of the queue of jobs. */
static void requeue_job(CtlPool *pool, CtlPoolJob *job) {
  CtlPoolJob **at = &pool->jobs;
  while (*at != job) at = &(*at)->next;
  *at = job->next;
  while (*at) at = &(*at)->next;
  *at = job;
  job->next = NULL;
}

/* Sends a batch to the worker of slot k, from the first job in the order of shares.c that has points. Returns whether a
 * batch was sent. */
static bool give_any(CtlPool *pool, int k) {
  if (pool_give_late(pool, k)) return true;
  CtlPoolJob *job;
  bool given = false;
  while (!given && (job = pool_next_job(pool, k)) != NULL) {
    given = give_batch(pool, k, job);
    job->refused = !given;
  }
  if (given) {
    pool_note_turn(pool, job);
    requeue_job(pool, job);
  }
  for (job = pool->jobs; job; job = job->next) job->refused = false;
  return given;
}

static bool anything_wanted(const CtlPool *pool) {
  if (pool->n_late) return true;
  for (CtlPoolJob *job = pool->jobs; job; job = job->next)
    if (job_wants(job)) return true;
  return false;
}

/* Sets the number of workers for each job in its load balance. If several jobs share the workers, each job counts on
 * fewer workers and sends larger batches. */
static void set_evaluators(CtlPool *pool) {
  long evaluators = pool->alive + pool->options.evaluates, jobs = 0;
  for (const CtlPoolJob *job = pool->jobs; job; job = job->next) jobs += job->drive.stop == 0;
  long each = jobs ? (evaluators + jobs - 1) / jobs : evaluators;
  for (CtlPoolJob *job = pool->jobs; job; job = job->next) job->load.evaluators = each ? (int)each : 1;
}

/* Sends batches to all free slots of workers while jobs have points. All workers get a first batch before any worker
 * gets a second one. */
static void hand_out(CtlPool *pool) {
  set_evaluators(pool);
  for (int pass = 0; pass < SLOTS && anything_wanted(pool); pass++) {
    int kept = 0;
    for (int i = 0; i < pool->n_idle; i++) {
      int k = pool->idle[i];
      const PoolWorker *worker = &pool->workers[k % pool->n_workers];
      bool its_turn = !worker->late && (pass > 0 || !worker->out);
      if (!its_turn || !give_any(pool, k)) pool->idle[kept++] = k;
    }
    pool->n_idle = kept;
  }
}

/* Frees a slot after the worker has replied. */
static void end_slot(CtlPool *pool, int k) {
  Slot *slot = &pool->slots[k];
  PoolWorker *worker = &pool->workers[k % pool->n_workers];
  if (slot->state == SLOT_LATE) {
    pool->n_late--;
    if (--worker->late == 0) pool->alive++;
  } else
    worker->out--;
  worker->begun = pool->deadline_clock;
  slot->state = SLOT_FREE;
  pool->idle[pool->n_idle++] = k;
}

/* Passes the outcomes of slot k to the job's search and frees the slot. */
static void take_in(CtlPool *pool, int k) {
  Slot *slot = &pool->slots[k];
  CtlPoolJob *job = slot->job;
  bool late = slot->state == SLOT_LATE;
  end_slot(pool, k);
  MPI_Wait(&slot->sent, MPI_STATUS_IGNORE);     /* the reply has arrived, so the worker has received the batch and its
                                                 * send is complete */
  MPI_Wait(&slot->dropping, MPI_STATUS_IGNORE); /* the worker certainly receives this message (DROP), so the wait
                                                 * ends */
  if (!job || job->drive.stop || slot->dropped) return;
  if (slot->done->refused) {
    if (slot->done->refused == MESSAGE_UNBUILT) job->drive.stop = CTL_POOL_REFUSED;
    job->drive.cancelled = true; /* the search still expects the outcomes of this batch, so the drive must not end as if
                                  * it were complete */
    return;
  }
  double seconds = slot->done->seconds;
  int answered = slot->done->answered, block = job_block(job, slot->want), blocks = (answered + block - 1) / block;
  job->drive.times.ivps += seconds;
  if (!late) {
    int w = k % pool->n_workers, left = slot->count - answered;
    load_balance_take(&job->load, w, answered, seconds, job_seconds(job));
    if (left) load_balance_drop(&job->load, w, left, job_seconds(job));
    job->longest = fmax(job->longest, seconds / blocks);
  }
  for (int i = 0; i < answered; i++) {
    const MessageOutcome *brought = &message_outcomes(slot->done)[i];
    const double *x = message_state(slot->done, slot->d, i);
    CtlOutcome outcome = {
        .x = x, .v = x + slot->d, .iterations = (long)brought->iterations, .status = (SimStatus)brought->status};
    if (slot->r) outcome.rows = message_rows(slot->done, slot->d, slot->r, i);
    driver_tell(&job->drive, slot->tickets[i], &outcome);
  }
  pool_return(job, slot, late && slot->next > answered ? slot->next : answered, false);
}

/* Processes all replies of workers that have arrived. Returns whether any had arrived. */
static bool collect_answers(CtlPool *pool) {
  int arrived = 0;
  MPI_Testsome(pool_size(pool), pool->received, &arrived, pool->indices, MPI_STATUSES_IGNORE);
  if (arrived == MPI_UNDEFINED) return false;
  for (int i = 0; i < arrived; i++) take_in(pool, pool->indices[i]);
  return arrived > 0;
}

static int count_busy(const CtlPool *pool) {
  int count = 0;
  for (int w = 0; w < pool->n_workers; w++) count += pool->workers[w].out > 0;
  return count;
}

static void call_ticks(const CtlPoolJob *job, int n_busy) {
  const CtlListener *listener = job->drive.listener;
  if (listener->tick && !job->drive.stop)
    listener->tick(listener->context, job->drive.search, job_seconds(job), n_busy);
}

/* Evaluates a few points on rank 0, from the first job with points that no worker can take at present. Returns whether
 * any point was evaluated. */
static bool evaluate_here(CtlPool *pool) {
  CtlPoolJob *job = pool->jobs;
  if (pool_stands_aside(pool)) return false;
  if (pool_evaluate_late(pool) || pool_evaluate_returned(pool)) return true;
  while (job && !(counts(job) && driver_unasked(&job->drive, NULL))) job = job->next;
  if (!job || (pool->alive && !pool->options.evaluates)) return false;
  int most = load_balance_piece(&job->load, driver_unasked(&job->drive, NULL), job_seconds(job));
  double before = job->drive.times.evaluating;
  if (job->batch && most > job->batch) most = job->batch;
  int count = local_batch_turn(&job->local, &job->drive, most);
  pool->evaluating += job->drive.times.evaluating - before;
  if (!count) return false;
  requeue_job(pool, job);
  call_ticks(job, count_busy(pool) + 1);
  return true;
}

/* Does one part of the computation that a search itself has to do (ctl_search_work). Returns whether any search had
 * such work. */
static bool work_here(CtlPool *pool) {
  CtlPoolJob *job = pool->jobs;
  while (job && (job->stopping || !driver_works(&job->drive))) job = job->next;
  if (!job) return false;
  driver_work(&job->drive);
  requeue_job(pool, job);
  call_ticks(job, count_busy(pool) + 1);
  return true;
}

/* Frees removed jobs of which all messages have arrived. */
static void free_removed(CtlPool *pool) {
  for (CtlPoolJob **at = &pool->removed; *at;) {
    CtlPoolJob *job = *at;
    int arrived = 0;
    MPI_Testall(POSTS * pool->n_workers, job->posted, &arrived, MPI_STATUSES_IGNORE);
    if (!arrived) {
      at = &job->next;
      continue;
    }
    *at = job->next;
    pool_job_free(job);
  }
}

void ctl_pool_turn(CtlPool *pool) {
  if (!pool) return;
  pool_look_for_stop(pool);
  hand_out(pool);
  if (collect_answers(pool) || work_here(pool) || evaluate_here(pool)) {
    pool_end_wait(pool);
    return;
  }
  pool_look_for_late(pool);
  pool_look_for_unserved(pool);
  if (pool->spawned) spawned_look(pool);
  int n_busy = count_busy(pool);
  for (CtlPoolJob *job = pool->jobs; job; job = job->next) call_ticks(job, n_busy);
  if (pool->removed) free_removed(pool);
  message_wait(&pool->wait);
  pool->waited_until = ctl_seconds();
}
