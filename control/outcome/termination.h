/* When a search is over: the same rules for every method. */
#ifndef CONTROL_TERMINATION_H
#define CONTROL_TERMINATION_H

#include "control/control.h"

/* What the point found says: CTL_REASON_STOP_AT when E1, E2 <= stop_at, or, of values of one's own, f <= stop_at; else CTL_RUNNING while the search's
 * size (state->edge, N, and relative_size) is above its tolerances; else CTL_REASON_TOLERANCE when E1, E2 <=
 * accept, CTL_REASON_STALL when not, CTL_REASON_FAILED when the best merit is not even finite. */
CtlReason ctl_termination_result(const CtlProblem *problem, const CtlState *state, double relative_size);

/* CTL_REASON_BUDGET when the simplexes or the seconds are used up or `next` more evaluations could be too
 * many; else CTL_RUNNING. */
CtlReason ctl_termination_budget(const CtlProblem *problem, const CtlState *state, double seconds, long next);

/* Whether too many simulations have taken too long, counted in the order of their tickets, after each: so the answer is the same on any number of ranks.
 * All of the first 8: then the problem itself is likely to be too much work, and little of that has been wasted. More than 64: so many that
 * they are no few wild trial points any more, at a few minutes of work where each may take some seconds. */
bool ctl_termination_too_long(long simulations, long too_long);

#endif
