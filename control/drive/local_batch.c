#include "control/drive/local_batch.h"

#include "control/base/clock.h"

#include <stdlib.h>

SimStatus local_batch_init(LocalBatch *batch, const CtlEvaluator *evaluator, int capacity) {
  size_t count = (size_t)capacity, n = (size_t)evaluator->n, d = (size_t)evaluator->d;
  *batch = (LocalBatch){.capacity = capacity};
  batch->tickets = malloc(count * sizeof *batch->tickets);
  batch->final = malloc(count * sizeof *batch->final);
  batch->controls = calloc(count * n + 1, sizeof *batch->controls);
  batch->states = calloc(count * 2 * d, sizeof *batch->states);
  if (!batch->tickets || !batch->final || !batch->controls || !batch->states) {
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
  *batch = (LocalBatch){0};
}

void local_batch_evaluate(LocalBatch *batch, Drive *drive, int count) {
  const CtlEvaluator *evaluator = drive->evaluator;
  double before = ctl_seconds();
  evaluator->evaluate(evaluator->context, count, batch->controls, batch->final);
  double seconds = ctl_seconds() - before;
  drive->times.ivps += seconds;
  drive->times.evaluating += seconds;
  for (int i = 0; i < count; i++) {
    const SimFinal *f = &batch->final[i];
    driver_tell(drive, batch->tickets[i],
                &(CtlOutcome){.x = f->x, .v = f->v, .iterations = f->iterations, .status = f->status});
  }
}

int local_batch_turn(LocalBatch *batch, Drive *drive, int most) {
  int count = ctl_search_ask(drive->search, most, batch->tickets, batch->controls);
  if (count) local_batch_evaluate(batch, drive, count);
  return count;
}
