/* Shared by the SQP methods: keeps the best point of all rounds. */
#ifndef CONTROL_IMPROVE_H
#define CONTROL_IMPROVE_H

#include "control/outcome/method.h"

enum {
  CTL_SQP_TARGETS = 1024 /* maximum number of targets: a step takes memory by their square and time by their cube */
};

/* Returns the larger of E1 and E2. */
double ctl_sqp_error(const CtlProblem *problem, const double *x, const double *v);

/* Updates the incumbent, the best point so far. A point is better if it misses the targets by less. Of two points
 * that meet them, the lower merit wins. Merit alone does not decide, because a large J outweighs any miss. */
void ctl_sqp_improve(CtlObjective *objective);

#endif
