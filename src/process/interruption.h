/* What ends the motions of this process before their time (sim_workspace_interrupt): on a rank of a pool that nobody wants them any more, elsewhere
 * a signal to stop that was half a second ago; and more work than --max-segments. */
#ifndef SRC_INTERRUPTION_H
#define SRC_INTERRUPTION_H

#include "sim/sim.h"

/* Steps of other schemes that count as one segment of `event`: they take as much time, about. */
enum { INTERRUPTION_STEPS = 100 };

/* From now on evaluations of searches have so many segments at most; 0: any. */
void interruption_limit(double segments);

/* A motion that has all the time. */
void interruption_watch(SimWorkspace *work);
/* One that evaluates for a search. */
void interruption_watch_evaluation(const SimProblem *problem, SimWorkspace *work);

/* The limit: segments. */
double interruption_limited_to(void);

#endif
