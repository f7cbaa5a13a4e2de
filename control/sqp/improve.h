/* What the methods by SQP share: which of a round's points is the best so far. */
#ifndef CONTROL_IMPROVE_H
#define CONTROL_IMPROVE_H

#include "control/outcome/method.h"

enum { CTL_SQP_TARGETS = 1024 /* a step takes memory for their square, and time for their cube */ };

/* The larger of E1 and E2. */
double ctl_sqp_error(const CtlProblem *problem, const double *x, const double *v);

/* The incumbent: it meets the targets, or misses them by less; of two that meet them by merit. Not by merit alone: a large J outweighs any
 * miss. */
void ctl_sqp_improve(CtlObjective *objective);

#endif
