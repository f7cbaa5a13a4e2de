#include "control/clock.h"
#include "control/desk.h"

enum { BATCH = 64 };

int ctl_drive_serial(CtlSearch *search, const CtlEvaluator *evaluator, const CtlListener *listener, CtlTimes *times) {
  double start = ctl_seconds();
  CtlDesk desk;
  int stop = 0;
  *times = (CtlTimes){.evaluators = 1};
  if (ctl_desk_init(&desk, evaluator, BATCH) != SIM_OK) return -1;
  while (!stop && ctl_desk_turn(&desk, search, BATCH, listener, start, times, &stop))
    if (listener->tick) listener->tick(listener->context, search, ctl_seconds() - start, 1);
  ctl_desk_clear(&desk);
  times->wall = ctl_seconds() - start;
  times->coordinating = times->wall - times->evaluating;
  return stop;
}
