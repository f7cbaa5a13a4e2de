/* Which entries of a target are given. */
#ifndef SRC_GIVEN_H
#define SRC_GIVEN_H

#include "control/control.h"

/* Of x_T, then of v_T: [2][count] of the rows that this process has. */
void given_entries(const SimProblem *sim, const CtlProblem *control, bool *given);

/* Whether v_T is 0 all along a string. */
bool given_rest(const CtlProblem *control);

#endif
