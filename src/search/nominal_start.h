/* Of a search over scenarios by direct search, which is local: another from the control for the file's own numbers. So the answer is no worse
 * than that control, which `bundle` has among its starts. */
#ifndef SRC_NOMINAL_START_H
#define SRC_NOMINAL_START_H

#include "src/search/sequel.h"

/* After the run's search, of which sequel->state is; where the other leads to less its answer takes the place of that one's, and the counts stay.
 * Nothing where it is not wanted. until: ctl_seconds, when it is left off; 0: to its end. Returns 0, EXIT_STOPPED on a signal, or EXIT_INTERNAL
 * after reporting. */
int nominal_start_run(SearchRun *run, double until);

#endif
