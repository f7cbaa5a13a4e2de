/* SPDX-License-Identifier: BSD-2-Clause */
/* Forces and thresholds that act on the joints of a problem at a given time, for any scheme. */
#ifndef CONTROL_PATTERN_ACTING_H
#define CONTROL_PATTERN_ACTING_H

#include "sim/internal.h"

/* Computes the force f(t) [d] in N. */
void acting_force(const SimProblem *problem, double t, double *f);
/* Returns the friction threshold of joint i at time t for slip in direction `way` (-1 or 1), in N. */
double acting_threshold(const SimProblem *problem, int i, double t, int way);
/* Returns the decrease of the friction of joint i from speed 0 to the given speed >= 0 in m/s, divided by its threshold
 * (gamma in sim/sim.h). */
double acting_drop(const SimProblem *problem, int i, double speed);

#endif
