/* Linked into a stiction of the tests' own (--wrap=sim_batch): as many evaluations as are made side by side take
 * 5 ms more, asleep, so that ranks need no cores to be busy. */
#include "sim/sim.h"

#include <time.h>

void __real_sim_batch(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final);
void __wrap_sim_batch(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final);

void __wrap_sim_batch(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final) {
  static const long SLOWER = 5000000; /* ns */
  int lanes = sim_batch_lanes(model, work);
  for (int i = 0; i < n; i += lanes) nanosleep(&(struct timespec){.tv_nsec = SLOWER}, NULL);
  __real_sim_batch(model, work, n, control, final);
}
