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

#endif
