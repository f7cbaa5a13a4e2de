#include "control/clock.h"
#include "control/drive.h"

#include <stdlib.h>

enum { BATCH = 64 };

typedef struct Serial {
  long tickets[BATCH];
  SimFinal final[BATCH];
  double *controls; /* [BATCH][n] */
  double *states;   /* [BATCH][2][d] */
} Serial;

static Serial *serial_create(int n, int d) {
  Serial *s = malloc(sizeof *s);
  if (!s) return NULL;
  s->controls = calloc(BATCH * ((size_t)n + 2 * (size_t)d), sizeof(double));
  if (!s->controls) {
    free(s);
    return NULL;
  }
  s->states = s->controls + BATCH * n;
  for (int i = 0; i < BATCH; i++) {
    s->final[i].x = s->states + (2 * i) * d;
    s->final[i].v = s->states + (2 * i + 1) * d;
  }
  return s;
}

/* Tells the outcomes of a batch. */
static int tell(CtlSearch *search, const Serial *s, int count, const CtlListener *listener, double seconds) {
  int stop = 0;
  for (int i = 0; i < count && !stop; i++) {
    const SimFinal *f = &s->final[i];
    CtlOutcome outcome = {.x = f->x, .v = f->v, .iterations = f->iterations, .status = f->status};
    stop = ctl_drive_tell(search, s->tickets[i], &outcome, listener, seconds);
  }
  return stop;
}

int ctl_drive_serial(CtlSearch *search, const SimModel *model, SimWorkspace *work, const CtlListener *listener,
                     CtlTimes *times) {
  double start = ctl_seconds();
  *times = (CtlTimes){.evaluators = 1};
  Serial *s = serial_create(sim_model_controls(model), sim_model_size(model));
  if (!s) return -1;
  int count, stop = 0;
  while (!stop && (count = ctl_search_ask(search, BATCH, s->tickets, s->controls)) > 0) {
    double before = ctl_seconds();
    sim_batch(model, work, count, s->controls, s->final);
    times->ivps += ctl_seconds() - before;
    stop = tell(search, s, count, listener, ctl_seconds() - start);
    if (listener->tick) listener->tick(listener->context, search, ctl_seconds() - start, 1);
  }
  times->wall = ctl_seconds() - start;
  times->coordinating = times->wall - times->ivps;
  free(s->controls);
  free(s);
  return stop;
}
