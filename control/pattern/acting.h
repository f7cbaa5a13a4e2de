/* Forces and thresholds on the joints of a problem at a given time, for any scheme. */
#ifndef CONTROL_PATTERN_ACTING_H
#define CONTROL_PATTERN_ACTING_H

#include "sim/internal.h"

/* Computes f(t) [d], N. */
void acting_force(const SimProblem *problem, double t, double *f);
/* Threshold of joint i at time t in direction `way`, N. */
double acting_threshold(const SimProblem *problem, int i, double t, int way);
/* gamma of joint i at a speed >= 0: decrease of its threshold at this speed. */
double acting_drop(const SimProblem *problem, int i, double speed);

#endif
