/* Where a position is outside the range of a law, of springs or of thresholds. */
#ifndef SIM_JOINT_OUTSIDE_H
#define SIM_JOINT_OUTSIDE_H

#include "sim/internal.h"

/* The law whose elongation at x [count] is farthest beyond an end of its range, or nearest to one, relative to the
 * range's width. Does not set the time. */
SimOutside outside_find(const SimProblem *problem, const double *x);

#endif
