/* Rank 0 of the pool: what goes out to the workers, and what comes back. */
#include "control/base/clock.h"
#include "control/drive/driver.h"
#include "control/pool/state.h"
#include "control/worker/message.h"

#include <math.h>
#include <stdlib.h>

static double since_start(const CtlPoolJob *job) { return ctl_seconds() - job->start; }

bool pool_reserve(Slot *slot, CtlPoolJob *job, int count) {
  int n = job->given.evaluator->n, d = job->given.evaluator->d, at_most = job->load.at_most;
  size_t work = (size_t)message_work_size(n, at_most), done = (size_t)message_done_size(d, at_most);
  size_t room = work > done ? work : done;
  slot->job = job;
  slot->n = n;
  slot->d = d;
  slot->count = count;
  if (room <= slot->room) return true;
  free(slot->work);
  free(slot->done);
  free(slot->tickets);
  slot->work = malloc(room * sizeof(double));
  slot->done = malloc(room * sizeof(double));
  slot->tickets = malloc(room * sizeof *slot->tickets); /* a point has one number at least */
  slot->room = slot->work && slot->done && slot->tickets ? room : 0;
  if (!slot->room) job->stop = CTL_DRIVE_NO_MEMORY;
  return slot->room > 0;
}

/* How long a worker may take for a batch: see pool.h. */
static double allowance(const CtlPoolJob *job, int count) {
  static const double DEFAULT_SECONDS = 60, DEFAULT_TIMES = 20;
  int block = job->load.block, blocks = (count + block - 1) / block;
  double one = job->given.timeout;
  if (!(one > 0)) one = job->longest > 0 ? fmax(DEFAULT_SECONDS, DEFAULT_TIMES * job->longest) : INFINITY;
  return one + (blocks - 1) * job->longest;
}

/* A worker of our own may be dead by now. Open MPI (4.1) notices that by a write that fails, and if it is asked to write to
 * the same worker again before it has looked at its sockets, it spoils its list of events and never comes back. */
void pool_post(const CtlPool *pool, int w, const double *letter, int size, int tag, MPI_Request *sent) {
  const Worker *worker = &pool->crew[w];
  int found; /* never: no worker sends WORK, and so this looks at the sockets each time */
  if (pool->nest) MPI_Iprobe(worker->rank, MESSAGE_WORK, worker->comm, &found, MPI_STATUS_IGNORE);
  MPI_Isend(letter, size, MPI_DOUBLE, worker->rank, tag, worker->comm, sent);
}

void pool_send(CtlPool *pool, int k, CtlPoolJob *job, int count) {
  Slot *slot = &pool->slots[k];
  int w = k % pool->workers;
  Worker *worker = &pool->crew[w];
  if (!job->knows[w]) {
    pool_post(pool, w, job->letter, job->letter_size, MESSAGE_MODEL, &job->posted[2 * w]);
    job->knows[w] = true;
  }
  slot->work[0] = job->letter[0];
  MPI_Irecv(slot->done, message_done_size(slot->d, count), MPI_DOUBLE, worker->rank, MESSAGE_DONE, worker->comm,
            &pool->received[k]);
  pool_post(pool, w, slot->work, message_work_size(slot->n, count), MESSAGE_WORK, &slot->sent);
  slot->state = SLOT_OUT;
  slot->again = false;
  slot->serial = pool->serial++;
  slot->allowance = allowance(job, count);
  if (!worker->out++) worker->begun = pool->patience;
  ctl_load_give(&job->load, w, count, since_start(job));
  job->times.batches++;
}

/* Gives a free slot's worker a batch of a job, if there are points that nobody has and the worker lacks any. */
static bool give(CtlPool *pool, int k, CtlPoolJob *job) {
  Slot *slot = &pool->slots[k];
  long unasked = ctl_search_unasked(job->given.search);
  int size = job->batch ? job->batch : ctl_load_batch(&job->load, k % pool->workers, unasked, since_start(job));
  if (!size || !pool_reserve(slot, job, size)) return false;
  slot->count = ctl_search_ask(job->given.search, size, slot->tickets, slot->work + 1);
  pool_send(pool, k, job, slot->count);
  return true;
}

/* The job goes to the end of the queue. */
static void requeue(CtlPool *pool, CtlPoolJob *job) {
  CtlPoolJob **at = &pool->jobs;
  while (*at != job) at = &(*at)->next;
  *at = job->next;
  while (*at) at = &(*at)->next;
  *at = job;
  job->next = NULL;
}

/* Gives a batch of the first job in the queue that has one. */
static bool give_any(CtlPool *pool, int k) {
  if (pool_give_late(pool, k)) return true;
  for (CtlPoolJob *job = pool->jobs; job; job = job->next)
    if (job_wants(job) && give(pool, k, job)) {
      requeue(pool, job);
      return true;
    }
  return false;
}

static bool anything_wanted(const CtlPool *pool) {
  if (pool->n_late) return true;
  for (const CtlPoolJob *job = pool->jobs; job; job = job->next)
    if (job_wants(job)) return true;
  return false;
}

/* How many workers a job may count on: several jobs share them, in larger batches. */
static void set_evaluators(CtlPool *pool) {
  long evaluators = pool->alive + pool->options.evaluates, jobs = 0;
  for (const CtlPoolJob *job = pool->jobs; job; job = job->next) jobs += job->stop == 0;
  long each = jobs ? (evaluators + jobs - 1) / jobs : evaluators;
  for (CtlPoolJob *job = pool->jobs; job; job = job->next) job->load.evaluators = each ? (int)each : 1;
}

/* Fills the free slots while there are points to give: all workers get a first batch before anyone gets a second. */
static void hand_out(CtlPool *pool) {
  set_evaluators(pool);
  for (int pass = 0; pass < SLOTS && anything_wanted(pool); pass++) {
    int kept = 0;
    for (int i = 0; i < pool->n_idle; i++) {
      int k = pool->idle[i];
      const Worker *worker = &pool->crew[k % pool->workers];
      bool its_turn = !worker->late && (pass > 0 || !worker->out);
      if (!its_turn || !give_any(pool, k)) pool->idle[kept++] = k;
    }
    pool->n_idle = kept;
  }
}

void pool_tell(CtlPoolJob *job, long ticket, const CtlOutcome *outcome) {
  if (job->stop || !ctl_search_wants(job->given.search, ticket)) return;
  job->stop = ctl_drive_tell(job->given.search, ticket, outcome, job->given.listener, since_start(job));
}

/* A worker has answered. */
static void hear(CtlPool *pool, int k) {
  Slot *slot = &pool->slots[k];
  Worker *worker = &pool->crew[k % pool->workers];
  if (slot->state == SLOT_LATE) {
    pool->n_late--;
    if (--worker->late == 0) pool->alive++;
  } else
    worker->out--;
  worker->begun = pool->patience;
  slot->state = SLOT_FREE;
  pool->idle[pool->n_idle++] = k;
}

/* Tells what a slot has brought back, and frees it. */
static void take_in(CtlPool *pool, int k) {
  Slot *slot = &pool->slots[k];
  CtlPoolJob *job = slot->job;
  bool late = slot->state == SLOT_LATE;
  hear(pool, k);
  MPI_Wait(&slot->sent, MPI_STATUS_IGNORE); /* complete: its answer is here */
  if (!job || job->stop) return;
  double seconds = slot->done[0];
  if (seconds < 0) {
    job->stop = CTL_POOL_REFUSED;
    return;
  }
  int block = job->load.block, blocks = (slot->count + block - 1) / block;
  job->times.ivps += seconds;
  if (!late) {
    ctl_load_take(&job->load, k % pool->workers, slot->count, seconds, since_start(job));
    job->longest = fmax(job->longest, seconds / blocks);
  }
  for (int i = 0; i < slot->count; i++) {
    const double *row = message_outcome(slot->done, slot->d, i);
    CtlOutcome outcome = {
        .x = row + 2, .v = row + 2 + slot->d, .iterations = (long)row[1], .status = (SimStatus)row[0]};
    pool_tell(job, slot->tickets[i], &outcome);
  }
}

/* Takes in whatever has come back. Returns whether anything has. */
static bool collect(CtlPool *pool) {
  int arrived = 0;
  MPI_Testsome(pool_size(pool), pool->received, &arrived, pool->indices, MPI_STATUSES_IGNORE);
  if (arrived == MPI_UNDEFINED) return false;
  for (int i = 0; i < arrived; i++) take_in(pool, pool->indices[i]);
  return arrived > 0;
}

static int busy(const CtlPool *pool) {
  int count = 0;
  for (int w = 0; w < pool->workers; w++) count += pool->crew[w].out > 0;
  return count;
}

static void tick(const CtlPoolJob *job, int n_busy) {
  const CtlListener *listener = job->given.listener;
  if (listener->tick && !job->stop) listener->tick(listener->context, job->given.search, since_start(job), n_busy);
}

/* Evaluates a piece here of the first job that has points no worker has room for. Returns whether it has. */
static bool evaluate_here(CtlPool *pool) {
  CtlPoolJob *job = pool->jobs;
  if (pool_evaluate_late(pool)) return true;
  while (job && !job_wants(job)) job = job->next;
  if (!job || (pool->alive && !pool->options.evaluates)) return false;
  int most = ctl_load_piece(&job->load, ctl_search_unasked(job->given.search), since_start(job));
  double before = job->times.evaluating;
  if (job->batch && most > job->batch) most = job->batch;
  int count =
      ctl_desk_turn(&job->desk, job->given.search, most, job->given.listener, job->start, &job->times, &job->stop);
  pool->evaluating += job->times.evaluating - before;
  if (!count) return false;
  requeue(pool, job);
  tick(job, busy(pool) + 1);
  return true;
}

/* Removed jobs whose letters have all arrived. */
static void bury(CtlPool *pool) {
  for (CtlPoolJob **at = &pool->gone; *at;) {
    CtlPoolJob *job = *at;
    int arrived = 0;
    MPI_Testall(2 * pool->workers, job->posted, &arrived, MPI_STATUSES_IGNORE);
    if (!arrived) {
      at = &job->next;
      continue;
    }
    *at = job->next;
    pool_job_free(job);
  }
}

void ctl_pool_turn(CtlPool *pool) {
  MessageWait *wait = &pool->wait;
  pool_look_for_stop(pool);
  hand_out(pool);
  if (collect(pool) || evaluate_here(pool)) {
    if (wait->waiting) pool->waiting += pool->rested - wait->since;
    *wait = (MessageWait){0};
    return;
  }
  pool_look_for_late(pool);
  if (pool->nest) nest_look(pool);
  int n_busy = busy(pool);
  for (CtlPoolJob *job = pool->jobs; job; job = job->next) tick(job, n_busy);
  if (pool->gone) bury(pool);
  message_rest(wait);
  pool->rested = ctl_seconds();
}
