/* search.bound.gap: where more of J is left than wanted the search begins once more, with more starts. */
#ifndef SRC_MORE_STARTS_H
#define SRC_MORE_STARTS_H

#include "src/search/search_run.h"

/* A search of again, the run's problem but for the number of starts, by the same evaluators, until a time (ctl_seconds; 0: to its end). again: as it is
 * as long as *search, which is the caller's. times: of it. Returns 0, EXIT_STOPPED on a signal, or EXIT_INTERNAL after telling. */
int more_starts_run(SearchRun *run, const CtlProblem *again, double until, CtlSearch **search, CtlTimes *times);

#endif
