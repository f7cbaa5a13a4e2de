/* The control that the dual of a program mixes of motions: near a cheapest one, so that a search may start there. */
#ifndef CONTROL_BOUND_MEAN_H
#define CONTROL_BOUND_MEAN_H

#include "control/bound/setting.h"

/* Of what the dual's matrices say at the end of a solution. control [n]: as the problem's signal, within its bounds and rates; left as it is where the solution did not come
 * near enough to its end. */
void bound_mean_control(const CtlProblem *problem, const BoundSetting *setting, const BoundMoments *moments,
                        double *control);

#endif
