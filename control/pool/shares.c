/* SPDX-License-Identifier: BSD-2-Clause */
/* Order in which jobs get batches. The owner with the fewest batches at workers comes first; among equal owners, the
 * owner that had its last turn longest ago; among the jobs of an owner, the first in the queue. So a job of an owner
 * with a hundred jobs waits for a hundred turns, and the only job of another owner for one turn.
 *
 * A long evaluation occupies its worker. So no batch is sent to a worker that still has a long batch, and a long batch
 * is sent only to a worker without a batch. While there are several owners, each gets at most an even share of the
 * workers for long batches. */
#include "control/pool/state.h"

#include <limits.h>
#include <math.h>

static const double LONG_SECONDS = 0.05; /* evaluation time of a block of points above which it counts as long, in s */

/* Whether a block of points is expected to take long. This is also assumed for a job of which no results are known yet,
 * and for tasks without a time limit. */
static bool is_long(const CtlPoolJob *job) {
  const LoadBalance *load = &job->load;
  if (job->drive.tasks && isinf(job->timeout)) return true;
  return !(load->points > 0) || load->seconds / load->points * load->block > LONG_SECONDS;
}

/* Whether the batches of a job are tasks without a time limit, for example whole runs of a sweep. Points of a search
 * are not sent to a worker that still has such a batch. */
static bool is_unbounded(const CtlPoolJob *job) { return job->drive.tasks && isinf(job->timeout); }

int pool_count_owners(const CtlPool *pool) {
  int n = 0;
  for (const CtlPoolJob *job = pool->jobs; job; job = job->next) {
    const CtlPoolJob *first = pool->jobs;
    while (first != job && !(counts(first) && first->owner == job->owner)) first = first->next;
    n += counts(job) && first == job;
  }
  return n;
}

int pool_share(const CtlPool *pool, int owners) {
  int share = pool->n_workers / (owners > 1 ? owners : 1);
  return share > 1 ? share : 1;
}

static bool slot_is_of(const Slot *slot, long owner) {
  return slot->state == SLOT_OUT && !slot->dropped && slot->job && slot->job->owner == owner;
}

static bool holds_long(const Slot *slot) { return slot->heavy || is_long(slot->job); }

/* Whether the next batch of a job is expected to take long. */
static bool is_next_long(CtlPoolJob *job) {
  const ReturnedPoint *next = pool_next_returned(job);
  return (next && next->heavy) || is_long(job);
}

/* Returns the number of batches of an owner that have been sent and for which no reply has arrived. */
static int count_out(const CtlPool *pool, long owner) {
  int n = 0;
  for (int k = 0; k < pool_size(pool); k++) n += slot_is_of(&pool->slots[k], owner);
  return n;
}

/* Returns the number of workers that hold long batches of an owner. */
static int count_held(const CtlPool *pool, long owner) {
  int n = 0;
  for (int w = 0; w < pool->n_workers; w++) {
    bool held = false;
    for (int k = w; k < pool_size(pool); k += pool->n_workers)
      held = held || (slot_is_of(&pool->slots[k], owner) && holds_long(&pool->slots[k]));
    n += held;
  }
  return n;
}

/* Whether a job may send a batch to the worker of slot k. owners: number of owners with active jobs. */
static bool may_have_slot(const CtlPool *pool, int k, CtlPoolJob *job, int owners) {
  static const double BUSY_SECONDS = 0.5; /* a worker that has been busy for this time, in s, may be busy for much
                                           * longer */
  int w = k % pool->n_workers;
  bool takes_long = is_next_long(job);
  const PoolWorker *worker = &pool->workers[w];
  if (worker->out && (takes_long || (owners > 1 && pool->deadline_clock - worker->begun > BUSY_SECONDS))) return false;
  for (int other = w; other < pool_size(pool); other += pool->n_workers) {
    const Slot *slot = &pool->slots[other];
    if (slot->state == SLOT_OUT && (!slot->job || slot->dropped || holds_long(slot))) return false;
    if (slot->state != SLOT_FREE && slot->job && is_unbounded(slot->job) && !job->drive.tasks) return false;
  }
  return owners < 2 || !takes_long || count_held(pool, job->owner) < pool_share(pool, owners);
}

CtlPoolJob *pool_next_job(const CtlPool *pool, int k) {
  CtlPoolJob *next = NULL;
  int owners = pool_count_owners(pool), fewest = INT_MAX;
  for (CtlPoolJob *job = pool->jobs; job; job = job->next) {
    if (job->refused || !job_wants(job) || !may_have_slot(pool, k, job, owners)) continue;
    int out = owners < 2 ? 0 : count_out(pool, job->owner);
    bool first = !next || out < fewest || (out == fewest && job->owner != next->owner && job->turn < next->turn);
    if (!first) continue;
    next = job;
    fewest = out;
  }
  return next;
}

void pool_note_turn(CtlPool *pool, CtlPoolJob *job) {
  for (CtlPoolJob *other = pool->jobs; other; other = other->next)
    if (other->owner == job->owner) other->turn = pool->serial;
}
