/* SPDX-License-Identifier: BSD-2-Clause */
/* Handles workers that miss their deadlines. A late batch stays in its slot. Its points are sent out again from this
 * slot, one by one. If the late reply arrives after all, those of its outcomes are used that are still expected. */
#include "control/pool/state.h"

#include <math.h>
#include <string.h>

static void give_up(CtlPool *pool, int k) {
  Slot *slot = &pool->slots[k];
  CtlPoolJob *job = slot->job;
  int w = k % pool->n_workers;
  slot->state = SLOT_LATE;
  slot->next = 0;
  pool->n_late++;
  pool->workers[w].out--;
  if (pool->workers[w].late++ == 0) pool->alive--;
  if (!job || slot->dropped) return;
  load_balance_drop(&job->load, w, slot->count, job_seconds(job));
  if (!slot->again)
    job->drive.times.overdue += slot->count;
  else if (job->timeout > 0) /* the point was late for the second time and counts as +inf */
    driver_tell(&job->drive, slot->tickets[0], &(CtlOutcome){.status = SIM_NOT_FINISHED});
}

int pool_oldest(const CtlPool *pool, int w) {
  int found = -1;
  for (int k = w; k < pool_size(pool); k += pool->n_workers)
    if (pool->slots[k].state == SLOT_OUT && (found < 0 || pool->slots[k].serial < pool->slots[found].serial)) found = k;
  return found;
}

void pool_give_up(CtlPool *pool, int w) {
  for (int k = w; k < pool_size(pool); k += pool->n_workers)
    if (pool->slots[k].state == SLOT_OUT) give_up(pool, k);
}

/* Whether a late batch is useless, because no outcome of it is expected any more. */
static bool is_useless(const Slot *slot) {
  /* batches of stopped jobs are excluded, since pool_cancel handles them */
  if (!slot->job || slot->job->drive.stop || slot->job->stopping) return false;
  int i = 0;
  while (i < slot->count && !driver_wants(&slot->job->drive, slot->tickets[i])) i++;
  return i == slot->count;
}

/* Drops late evaluations of which the results are no longer needed, unless the workers of the pool are spawned. */
static void drop_useless(CtlPool *pool) {
  if (!pool->n_late || pool->spawned) return;
  for (int k = 0; k < pool_size(pool); k++) {
    const Slot *slot = &pool->slots[k];
    if (slot->state != SLOT_LATE || slot->dropped || !is_useless(slot)) continue;
    pool_drop(pool, k);
  }
}

void pool_look_for_late(CtlPool *pool) {
  /* maximum advance of the clock between two calls, in s; if more time has passed, rank 0 was suspended or busy, and
   * perhaps the workers were, too */
  static const double STEP_MAX = 1;
  double now = ctl_seconds();
  pool->deadline_clock += fmin(now - pool->clock_moved, STEP_MAX);
  pool->clock_moved = now;
  for (int w = 0; w < pool->n_workers; w++) {
    PoolWorker *worker = &pool->workers[w];
    if (!worker->out) continue;
    if (pool->deadline_clock - worker->begun > pool->slots[pool_oldest(pool, w)].allowance) pool_give_up(pool, w);
  }
  drop_useless(pool);
}

bool pool_spent(Slot *slot) {
  if (!slot->job || slot->dropped || slot->job->drive.stop || slot->job->stopping) return true;
  while (slot->next < slot->count && !driver_wants(&slot->job->drive, slot->tickets[slot->next])) slot->next++;
  return slot->next == slot->count;
}

/* Returns the next late batch with a point to send to another evaluator; NULL if there is none. */
static Slot *next_late(const CtlPool *pool) {
  if (!pool->n_late) return NULL;
  for (int k = 0; k < pool_size(pool); k++) {
    Slot *slot = &pool->slots[k];
    if (slot->state == SLOT_LATE && !pool_spent(slot)) return slot;
  }
  return NULL;
}

static const double *late_controls(const Slot *late) {
  return message_controls(late->work) + (ptrdiff_t)late->next * late->n;
}

bool pool_give_late(CtlPool *pool, int k) {
  Slot *slot = &pool->slots[k], *late;
  const PoolWorker *worker = &pool->workers[k % pool->n_workers];
  if (worker->out || worker->late || !(late = next_late(pool))) return false;
  CtlPoolJob *job = late->job;
  if (!pool_reserve(slot, job, late->want)) return false;
  memcpy(message_controls(slot->work), late_controls(late), (size_t)late->n * sizeof(double));
  slot->tickets[0] = late->tickets[late->next++];
  pool_send(pool, k, job, 1);
  slot->again = true;
  return true;
}

bool pool_evaluate_late(CtlPool *pool) {
  Slot *late = pool->alive ? NULL : next_late(pool);
  if (!late) return false;
  CtlPoolJob *job = late->job;
  double before = job->drive.times.evaluating;
  job->local.tickets[0] = late->tickets[late->next];
  memcpy(job->local.controls, late_controls(late), (size_t)late->n * sizeof(double));
  late->next++;
  local_batch_evaluate(&job->local, &job->drive, late->want, 1);
  pool->evaluating += job->drive.times.evaluating - before;
  return true;
}
