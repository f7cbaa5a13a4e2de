/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules that end a search. They are the same for all methods. */
#ifndef CONTROL_TERMINATION_H
#define CONTROL_TERMINATION_H

#include "control/internal.h"

/* Returns the reason why the search ends at the current point, or CTL_RUNNING. The reason is CTL_REASON_STOP_AT if E1,
 * E2 <= stop_at or, for user-defined values, f <= stop_at with all constraints met. It is CTL_RUNNING while the size of
 * the simplex or step (state->edge in N, and relative_size) is above its tolerances. Otherwise it is
 * CTL_REASON_TOLERANCE if E1, E2 <= accept, CTL_REASON_FAILED if the best merit is not finite, and CTL_REASON_STALL in
 * other cases. */
CtlReason ctl_termination_result(const CtlProblem *problem, const CtlState *state, double relative_size);

/* Returns CTL_REASON_BUDGET if the rounds or the seconds are used up, or if `next` more evaluations could exceed the
 * maximum number of evaluations; otherwise CTL_RUNNING. */
CtlReason ctl_termination_budget(const CtlProblem *problem, const CtlState *state, double seconds, long next);

/* Whether too many simulations have exceeded their work limit. The function is called after each outcome in the order
 * of tickets, so that the result is the same on any number of ranks. It is true in two cases. All of the first 8
 * simulations exceeded the limit: the problem itself is probably too expensive, and little time has been lost. More
 * than 64 simulations exceeded it: these are more than a few extreme trial points, and at some seconds each they have
 * taken minutes. */
bool ctl_termination_too_long(long simulations, long too_long);

#endif
