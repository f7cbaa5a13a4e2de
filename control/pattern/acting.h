/* SPDX-License-Identifier: BSD-2-Clause */
/* Forces and thresholds that act on the joints of a problem at a given time, for any scheme. */
#ifndef CONTROL_PATTERN_ACTING_H
#define CONTROL_PATTERN_ACTING_H

#include "sim/internal.h"

/* Computes the force f(t) [d] in N. */
void acting_force(const SimProblem *problem, double t, double *f);
/* Returns the threshold of joint i at time t for slip in direction `way`, in N. */
double acting_threshold(const SimProblem *problem, int i, double t, int way);
/* Returns gamma of joint i at a speed >= 0 in m/s: the decrease of its friction from speed 0 to this speed, divided by
 * its threshold. */
double acting_drop(const SimProblem *problem, int i, double speed);

#endif
