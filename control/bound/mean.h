/* SPDX-License-Identifier: BSD-2-Clause */
/* Mean of the motions that the dual solution of a program mixes: the dual matrices are moments of a mixture of motions.
 * The mean is close to a motion of least effort, so that a search may start there. */
#ifndef CONTROL_BOUND_MEAN_H
#define CONTROL_BOUND_MEAN_H

#include "control/bound/setting.h"

/* Computes the mean motion from the moments of a solution. The mean consists of a control and of directions of slip.
 * The control is the signal of the problem, limited by its bounds and rates. The directions define the segments in
 * which each joint with friction sticks; joints without friction never stick. *mean stays unchanged if the moments
 * cannot be used because the solution did not converge well enough. */
void bound_mean(const CtlProblem *problem, const BoundSetting *setting, const BoundMoments *moments,
                CtlBoundMean *mean);

#endif
