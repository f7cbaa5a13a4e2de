/* SPDX-License-Identifier: BSD-2-Clause */
/* A slot holds one batch of a job. This file stores the batch, sends it to a worker and receives its outcomes. */
#include "control/pool/state.h"

#include <math.h>
#include <stdlib.h>

int pool_batch_most(const CtlPoolJob *job, CtlWant want) {
  return want.derivatives && job->most_rows < job->load.at_most ? job->most_rows : job->load.at_most;
}

bool pool_reserve(Slot *slot, CtlPoolJob *job, CtlWant want) {
  const CtlEvaluator *evaluator = job->drive.evaluator;
  int n = evaluator->n, d = evaluator->d, points = pool_batch_most(job, want), tickets = job->load.at_most;
  size_t r = ctl_evaluator_rows(evaluator, want), work = message_work_size(n, points),
         done = message_done_size(d, r, points), room = work > done ? work : done;
  slot->job = job;
  slot->n = n;
  slot->d = d;
  slot->want = want;
  slot->r = r;
  if (room <= slot->room && tickets <= slot->points) return true;
  if (room < slot->room) room = slot->room;
  if (tickets < slot->points) tickets = slot->points;
  free(slot->work);
  free(slot->done);
  free(slot->tickets);
  slot->work = malloc(room);
  slot->done = malloc(room);
  slot->tickets = malloc((size_t)tickets * sizeof *slot->tickets);
  bool there = slot->work && slot->done && slot->tickets;
  slot->room = there ? room : 0;
  slot->points = there ? tickets : 0;
  if (!there) job->drive.stop = CTL_DRIVE_NO_MEMORY;
  return there;
}

/* Returns the time, in s, that a worker is allowed for a batch. pool.h has the formula. */
static double batch_allowance(const CtlPoolJob *job, CtlWant want, int count) {
  static const double DEFAULT_SECONDS = 60, DEFAULT_TIMES = 20;
  int block = job_block(job, want), blocks = (count + block - 1) / block;
  double one = job->timeout;
  if (!(one > 0)) one = job->longest > 0 ? fmax(DEFAULT_SECONDS, DEFAULT_TIMES * job->longest) : INFINITY;
  return one + (blocks - 1) * job->longest;
}

/* Sends a message. If the worker is a spawned process, it may be dead. Open MPI (4.1) notices a death when a write
 * fails. If it has to write to the same worker again before it has polled its sockets, it corrupts its list of events
 * and never returns. */
void pool_post(const CtlPool *pool, int w, const void *message, size_t size, int tag, MPI_Request *sent) {
  const PoolWorker *worker = &pool->workers[w];
  int found; /* no worker sends WORK, so the probe finds nothing, but it makes MPI poll the sockets, as described
              * above */
  if (pool->spawned) MPI_Iprobe(worker->rank, MESSAGE_WORK, worker->comm, &found, MPI_STATUS_IGNORE);
  message_send(message, size, worker->rank, tag, worker->comm, sent);
}

void pool_send(CtlPool *pool, int k, CtlPoolJob *job, int count) {
  Slot *slot = &pool->slots[k];
  int w = k % pool->n_workers;
  PoolWorker *worker = &pool->workers[w];
  if (!job->knows[w]) {
    pool_post(pool, w, job->model, message_model_size(job->model->size), MESSAGE_MODEL, &job->posted[POSTS * w]);
    job->knows[w] = true;
  }
  slot->count = count;
  slot->serial = pool->serial++;
  *slot->work = (MessageWork){.model = job->model->model,
                              .serial = slot->serial,
                              .count = count,
                              .segments = slot->want.segments,
                              .motion = slot->want.motion,
                              .derivatives = slot->want.derivatives};
  message_receive(slot->done, message_done_size(slot->d, slot->r, count), worker->rank, MESSAGE_DONE, worker->comm,
                  &pool->received[k]);
  pool_post(pool, w, slot->work, message_work_size(slot->n, count), MESSAGE_WORK, &slot->sent);
  slot->state = SLOT_OUT;
  slot->again = slot->dropped = slot->heavy = false;
  slot->allowance = batch_allowance(job, slot->want, count);
  if (!worker->out++) worker->begun = pool->deadline_clock;
  load_balance_give(&job->load, w, count, job_seconds(job));
  job->drive.times.batches++;
}

void pool_drop(CtlPool *pool, int k) {
  Slot *slot = &pool->slots[k];
  slot->dropped = true;
  slot->drop.serial = slot->serial;
  pool_post(pool, k % pool->n_workers, &slot->drop, sizeof slot->drop, MESSAGE_DROP, &slot->dropping);
}
