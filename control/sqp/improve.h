/* SPDX-License-Identifier: BSD-2-Clause */
/* Function of both SQP methods that keeps the best point of all rounds. */
#ifndef CONTROL_IMPROVE_H
#define CONTROL_IMPROVE_H

#include "control/outcome/method.h"

enum {
  /* maximum number of targets of a motion; the memory of a step grows with its square, the time with its cube */
  CTL_SQP_TARGETS = 1024
};

/* Returns the larger of E1 and E2. */
double ctl_sqp_error(const CtlProblem *problem, const double *x, const double *v);

/* Updates the incumbent, the best point so far. A point is better if its final state is nearer to the targets. Of two
 * points that meet the targets, the lower merit wins. Merit alone does not decide, because a large J outweighs any
 * miss. */
void ctl_sqp_improve(CtlObjective *objective);

#endif
