#include "control/drive/local_batch.h"

#include "control/base/clock.h"
#include "control/drive/driver.h"

#include <stdlib.h>

SimStatus ctl_desk_init(CtlDesk *desk, const CtlEvaluator *evaluator, int capacity) {
  size_t count = (size_t)capacity, n = (size_t)evaluator->n, d = (size_t)evaluator->d;
  *desk = (CtlDesk){.evaluator = evaluator, .capacity = capacity};
  desk->tickets = malloc(count * sizeof *desk->tickets);
  desk->final = malloc(count * sizeof *desk->final);
  desk->controls = calloc(count * n + 1, sizeof *desk->controls);
  desk->states = calloc(count * 2 * d, sizeof *desk->states);
  if (!desk->tickets || !desk->final || !desk->controls || !desk->states) {
    ctl_desk_clear(desk);
    return SIM_NO_MEMORY;
  }
  for (size_t i = 0; i < count; i++)
    desk->final[i] = (SimFinal){.x = desk->states + 2 * i * d, .v = desk->states + (2 * i + 1) * d};
  return SIM_OK;
}

void ctl_desk_clear(CtlDesk *desk) {
  free(desk->tickets);
  free(desk->final);
  free(desk->controls);
  free(desk->states);
  *desk = (CtlDesk){0};
}

void ctl_desk_evaluate(CtlDesk *desk, int count, CtlSearch *search, const CtlListener *listener, double start,
                       CtlTimes *times, int *stop) {
  const CtlEvaluator *evaluator = desk->evaluator;
  double before = ctl_seconds();
  evaluator->evaluate(evaluator->context, count, desk->controls, desk->final);
  double after = ctl_seconds();
  times->ivps += after - before;
  times->evaluating += after - before;
  for (int i = 0; i < count && !*stop; i++) {
    const SimFinal *f = &desk->final[i];
    CtlOutcome outcome = {.x = f->x, .v = f->v, .iterations = f->iterations, .status = f->status};
    *stop = ctl_drive_tell(search, desk->tickets[i], &outcome, listener, after - start);
  }
}

int ctl_desk_turn(CtlDesk *desk, CtlSearch *search, int most, const CtlListener *listener, double start,
                  CtlTimes *times, int *stop) {
  int count = ctl_search_ask(search, most, desk->tickets, desk->controls);
  if (count) ctl_desk_evaluate(desk, count, search, listener, start, times, stop);
  return count;
}
