/* SPDX-License-Identifier: BSD-2-Clause */
/* Revoking takes a worker away from the owner of its job. Workers are divided evenly among the owners of jobs (an
 * owner's share), but an evaluation occupies its worker until it ends, even if another owner waits. If an owner has
 * waited for a second, a worker is revoked from an owner that has more than its share. The worker's evaluation is
 * dropped. Its points are sent out again one by one when their owner is below its share. Evaluations within a share are
 * never dropped, so each owner makes progress. The results of searches do not depend on revoking. */
#include "control/pool/state.h"

static const double WAIT_SECONDS = 1, CHECK_SECONDS = 0.02; /* time that an owner waits before a worker is revoked, and
                                                             * interval between two checks, in s */

/* Returns the job of a worker's current evaluation; NULL if the worker has no evaluation or the evaluation was
 * dropped. */
static const CtlPoolJob *job_at(const CtlPool *pool, int w) {
  int k = pool_oldest(pool, w);
  return k < 0 || pool->slots[k].dropped ? NULL : pool->slots[k].job;
}

static double seconds_at(const CtlPool *pool, int w) { return pool->deadline_clock - pool->workers[w].begun; }

/* Returns the number of workers that evaluate for an owner. */
static int count_workers(const CtlPool *pool, long owner) {
  int n = 0;
  for (int w = 0; w < pool->n_workers; w++) {
    const CtlPoolJob *job = job_at(pool, w);
    n += job && job->owner == owner;
  }
  return n;
}

/* Whether an owner has its share of the workers, or a worker has recently started a batch of this owner. */
static bool is_served(const CtlPool *pool, long owner, int share) {
  for (int w = 0; w < pool->n_workers; w++) {
    const CtlPoolJob *job = job_at(pool, w);
    if (job && job->owner == owner && seconds_at(pool, w) < WAIT_SECONDS) return true;
  }
  return count_workers(pool, owner) >= share;
}

/* Whether the batch of a slot waits for its worker to finish a batch of another owner. */
static bool waits_behind(const CtlPool *pool, int k) {
  const Slot *slot = &pool->slots[k];
  const CtlPoolJob *before = job_at(pool, k % pool->n_workers);
  return slot->state == SLOT_OUT && !slot->dropped && slot->job && before && before->owner != slot->job->owner;
}

static bool job_waits(const CtlPool *pool, CtlPoolJob *job) {
  if (!counts(job)) return false;
  for (int k = 0; k < pool_size(pool); k++)
    if (pool->slots[k].job == job && waits_behind(pool, k)) return true;
  return job_wants(job);
}

static bool is_idle(const CtlPool *pool) {
  for (int w = 0; w < pool->n_workers; w++)
    if (!pool->workers[w].out && !pool->workers[w].late && spawned_lives(pool, w)) return true;
  return false;
}

/* Drops a batch, so that its points are sent out again. heavy: whether the points must be sent one by one. */
static void revoke_batch(CtlPool *pool, int k, bool heavy) {
  Slot *slot = &pool->slots[k];
  CtlPoolJob *job = slot->job;
  pool_return(job, slot, 0, heavy);
  load_balance_drop(&job->load, k % pool->n_workers, slot->count, job_seconds(job));
  pool_drop(pool, k);
}

/* Returns the worker to revoke from its present owner in favour of `owner`; -1 if there is none. Chooses, among the
 * workers of the owner with the most workers, the one that started its evaluation last. An owner with at most `share`
 * workers keeps them all. */
static int choose_worker(const CtlPool *pool, long owner, int share) {
  int chosen = -1, most = share;
  for (int w = 0; w < pool->n_workers; w++) {
    const CtlPoolJob *job = job_at(pool, w);
    if (!job || !counts(job) || job->owner == owner || !spawned_lives(pool, w)) continue;
    /* a worker replies after at most WAIT_SECONDS, unless a single point takes longer */
    if (seconds_at(pool, w) < WAIT_SECONDS) continue;
    int held = count_workers(pool, job->owner);
    bool later = chosen >= 0 && pool->workers[w].begun > pool->workers[chosen].begun;
    if (held > most || (held == most && later)) {
      most = held;
      chosen = w;
    }
  }
  return chosen;
}

/* Helps an owner that waits: drops those of its batches that wait behind batches of other owners, and revokes a worker
 * of another owner. */
static void serve_owner(CtlPool *pool, long owner, int share) {
  for (int k = 0; k < pool_size(pool); k++)
    if (waits_behind(pool, k) && pool->slots[k].job->owner == owner) revoke_batch(pool, k, false);
  int w = is_idle(pool) ? -1 : choose_worker(pool, owner, share);
  if (w < 0) return;
  int first = pool_oldest(pool, w);
  long holder = pool->slots[first].job->owner;
  for (int k = w; k < pool_size(pool); k += pool->n_workers) {
    const Slot *slot = &pool->slots[k];
    if (slot->state == SLOT_OUT && !slot->dropped && slot->job && slot->job->owner == holder)
      revoke_batch(pool, k, k == first);
  }
}

void pool_look_for_unserved(CtlPool *pool) {
  double now = pool->deadline_clock;
  if (now - pool->served < CHECK_SECONDS) return;
  pool->served = now;
  int owners = pool_count_owners(pool), share = pool_share(pool, owners);
  for (CtlPoolJob *job = pool->jobs; job; job = job->next) {
    if (owners < 2 || !job_waits(pool, job) || is_served(pool, job->owner, share)) job->served = now;
    if (now - job->served < WAIT_SECONDS) continue;
    serve_owner(pool, job->owner, share);
    for (CtlPoolJob *other = pool->jobs; other; other = other->next)
      if (other->owner == job->owner) other->served = now;
  }
}
