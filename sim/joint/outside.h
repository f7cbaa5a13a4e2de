/* Finds the spring law or the position-dependent threshold whose range a position exceeds. */
#ifndef SIM_JOINT_OUTSIDE_H
#define SIM_JOINT_OUTSIDE_H

#include "sim/internal.h"

/* Returns the law whose elongation at x [count] is farthest beyond its range, relative to the width of the range. If
 * none is beyond its range, returns the law whose elongation is nearest to an end of its range. The time is not set. */
SimOutside outside_find(const SimProblem *problem, const double *x);

#endif
