#include "control/base/clock.h"
#include "control/drive/local_batch.h"

enum { BATCH = 64 };
static const double TURN_SECONDS = 0.05; /* batches that take longer are halved: somebody may ask to stop */

static bool is_to_stop(const CtlListener *listener) {
  return listener->stopped && listener->stopped(listener->context);
}

int ctl_drive_serial(CtlSearch *search, const CtlEvaluator *evaluator, const CtlListener *listener, CtlTimes *times) {
  double start = ctl_seconds();
  LocalBatch local;
  int stop = 0, batch = 1;
  *times = (CtlTimes){.evaluators = 1};
  if (local_batch_init(&local, evaluator, BATCH) != SIM_OK) return CTL_DRIVE_NO_MEMORY;
  for (double before = start, after; !stop; before = after) {
    if (is_to_stop(listener) && ctl_search_unasked(search)) {
      stop = CTL_DRIVE_STOPPED;
      break;
    }
    if (!local_batch_turn(&local, search, batch, listener, start, times, &stop)) break;
    after = ctl_seconds();
    if (listener->tick) listener->tick(listener->context, search, after - start, 1);
    if (after - before > TURN_SECONDS && batch > 1) batch /= 2;
    if (after - before < TURN_SECONDS / 4 && batch < BATCH) batch *= 2;
  }
  local_batch_clear(&local);
  times->wall = ctl_seconds() - start;
  times->coordinating = times->wall - times->evaluating;
  return stop;
}
