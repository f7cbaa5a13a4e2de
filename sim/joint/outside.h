/* Finds the law, of a spring or of a threshold, with a range that a position exceeds. */
#ifndef SIM_JOINT_OUTSIDE_H
#define SIM_JOINT_OUTSIDE_H

#include "sim/internal.h"

/* Returns the law with the elongation at x [count] that is farthest beyond an end of its range, or, if none is beyond,
 * nearest to an end, relative to the range's width. The time is not set. */
SimOutside outside_find(const SimProblem *problem, const double *x);

#endif
