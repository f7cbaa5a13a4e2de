/* SPDX-License-Identifier: BSD-2-Clause */
/* Conditions under which this process ends a motion early (stiction_workspace_interrupt):
 * - on a rank of a pool: the result is no longer needed;
 * - in other processes: a signal to stop arrived at least half a second ago;
 * - in evaluations of a search: the motion takes more work than --max-segments allows. */
#ifndef SRC_INTERRUPTION_H
#define SRC_INTERRUPTION_H

#include "sim/internal.h"

/* Limits the work (sim_problem_work) of each later motion that evaluates a point for a search. The unit is one segment
 * of the scheme `event` for one degree of freedom. 0: no limit. */
void interruption_limit(double segments);

/* Sets the conditions in the workspace of a motion that is not part of a search. Such a motion has no limit of work. */
void interruption_watch(SimWorkspace *work);
/* Sets the conditions in the workspace of a motion that evaluates a point of a search. */
void interruption_watch_evaluation(SimWorkspace *work);

/* Returns the conditions under which evaluations are interrupted, for evaluators that own their workspaces. */
SimInterrupt interruption_of_evaluation(void);

/* Returns the limit of work that interruption_limit has set, in segments; 0: no limit. */
double interruption_limited_to(void);

#endif
