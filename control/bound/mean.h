/* Mean of the motions that the dual solution of a program mixes. It is close to a cheapest motion, so a search may
 * start there. */
#ifndef CONTROL_BOUND_MEAN_H
#define CONTROL_BOUND_MEAN_H

#include "control/bound/setting.h"

/* Computes the mean from the moments at the end of a solution. It consists of the control, as the problem's signal
 * within bounds and rates, and of the segments in which each joint with friction sticks. Joints without friction never
 * stick. *mean stays unchanged if the solution did not converge well enough. */
void bound_mean(const CtlProblem *problem, const BoundSetting *setting, const BoundMoments *moments,
                CtlBoundMean *mean);

#endif
