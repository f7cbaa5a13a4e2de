/* Conditions that end motions of this process early (stiction_workspace_interrupt). On a rank of a pool: the result is no
 * longer needed. Otherwise: a signal to stop that is half a second old. For evaluations of a search also: more work
 * than --max-segments. */
#ifndef SRC_INTERRUPTION_H
#define SRC_INTERRUPTION_H

#include "sim/internal.h"

/* Limits the work of each later motion that evaluates for a search (sim_problem_work), in units of a segment by `event`
 * of one degree of freedom. 0: no limit. */
void interruption_limit(double segments);

/* Sets the conditions for a motion without limit of work. */
void interruption_watch(SimWorkspace *work);
/* Sets the conditions for a motion that evaluates for a search. */
void interruption_watch_evaluation(SimWorkspace *work);

/* Returns these conditions, for evaluators that own their workspaces. */
SimInterrupt interruption_of_evaluation(void);

/* Returns the limit, segments. */
double interruption_limited_to(void);

#endif
