/* What ends the motions of this process before their time (sim_workspace_interrupt): on a rank of a pool that nobody wants them any more, elsewhere
 * a signal to stop that was half a second ago; and more work than --max-segments. */
#ifndef SRC_INTERRUPTION_H
#define SRC_INTERRUPTION_H

#include "sim/internal.h"

/* From now on each motion that evaluates for a search has so much work at most (sim_problem_work): that of so many segments by `event` of one degree
 * of freedom; 0: any. */
void interruption_limit(double segments);

/* A motion that has all the time. */
void interruption_watch(SimWorkspace *work);
/* One that evaluates for a search. */
void interruption_watch_evaluation(SimWorkspace *work);

/* The limit: segments. */
double interruption_limited_to(void);

#endif
