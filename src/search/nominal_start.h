/* After a direct search over scenarios, which is local: another search from the control for the file's own numbers. So
 * the answer is no worse than that control. (`bundle` already has it among its starts.) */
#ifndef SRC_NOMINAL_START_H
#define SRC_NOMINAL_START_H

#include "src/search/sequel.h"

/* Runs it after the search of sequel->state. If J decreases, its answer replaces that one; counts are kept. Does
 * nothing if it is not applicable. until: ctl_seconds at which it stops; 0: no limit. Returns 0, EXIT_STOPPED on a
 * signal, or EXIT_INTERNAL after reporting an error. */
int nominal_start_run(SearchRun *run, double until);

#endif
