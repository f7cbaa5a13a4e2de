/* Mean of the motions that a program's dual mixes. It is close to a cheapest motion, so a search may start there. */
#ifndef CONTROL_BOUND_MEAN_H
#define CONTROL_BOUND_MEAN_H

#include "control/bound/setting.h"

/* Computes the mean from the moments at the end of a solution: the control as the problem's signal, within bounds
 * and rates, and the segments in which each joint with friction sticks (joints without friction never do). Leaves
 * *mean unchanged if the solution did not converge well enough. */
void bound_mean(const CtlProblem *problem, const BoundSetting *setting, const BoundMoments *moments,
                CtlBoundMean *mean);

#endif
