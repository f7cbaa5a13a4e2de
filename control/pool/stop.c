/* Jobs that are to stop before their searches have ended. */
#include "control/base/clock.h"
#include "control/pool/state.h"

bool pool_hear(const Worker *worker, int tag) {
  int found = 0;
  MPI_Iprobe(worker->rank, tag, worker->comm, &found, MPI_STATUS_IGNORE);
  if (found) MPI_Recv(NULL, 0, MPI_DOUBLE, worker->rank, tag, worker->comm, MPI_STATUS_IGNORE);
  return found;
}

static void look_for_wishes(CtlPool *pool, double now) {
  static const double EVERY = 0.02; /* s */
  if (now - pool->asked < EVERY) return;
  pool->asked = now;
  for (int w = 0; w < pool->workers && !pool->wished; w++)
    if (!pool->nest || nest_has(pool, w)) pool->wished = pool_hear(&pool->crew[w], MESSAGE_WISH);
}

static bool is_wished(const CtlPool *pool, const CtlPoolJob *job) {
  const CtlListener *listener = job->given.listener;
  return listener->stopped && (listener->stopped(listener->context) || pool->wished);
}

/* Whether workers that are in time have points of a job. */
static bool is_out(const CtlPool *pool, const CtlPoolJob *job) {
  for (int k = 0; k < pool_size(pool); k++)
    if (pool->slots[k].job == job && pool->slots[k].state == SLOT_OUT) return true;
  return false;
}

static bool has_ended(const CtlPoolJob *job) {
  CtlState state;
  ctl_search_state(job->given.search, &state);
  return state.reason != CTL_RUNNING;
}

void pool_look_for_stop(CtlPool *pool) {
  double now = ctl_seconds();
  look_for_wishes(pool, now);
  for (CtlPoolJob *job = pool->jobs; job; job = job->next) {
    if (job->stop || has_ended(job)) continue;
    if (!job->stopping && is_wished(pool, job)) {
      job->stopping = true;
      job->stopping_since = now;
    }
    if (!job->stopping) continue;
    if (!is_out(pool, job))
      job->stop = CTL_DRIVE_STOPPED;
    else if (now - job->stopping_since > job->given.listener->grace) {
      job->stop = CTL_DRIVE_ABANDONED;
      pool->abandoned = true;
    }
  }
}
