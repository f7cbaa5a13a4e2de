/* Rank 0 of the pool. Every worker has two slots, so that it finds its next batch in its mailbox when it has
 * sent the last one off. Sends and receives are all non-blocking: no rank can hold up the others. */
#include "control/clock.h"
#include "control/drive.h"
#include "control/message.h"

#include <stdlib.h>

enum { SLOTS = 2, POINTS_AT_MOST = 32, MESSAGES_PER_SIMPLEX = 8 };

/* One batch on its way to a worker and back. */
typedef struct Slot {
  int count;        /* points; 0 when free */
  long *tickets;    /* [batch] */
  double *controls; /* [batch][n] */
  double *done;     /* message_done_size(d, batch) */
  MPI_Request sent;
} Slot;

typedef struct Pool {
  MPI_Comm comm;
  int n, d, batch, workers;
  Slot *slots;           /* [workers * SLOTS]: slot s of worker w at s * workers + w, so that all get a first batch
                * before anyone gets a second */
  MPI_Request *received; /* [workers * SLOTS] */
  int *indices;          /* [workers * SLOTS] for MPI_Testsome */
  double *numbers;       /* the slots' controls and answers */
  long *tickets;
  int out; /* batches not yet back */
} Pool;

int ctl_pool_batch(long scheme_size, int workers) {
  long share = scheme_size / ((long)workers * MESSAGES_PER_SIMPLEX);
  return share < 1 ? 1 : share > POINTS_AT_MOST ? POINTS_AT_MOST : (int)share;
}

static int pool_size(const Pool *pool) { return pool->workers * SLOTS; }

static void pool_free(Pool *pool) {
  free(pool->slots);
  free(pool->received);
  free(pool->indices);
  free(pool->numbers);
  free(pool->tickets);
}

static int pool_init(Pool *pool) {
  size_t slots = (size_t)pool_size(pool), batch = (size_t)pool->batch;
  size_t controls = batch * (size_t)pool->n, done = (size_t)message_done_size(pool->d, pool->batch);
  pool->slots = calloc(slots, sizeof *pool->slots);
  pool->received = calloc(slots, sizeof *pool->received);
  pool->indices = calloc(slots, sizeof *pool->indices);
  pool->numbers = calloc(slots * (controls + done), sizeof *pool->numbers);
  pool->tickets = calloc(slots * batch, sizeof *pool->tickets);
  if (!pool->slots || !pool->received || !pool->indices || !pool->numbers || !pool->tickets) return -1;
  for (size_t k = 0; k < slots; k++) {
    double *numbers = pool->numbers + k * (controls + done);
    pool->slots[k] = (Slot){.tickets = pool->tickets + k * batch,
                            .controls = numbers,
                            .done = numbers + controls,
                            .sent = MPI_REQUEST_NULL};
    pool->received[k] = MPI_REQUEST_NULL;
  }
  return 0;
}

static int rank_of(const Pool *pool, int k) { return 1 + k % pool->workers; }

/* Fills the free slots while the search has points to give. */
static void hand_out(Pool *pool, CtlSearch *search) {
  for (int k = 0; k < pool_size(pool); k++) {
    Slot *slot = &pool->slots[k];
    if (slot->count) continue;
    slot->count = ctl_search_ask(search, pool->batch, slot->tickets, slot->controls);
    if (!slot->count) return;
    MPI_Irecv(slot->done, message_done_size(pool->d, slot->count), MPI_DOUBLE, rank_of(pool, k), MESSAGE_DONE,
              pool->comm, &pool->received[k]);
    MPI_Isend(slot->controls, slot->count * pool->n, MPI_DOUBLE, rank_of(pool, k), MESSAGE_WORK, pool->comm,
              &slot->sent);
    pool->out++;
  }
}

/* Tells what a slot has brought back. */
static int take_in(Pool *pool, Slot *slot, CtlSearch *search, const CtlListener *listener, double start,
                   CtlTimes *times) {
  int stop = 0;
  double seconds = ctl_seconds() - start;
  times->ivps += slot->done[0];
  for (int i = 0; i < slot->count && !stop; i++) {
    const double *row = message_outcome(slot->done, pool->d, i);
    CtlOutcome outcome = {
        .x = row + 2, .v = row + 2 + pool->d, .iterations = (long)row[1], .status = (SimStatus)row[0]};
    stop = ctl_drive_tell(search, slot->tickets[i], &outcome, listener, seconds);
  }
  return stop;
}

static int busy_workers(const Pool *pool) {
  int busy = 0;
  for (int w = 0; w < pool->workers; w++) {
    int held = 0;
    for (int s = 0; s < SLOTS; s++) held += pool->slots[s * pool->workers + w].count;
    busy += held > 0;
  }
  return busy;
}

/* Takes in whatever has come back; returns how many batches. *stop: what the listener wants. */
static int collect(Pool *pool, CtlSearch *search, const CtlListener *listener, double start, CtlTimes *times,
                   int *stop) {
  int arrived = 0;
  MPI_Testsome(pool_size(pool), pool->received, &arrived, pool->indices, MPI_STATUSES_IGNORE);
  if (arrived == MPI_UNDEFINED) return 0;
  for (int i = 0; i < arrived; i++) {
    Slot *slot = &pool->slots[pool->indices[i]];
    MPI_Wait(&slot->sent, MPI_STATUS_IGNORE); /* complete: its answer is here */
    if (!*stop) *stop = take_in(pool, slot, search, listener, start, times);
    slot->count = 0;
    pool->out--;
  }
  return arrived;
}

static void stop_workers(const Pool *pool) {
  for (int rank = 1; rank <= pool->workers; rank++) {
    MPI_Request sent; /* an empty letter: nothing to keep until it has arrived */
    MPI_Isend(NULL, 0, MPI_DOUBLE, rank, MESSAGE_STOP, pool->comm, &sent);
    MPI_Request_free(&sent);
  }
}

int ctl_drive_pool(CtlSearch *search, int n, int d, int batch, MPI_Comm comm, const CtlListener *listener,
                   CtlTimes *times) {
  double start = ctl_seconds();
  CtlState state;
  Pool pool = {.comm = comm, .n = n, .d = d};
  MPI_Comm_size(comm, &pool.workers);
  pool.workers--;
  ctl_search_state(search, &state);
  pool.batch = batch > 0 ? batch : ctl_pool_batch(state.scheme_size, pool.workers);
  if (pool.batch > MESSAGE_BATCH_MAX) pool.batch = MESSAGE_BATCH_MAX;
  *times = (CtlTimes){.evaluators = pool.workers};

  int stop = pool_init(&pool);
  MessageWait wait = {0};
  if (!stop) hand_out(&pool, search);
  while (pool.out > 0) { /* on a stop, what is out is still taken in: no worker is left with a letter in its hand */
    if (collect(&pool, search, listener, start, times, &stop) > 0) {
      wait = (MessageWait){0};
      if (!stop) hand_out(&pool, search);
    } else {
      double before = ctl_seconds();
      if (listener->tick) listener->tick(listener->context, search, before - start, busy_workers(&pool));
      message_rest(&wait);
      times->waiting += ctl_seconds() - before;
    }
  }
  stop_workers(&pool);
  pool_free(&pool);
  times->wall = ctl_seconds() - start;
  times->coordinating = times->wall - times->waiting;
  return stop;
}
