/* What acts on the joints of a problem at a time, whatever its scheme takes. */
#ifndef CONTROL_PATTERN_ACTING_H
#define CONTROL_PATTERN_ACTING_H

#include "sim/sim.h"

/* f(t) [d], N. */
void acting_force(const SimProblem *problem, double t, double *f);
/* The threshold of joint i at t, in the direction of `way`, N. */
double acting_threshold(const SimProblem *problem, int i, double t, int way);
/* gamma of joint i at a speed >= 0: the part of its threshold that friction has lost there. */
double acting_drop(const SimProblem *problem, int i, double speed);

#endif
