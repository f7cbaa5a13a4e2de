/* Jobs that are to stop before their searches have ended. */
#include "control/pool/state.h"

/* Whether a worker asks to stop. */
static void look_for_requests(CtlPool *pool, double now) {
  static const double EVERY = 0.02; /* s */
  if (now - pool->asked < EVERY) return;
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

/* Whether workers that are in time have points of a job. */
static bool is_out(const CtlPool *pool, const CtlPoolJob *job) {
  for (int k = 0; k < pool_size(pool); k++)
    if (pool->slots[k].job == job && pool->slots[k].state == SLOT_OUT) return true;
  return false;
}

void pool_look_for_stop(CtlPool *pool) {
  double now = ctl_seconds();
  look_for_requests(pool, now);
  for (CtlPoolJob *job = pool->jobs; job; job = job->next) {
    if (job->drive.stop || job_ended(job)) continue;
    if (!job->stopping && is_to_stop(pool, job)) {
      job->stopping = true;
      job->stopping_since = now;
    }
    if (!job->stopping) continue;
    if (!is_out(pool, job))
      job->drive.stop = CTL_DRIVE_STOPPED;
    else if (now - job->stopping_since > job->drive.listener->grace) {
      job->drive.stop = CTL_DRIVE_ABANDONED;
      pool->abandoned = true;
    }
  }
}
