/* The mean of the motions that the dual of a program mixes: near a cheapest one, so that a search may start there. */
#ifndef CONTROL_BOUND_MEAN_H
#define CONTROL_BOUND_MEAN_H

#include "control/bound/setting.h"

/* From the moments at the end of a solution. mean: the control as the problem's signal, within its bounds and rates; of each joint with friction the segments in
 * which it waits, those without always go on. Left as it is where the solution did not come near enough to its end. */
void bound_mean(const CtlProblem *problem, const BoundSetting *setting, const BoundMoments *moments,
                CtlBoundMean *mean);

#endif
