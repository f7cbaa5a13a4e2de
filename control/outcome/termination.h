/* Rules that end a search, common to all methods. */
#ifndef CONTROL_TERMINATION_H
#define CONTROL_TERMINATION_H

#include "control/internal.h"

/* Result at the current point. CTL_REASON_STOP_AT if E1, E2 <= stop_at or, for values, f <= stop_at. CTL_RUNNING
 * while the search's size (state->edge, N, and relative_size) is above its tolerances. Otherwise
 * CTL_REASON_TOLERANCE if E1, E2 <= accept, CTL_REASON_FAILED if the best merit is not finite, and CTL_REASON_STALL
 * in other cases. */
CtlReason ctl_termination_result(const CtlProblem *problem, const CtlState *state, double relative_size);

/* CTL_REASON_BUDGET if the simplexes or the seconds are used up or `next` more evaluations could exceed the limit;
 * else CTL_RUNNING. */
CtlReason ctl_termination_budget(const CtlProblem *problem, const CtlState *state, double seconds, long next);

/* Whether too many simulations have exceeded their work limit. It is evaluated in the order of tickets, after each,
 * so the answer is the same on any number of ranks. All of the first 8: the problem itself is probably too
 * expensive, and little time has been lost. More than 64: these are no longer a few extreme trial points; at some
 * seconds each they have taken minutes. */
bool ctl_termination_too_long(long simulations, long too_long);

#endif
