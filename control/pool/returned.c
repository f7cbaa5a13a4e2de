/* SPDX-License-Identifier: BSD-2-Clause */
/* Points that were returned without an outcome. A worker may reply before it has evaluated all points of a batch, after
 * one second, or its batch was revoked (revoke.c). The search still expects the other points, and they are handed out
 * before new points. */
#include "control/pool/state.h"

#include <stdlib.h>
#include <string.h>

/* Enlarges the arrays, if necessary, for `more` additional points. Returns false when out of memory. */
static bool make_room(CtlPoolJob *job, int more) {
  size_t n = (size_t)job->drive.evaluator->n;
  if (job->returned_first > 0) {
    size_t left = (size_t)job->n_returned;
    memmove(job->returned, job->returned + job->returned_first, left * sizeof *job->returned);
    memmove(job->returned_controls, job->returned_controls + (size_t)job->returned_first * n,
            left * n * sizeof *job->returned_controls);
    job->returned_first = 0;
  }
  if (job->n_returned + more <= job->returned_room) return true;
  size_t room = 2 * (size_t)(job->n_returned + more);
  ReturnedPoint *points = realloc(job->returned, room * sizeof *points);
  if (points) job->returned = points;
  double *controls = points ? realloc(job->returned_controls, (room * n + 1) * sizeof *controls) : NULL;
  if (controls) job->returned_controls = controls;
  if (controls) job->returned_room = (int)room;
  return controls;
}

void pool_return(CtlPoolJob *job, const Slot *slot, int from, bool heavy) {
  size_t n = (size_t)job->drive.evaluator->n;
  if (from >= slot->count || job->drive.stop) return;
  if (!make_room(job, slot->count - from)) {
    job->drive.stop = CTL_DRIVE_NO_MEMORY;
    return;
  }
  for (int i = from; i < slot->count; i++) {
    if (!driver_wants(&job->drive, slot->tickets[i])) continue;
    job->returned[job->n_returned] = (ReturnedPoint){slot->tickets[i], slot->want, heavy};
    memcpy(job->returned_controls + (size_t)job->n_returned * n, message_controls(slot->work) + (size_t)i * n,
           n * sizeof(double));
    job->n_returned++;
  }
}

const ReturnedPoint *pool_next_returned(CtlPoolJob *job) {
  for (; job->n_returned; job->n_returned--, job->returned_first++)
    if (driver_wants(&job->drive, job->returned[job->returned_first].ticket))
      return &job->returned[job->returned_first];
  return NULL;
}

int pool_take_returned(CtlPoolJob *job, int most, long *tickets, double *controls) {
  size_t n = (size_t)job->drive.evaluator->n;
  const ReturnedPoint *next = pool_next_returned(job);
  if (!next) return 0;
  const ReturnedPoint first = *next;
  int count = 0;
  for (; count < most && next; next = pool_next_returned(job)) {
    if (!ctl_want_is(next->want, first.want) || next->heavy != first.heavy || (count && first.heavy)) break;
    tickets[count] = next->ticket;
    memcpy(controls + (size_t)count * n, job->returned_controls + (size_t)job->returned_first * n,
           n * sizeof *controls);
    count++;
    job->returned_first++;
    job->n_returned--;
  }
  return count;
}

bool pool_evaluate_returned(CtlPool *pool) {
  CtlPoolJob *job = pool->alive ? NULL : pool->jobs;
  while (job && !(counts(job) && pool_next_returned(job))) job = job->next;
  if (!job) return false;
  CtlWant want = pool_next_returned(job)->want;
  double before = job->drive.times.evaluating;
  int count = pool_take_returned(job, 1, job->local.tickets, job->local.controls);
  local_batch_evaluate(&job->local, &job->drive, want, count);
  pool->evaluating += job->drive.times.evaluating - before;
  return true;
}
