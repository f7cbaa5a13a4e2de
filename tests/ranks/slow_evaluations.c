/* Linked into a stiction of the tests' own (--wrap=sim_batch): as many evaluations as are made side by side take
 * STICTION_SLOWER ms more (5 if it is not set), asleep: runs that last long enough to be stopped or killed, and ranks that
 * are busy, need no cores. */
#include "sim/sim.h"

#include <stdlib.h>
#include <time.h>

void __real_sim_batch(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final);
void __wrap_sim_batch(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final);

void __wrap_sim_batch(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final) {
  const char *given = getenv("STICTION_SLOWER");
  long slower = 1000000 * (given ? strtol(given, NULL, 10) : 5); /* ns */
  int lanes = sim_batch_lanes(model, work);
  for (int i = 0; i < n; i += lanes) nanosleep(&(struct timespec){.tv_nsec = slower}, NULL);
  __real_sim_batch(model, work, n, control, final);
}
