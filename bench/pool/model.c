/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/pool/model.h"

#include "control/pool/load_balance.h"
#include "control/worker/message.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { SLOTS = 2 };

/* An answer of a worker that has not reached the coordinator yet. */
typedef struct Answer {
  double time;
  int worker, count;
} Answer;

typedef struct Model {
  const PoolCosts *costs;
  const PoolJob *job;
  double now;        /* time on the coordinator's clock, s */
  double *free_at;   /* [workers] time at which each worker has evaluated all of its points, s */
  int *idle, n_idle; /* [workers * SLOTS] the worker of each free slot */
  long unasked, batches;
  Answer *heap; /* [workers * SLOTS] answers on their way, with the earliest at the root of the heap */
  int n_heap;
  LoadBalance load;
} Model;

static void push_answer(Model *m, Answer answer) {
  int at = m->n_heap++;
  for (; at && m->heap[(at - 1) / 2].time > answer.time; at = (at - 1) / 2) m->heap[at] = m->heap[(at - 1) / 2];
  m->heap[at] = answer;
}

static Answer pop_answer(Model *m) {
  Answer first = m->heap[0], last = m->heap[--m->n_heap];
  int at = 0;
  for (int child; (child = 2 * at + 1) < m->n_heap; at = child) {
    if (child + 1 < m->n_heap && m->heap[child + 1].time < m->heap[child].time) child++;
    if (m->heap[child].time >= last.time) break;
    m->heap[at] = m->heap[child];
  }
  m->heap[at] = last;
  return first;
}

static double evaluation_seconds(const PoolJob *job, int count) {
  return job->evaluation * ((count + job->block - 1) / job->block * job->block);
}

static bool give_batches(Model *m, int w) {
  const PoolCosts *c = m->costs;
  if (!m->unasked) return false;
  int count = load_balance_batch(&m->load, w, m->unasked, m->now);
  if (!count) return false;
  m->now += (c->batch + c->point * count) / 2;
  m->free_at[w] = fmax(m->free_at[w], m->now + c->latency) + evaluation_seconds(m->job, count);
  push_answer(m, (Answer){m->free_at[w] + c->latency, w, count});
  load_balance_give(&m->load, w, count, m->now);
  m->unasked -= count;
  m->batches++;
  return true;
}

static void hand_out(Model *m) {
  for (int pass = 0; pass < SLOTS && m->unasked; pass++) {
    int kept = 0;
    for (int i = 0; i < m->n_idle; i++) {
      int w = m->idle[i];
      if ((pass == 0 && m->load.held[w]) || !give_batches(m, w)) m->idle[kept++] = w;
    }
    m->n_idle = kept;
  }
}

/* Waits for the earliest answer, and processes all that have arrived by then. */
static void collect_answers(Model *m) {
  const PoolCosts *c = m->costs;
  double seen = fmax(m->now, m->heap[0].time);
  m->now = seen + c->poll * m->job->workers * SLOTS;
  while (m->n_heap && m->heap[0].time <= seen) {
    Answer answer = pop_answer(m);
    m->now += (c->batch + c->point * answer.count) / 2;
    load_balance_take(&m->load, answer.worker, answer.count, evaluation_seconds(m->job, answer.count), m->now);
    m->idle[m->n_idle++] = answer.worker;
  }
}

static void run_model(Model *m) {
  const PoolJob *job = m->job;
  for (int slot = 0; slot < SLOTS; slot++)
    for (int w = 0; w < job->workers; w++) m->idle[m->n_idle++] = w;
  for (int round = 0; round < job->rounds; round++) {
    m->unasked = job->points[round];
    hand_out(m);
    while (m->n_heap) {
      collect_answers(m);
      hand_out(m);
    }
    m->now += m->costs->move * (double)job->scheme_size;
  }
}

double pool_model_wall(const PoolCosts *costs, const PoolJob *job, long *batches) {
  size_t workers = (size_t)job->workers, slots = workers * SLOTS;
  Model m = {.costs = costs, .job = job};
  SimStatus status =
      load_balance_init(&m.load, job->workers, job->workers, job->block, job->most ? job->most : MESSAGE_BATCH_MAX);
  m.free_at = calloc(workers, sizeof *m.free_at);
  m.idle = calloc(slots, sizeof *m.idle);
  m.heap = calloc(slots, sizeof *m.heap);
  if (status == SIM_OK && m.free_at && m.idle && m.heap)
    run_model(&m);
  else
    m.now = -1;
  if (batches) *batches = m.batches;
  free(m.free_at);
  load_balance_clear(&m.load);
  free(m.idle);
  free(m.heap);
  return m.now;
}

double pool_model_bound(const PoolJob *job) {
  long rounds = 0;
  for (int k = 0; k < job->rounds; k++) rounds += (job->points[k] + job->workers - 1) / job->workers;
  return (double)rounds * job->evaluation;
}

double pool_model_efficiency(const PoolJob *job, double wall) {
  long points = 0;
  for (int k = 0; k < job->rounds; k++) points += job->points[k];
  return (double)points * job->evaluation / (job->workers * wall);
}
