/* Rank 0 of the pool. Every worker has two slots, so that it finds its next batch in its mailbox when it has
 * sent the last one off. Sends and receives are all non-blocking: no rank can hold up the others. */
#include "control/clock.h"
#include "control/desk.h"
#include "control/drive.h"
#include "control/message.h"
#include "control/pool_load.h"

#include <stdlib.h>

enum { SLOTS = 2 };

/* One batch on its way to a worker and back. */
typedef struct Slot {
  int count;        /* points */
  long *tickets;    /* [at_most] */
  double *controls; /* [at_most][n] */
  double *done;     /* message_done_size(d, at_most) */
  MPI_Request sent;
} Slot;

typedef struct Pool {
  MPI_Comm comm;
  CtlSearch *search;
  const CtlListener *listener;
  CtlTimes *times;
  double start;
  int stop;          /* what the drive returns; not 0: nothing more is told */
  bool stopping;     /* as somebody has wished: nothing more is handed out */
  double stopped_at; /* s */

  int n, d, workers, batch; /* batch: points in each, 0 to choose */
  CtlLoad load;

  Slot *slots;           /* [workers * SLOTS]: slot s of worker w at s * workers + w */
  MPI_Request *received; /* [workers * SLOTS] */
  int *indices;          /* [workers * SLOTS] for MPI_Testsome */
  int *idle;             /* [workers * SLOTS] free slots, n_idle of them */
  int n_idle;
  long batches;    /* not yet back */
  double *numbers; /* the slots' controls and answers */
  long *tickets;

  bool evaluates; /* with the next */
  CtlDesk desk;
} Pool;

static int pool_size(const Pool *pool) { return pool->workers * SLOTS; }

static void pool_clear(Pool *pool) {
  free(pool->slots);
  free(pool->received);
  free(pool->indices);
  free(pool->idle);
  ctl_load_clear(&pool->load);
  free(pool->numbers);
  free(pool->tickets);
  if (pool->evaluates) ctl_desk_clear(&pool->desk);
}

/* The slots and their storage. Returns 0, or -1 when out of memory. */
static int pool_init(Pool *pool) {
  size_t slots = (size_t)pool_size(pool), batch = (size_t)pool->load.at_most;
  size_t controls = batch * (size_t)pool->n, done = (size_t)message_done_size(pool->d, pool->load.at_most);
  pool->slots = calloc(slots, sizeof *pool->slots);
  pool->received = calloc(slots, sizeof *pool->received);
  pool->indices = calloc(slots, sizeof *pool->indices);
  pool->idle = calloc(slots, sizeof *pool->idle);
  pool->numbers = calloc(slots * (controls + done), sizeof *pool->numbers);
  pool->tickets = calloc(slots * batch, sizeof *pool->tickets);
  if (!pool->slots || !pool->received || !pool->indices || !pool->idle || !pool->numbers || !pool->tickets) return -1;
  for (size_t k = 0; k < slots; k++) {
    double *numbers = pool->numbers + k * (controls + done);
    pool->slots[k] = (Slot){.tickets = pool->tickets + k * batch,
                            .controls = numbers,
                            .done = numbers + controls,
                            .sent = MPI_REQUEST_NULL};
    pool->received[k] = MPI_REQUEST_NULL;
    pool->idle[pool->n_idle++] = (int)k;
  }
  return 0;
}

static double now(const Pool *pool) { return ctl_seconds() - pool->start; }

/* Gives a free slot's worker a batch, if there are points that nobody has and the worker lacks any. Whether it has. */
static bool give(Pool *pool, int k) {
  Slot *slot = &pool->slots[k];
  int worker = k % pool->workers;
  long unasked = ctl_search_unasked(pool->search);
  if (!unasked) return false;
  int size = pool->batch ? pool->batch : ctl_load_batch(&pool->load, worker, unasked, now(pool));
  if (!size) return false;
  slot->count = ctl_search_ask(pool->search, size, slot->tickets, slot->controls);
  MPI_Irecv(slot->done, message_done_size(pool->d, slot->count), MPI_DOUBLE, 1 + worker, MESSAGE_DONE, pool->comm,
            &pool->received[k]);
  MPI_Isend(slot->controls, slot->count * pool->n, MPI_DOUBLE, 1 + worker, MESSAGE_WORK, pool->comm, &slot->sent);
  ctl_load_give(&pool->load, worker, slot->count, now(pool));
  pool->batches++;
  pool->times->batches++;
  return true;
}

/* Fills the free slots while the search has points to give: all workers get a first batch before anyone gets a second.
 */
static void hand_out(Pool *pool) {
  for (int pass = 0; pass < SLOTS && ctl_search_unasked(pool->search); pass++) {
    int kept = 0;
    for (int i = 0; i < pool->n_idle; i++) {
      int k = pool->idle[i];
      bool its_turn = pass > 0 || !pool->load.held[k % pool->workers];
      if (!its_turn || !give(pool, k)) pool->idle[kept++] = k;
    }
    pool->n_idle = kept;
  }
}

/* Tells what a slot has brought back, and frees it. */
static void take_in(Pool *pool, int k) {
  Slot *slot = &pool->slots[k];
  double seconds = now(pool);
  MPI_Wait(&slot->sent, MPI_STATUS_IGNORE); /* complete: its answer is here */
  pool->times->ivps += slot->done[0];
  ctl_load_take(&pool->load, k % pool->workers, slot->count, slot->done[0], seconds);
  for (int i = 0; i < slot->count && !pool->stop; i++) {
    const double *row = message_outcome(slot->done, pool->d, i);
    CtlOutcome outcome = {
        .x = row + 2, .v = row + 2 + pool->d, .iterations = (long)row[1], .status = (SimStatus)row[0]};
    pool->stop = ctl_drive_tell(pool->search, slot->tickets[i], &outcome, pool->listener, seconds);
  }
  pool->batches--;
  pool->idle[pool->n_idle++] = k;
}

/* Takes in whatever has come back. Returns whether anything has. */
static bool collect(Pool *pool) {
  int arrived = 0;
  MPI_Testsome(pool_size(pool), pool->received, &arrived, pool->indices, MPI_STATUSES_IGNORE);
  if (arrived == MPI_UNDEFINED) return false;
  for (int i = 0; i < arrived; i++) take_in(pool, pool->indices[i]);
  return arrived > 0;
}

static void tick(const Pool *pool, int busy) {
  const CtlListener *listener = pool->listener;
  if (listener->tick) listener->tick(listener->context, pool->search, now(pool), busy);
}

/* Evaluates a piece here when there are points that no worker has room for. Returns whether it has. */
static bool evaluate_here(Pool *pool) {
  if (!pool->evaluates || pool->stop || pool->stopping || !ctl_search_unasked(pool->search)) return false;
  int most = ctl_load_piece(&pool->load, ctl_search_unasked(pool->search), now(pool));
  if (pool->batch && most > pool->batch) most = pool->batch;
  int count = ctl_desk_turn(&pool->desk, pool->search, most, pool->listener, pool->start, pool->times, &pool->stop);
  if (count) tick(pool, pool->load.busy + 1);
  return count > 0;
}

/* Whether the listener, or the one of a worker, has wished to stop. */
static bool is_wished(const Pool *pool) {
  const CtlListener *listener = pool->listener;
  int found = 0;
  if (!listener->stopped) return false;
  if (listener->stopped(listener->context)) return true;
  MPI_Iprobe(MPI_ANY_SOURCE, MESSAGE_WISH, pool->comm, &found, MPI_STATUS_IGNORE);
  return found;
}

/* Whether to leave what is still out. */
static bool is_over(Pool *pool) {
  if (!pool->stopping && !is_wished(pool)) return false;
  if (!pool->stopping) pool->stopped_at = now(pool);
  pool->stopping = true;
  return now(pool) - pool->stopped_at > pool->listener->grace;
}

/* Until nothing is out: on a stop, what is out is still taken in, so no worker is left with a letter in its hand. */
static void lead(Pool *pool) {
  MessageWait wait = {0};
  hand_out(pool);
  while (pool->batches > 0 && !is_over(pool)) {
    double before = ctl_seconds();
    if (collect(pool) || evaluate_here(pool)) {
      if (wait.waiting) pool->times->waiting += before - wait.since;
      wait = (MessageWait){0};
      if (!pool->stop && !pool->stopping) hand_out(pool);
    } else {
      tick(pool, pool->load.busy);
      message_rest(&wait);
    }
  }
}

/* What a drive that was to stop has come to; 0 when the search has ended all the same. */
static int how_stopped(const Pool *pool) {
  CtlState state;
  ctl_search_state(pool->search, &state);
  if (state.reason != CTL_RUNNING && !pool->batches) return 0;
  return pool->batches ? CTL_DRIVE_ABANDONED : CTL_DRIVE_STOPPED;
}

static void stop_workers(const Pool *pool) {
  for (int rank = 1; rank <= pool->workers; rank++) {
    MPI_Request sent; /* an empty letter: nothing to keep until it has arrived */
    MPI_Isend(NULL, 0, MPI_DOUBLE, rank, MESSAGE_STOP, pool->comm, &sent);
    MPI_Request_free(&sent);
  }
}

/* The most points in a batch: an even share of a simplex, in whole blocks, if a message holds it. */
static int batch_at_most(const CtlEvaluator *evaluator, int batch, long scheme_size, int evaluators) {
  int most = message_batch_most(evaluator->n, evaluator->d);
  long share = scheme_size / evaluators + 1,
       wanted = batch ? batch : share + evaluator->block - share % evaluator->block;
  return wanted < most ? (int)wanted : most;
}

int ctl_drive_pool(CtlSearch *search, const CtlEvaluator *evaluator, const CtlPoolOptions *options, MPI_Comm comm,
                   const CtlListener *listener, CtlTimes *times) {
  CtlState state;
  Pool pool = {.comm = comm,
               .search = search,
               .listener = listener,
               .times = times,
               .start = ctl_seconds(),
               .n = evaluator->n,
               .d = evaluator->d};
  MPI_Comm_size(comm, &pool.workers);
  pool.workers--;
  int evaluators = pool.workers + options->evaluates;
  *times = (CtlTimes){.evaluators = evaluators};
  ctl_search_state(search, &state);
  int at_most = batch_at_most(evaluator, options->batch, state.scheme_size, evaluators);
  if (options->batch) pool.batch = at_most;
  if (ctl_load_init(&pool.load, pool.workers, evaluators, evaluator->block, at_most) != SIM_OK || pool_init(&pool))
    pool.stop = CTL_DRIVE_NO_MEMORY;
  if (!pool.stop && options->evaluates) {
    pool.evaluates = ctl_desk_init(&pool.desk, evaluator, at_most) == SIM_OK;
    if (!pool.evaluates) pool.stop = CTL_DRIVE_NO_MEMORY;
  }
  if (!pool.stop) lead(&pool);
  if (!pool.stop && pool.stopping) pool.stop = how_stopped(&pool);
  stop_workers(&pool);
  if (!pool.batches) pool_clear(&pool); /* else MPI may yet write there */
  times->wall = ctl_seconds() - pool.start;
  times->coordinating = times->wall - times->waiting - times->evaluating;
  return pool.stop;
}
