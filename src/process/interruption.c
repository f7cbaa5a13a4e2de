#include "src/process/interruption.h"

#include "control/pool.h"
#include "src/process/stop_signal.h"

#include <math.h>

static double limit; /* segments */

void interruption_limit(double segments) { limit = segments; }

double interruption_limited_to(void) { return limit; }

static bool stops(void *context) {
  (void)context;
  return ctl_pool_serves() ? ctl_pool_interrupted() : stop_signal_presses();
}

void interruption_watch(SimWorkspace *work) { sim_workspace_interrupt(work, &(SimInterrupt){.stops = stops}); }

void interruption_watch_evaluation(const SimProblem *problem, SimWorkspace *work) {
  static const double COUNTED = 1e18; /* a long has it */
  double most = limit * (sim_force_in_pieces(problem) ? 1 : INTERRUPTION_STEPS);
  sim_workspace_interrupt(work,
                          &(SimInterrupt){.stops = stops, .most = most > 0 ? (long)fmin(ceil(most), COUNTED) : 0});
}
