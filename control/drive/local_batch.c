/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/drive/local_batch.h"

#include "control/base/clock.h"

#include <stdlib.h>

enum { ROWS_BYTES = 1 << 21 }; /* memory for derivatives, in bytes; more if a single point needs more */

SimStatus local_batch_init(LocalBatch *batch, const CtlEvaluator *evaluator, int capacity) {
  size_t count = (size_t)capacity, n = (size_t)evaluator->n, d = (size_t)evaluator->d;
  size_t row = evaluator->m ? (size_t)evaluator->m * ctl_row_size(evaluator->n) * sizeof(double) : ROWS_BYTES,
         fit = ROWS_BYTES / row;
  *batch = (LocalBatch){.capacity = capacity, .capacity_rows = fit < 1 ? 1 : fit < count ? (int)fit : capacity};
  batch->tickets = malloc(count * sizeof *batch->tickets);
  batch->final = malloc(count * sizeof *batch->final);
  batch->controls = calloc(count * n + 1, sizeof *batch->controls);
  batch->states = calloc(count * 2 * d, sizeof *batch->states);
  batch->rows = malloc(ctl_evaluator_rows(evaluator, (CtlWant){.derivatives = true}) * (size_t)batch->capacity_rows *
                           sizeof *batch->rows +
                       1);
  if (!batch->tickets || !batch->final || !batch->controls || !batch->states || !batch->rows) {
    local_batch_clear(batch);
    return SIM_NO_MEMORY;
  }
  for (size_t i = 0; i < count; i++)
    batch->final[i] = (SimFinal){.x = batch->states + 2 * i * d, .v = batch->states + (2 * i + 1) * d};
  return SIM_OK;
}

void local_batch_clear(LocalBatch *batch) {
  free(batch->tickets);
  free(batch->final);
  free(batch->controls);
  free(batch->states);
  free(batch->rows);
  *batch = (LocalBatch){0};
}

void local_batch_evaluate(LocalBatch *batch, Drive *drive, CtlWant want, int count) {
  const CtlEvaluator *evaluator = drive->evaluator;
  size_t r = ctl_evaluator_rows(evaluator, want);
  double *rows = r ? batch->rows : NULL;
  double before = ctl_seconds();
  evaluator->evaluate(evaluator->context, want, count, batch->controls, batch->final, rows);
  double seconds = ctl_seconds() - before;
  drive->times.ivps += seconds;
  drive->times.evaluating += seconds;
  for (int i = 0; i < count; i++) {
    const SimFinal *f = &batch->final[i];
    CtlOutcome outcome = {.x = f->x, .v = f->v, .iterations = f->iterations, .status = f->status};
    if (r) outcome.rows = rows + (size_t)i * r;
    driver_tell(drive, batch->tickets[i], &outcome);
  }
}

int local_batch_turn(LocalBatch *batch, Drive *drive, int most) {
  CtlWant want = {0};
  driver_unasked(drive, &want);
  int room = want.derivatives ? batch->capacity_rows : batch->capacity;
  int count = driver_ask(drive, most < room ? most : room, batch->tickets, batch->controls, &want);
  if (count) local_batch_evaluate(batch, drive, want, count);
  return count;
}
