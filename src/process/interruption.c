/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/process/interruption.h"

#include "control/pool.h"
#include "src/process/stop_signal.h"

static double limit; /* limit of the work of one evaluation, in segments; 0: no limit */

void interruption_limit(double segments) { limit = segments; }

double interruption_limited_to(void) { return limit; }

static bool stops(void *context) {
  (void)context;
  return ctl_pool_serves() ? ctl_pool_interrupted() : stop_signal_presses();
}

void interruption_watch(SimWorkspace *work) { stiction_workspace_interrupt(work, &(SimInterrupt){.stops = stops}); }

SimInterrupt interruption_of_evaluation(void) { return (SimInterrupt){.stops = stops, .most = limit}; }

void interruption_watch_evaluation(SimWorkspace *work) {
  const SimInterrupt interrupt = interruption_of_evaluation();
  stiction_workspace_interrupt(work, &interrupt);
}
