/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules that end a search. They are the same for all methods. */
#ifndef CONTROL_TERMINATION_H
#define CONTROL_TERMINATION_H

#include "control/internal.h"

/* Returns the result at the current point. It is CTL_REASON_STOP_AT if E1, E2 <= stop_at or, for user-defined values, f
 * <= stop_at. It is CTL_RUNNING while the search's size (state->edge, N, and relative_size) is above its tolerances.
 * Otherwise it is CTL_REASON_TOLERANCE if E1, E2 <= accept, CTL_REASON_FAILED if the best merit is not finite, and
 * CTL_REASON_STALL in other cases. */
CtlReason ctl_termination_result(const CtlProblem *problem, const CtlState *state, double relative_size);

/* Returns CTL_REASON_BUDGET if the rounds or the seconds are used up, or if `next` more evaluations could exceed the
 * limit; otherwise CTL_RUNNING. */
CtlReason ctl_termination_budget(const CtlProblem *problem, const CtlState *state, double seconds, long next);

/* Whether too many simulations have exceeded their work limit. It is evaluated after each outcome in the order of
 * tickets, so that the answer is the same on any number of ranks. Two rules apply. If all of the first 8 did, the
 * problem itself is probably too expensive, and little time has been lost. If more than 64 did, they are more than a
 * few extreme trial points; at some seconds each they have taken minutes. */
bool ctl_termination_too_long(long simulations, long too_long);

#endif
