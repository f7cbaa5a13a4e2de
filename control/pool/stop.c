/* SPDX-License-Identifier: BSD-2-Clause */
/* Stops jobs before their searches have ended. */
#include "control/pool/state.h"

/* Checks whether a worker has sent a request to stop. */
static void look_for_requests(CtlPool *pool, double now) {
  static const double CHECK_SECONDS = 0.02; /* interval between two checks, in s */
  if (now - pool->asked < CHECK_SECONDS) return;
  pool->asked = now;
  for (int w = 0; w < pool->n_workers && !pool->stop_requested; w++) {
    const PoolWorker *worker = &pool->workers[w];
    if (spawned_lives(pool, w))
      pool->stop_requested = message_take_signal(worker->rank, MESSAGE_STOP_REQUEST, worker->comm);
  }
}

bool ctl_pool_stop_requested(const CtlPool *pool) { return pool && pool->stop_requested; }

static bool is_to_stop(const CtlPool *pool, const CtlPoolJob *job) {
  const CtlListener *listener = job->drive.listener;
  if (job->drive.cancelled) return true;
  return listener->stopped && (listener->stopped(listener->context) || pool->stop_requested);
}

/* Whether workers that are within their deadlines hold points of a job. */
static bool is_out(const CtlPool *pool, const CtlPoolJob *job) {
  for (int k = 0; k < pool_size(pool); k++)
    if (pool->slots[k].job == job && pool->slots[k].state == SLOT_OUT && !pool->slots[k].dropped) return true;
  return false;
}

void pool_cancel(CtlPool *pool, CtlPoolJob *job) {
  if (job->cancelled) return;
  job->cancelled = true;
  for (int w = 0; w < pool->n_workers; w++) {
    bool has = false;
    for (int k = w; k < pool_size(pool); k += pool->n_workers)
      has = has || (pool->slots[k].job == job && pool->slots[k].state != SLOT_FREE);
    if (has && spawned_lives(pool, w))
      pool_post(pool, w, &job->forget, sizeof job->forget, MESSAGE_CANCEL, &job->posted[POSTS * w + 2]);
  }
}

void pool_look_for_stop(CtlPool *pool) {
  static const double END_SECONDS = 2; /* time in s that an interrupted evaluation has to end */
  double now = ctl_seconds();
  look_for_requests(pool, now);
  for (CtlPoolJob *job = pool->jobs; job; job = job->next) {
    if (job->drive.stop || job_ended(job)) continue;
    if (!job->stopping && is_to_stop(pool, job)) {
      job->stopping = true;
      job->stopping_since = now;
    }
    if (!job->stopping) continue;
    if (!is_out(pool, job)) job->drive.stop = CTL_DRIVE_STOPPED;
    double late = now - job->stopping_since - job->drive.listener->grace;
    if (late > 0) pool_cancel(pool, job);
    if (job->drive.stop == 0 && late > END_SECONDS) {
      job->drive.stop = CTL_DRIVE_ABANDONED;
      pool->abandoned = true;
    }
  }
}
