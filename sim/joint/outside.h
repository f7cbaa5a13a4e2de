/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the spring law, or the position-dependent threshold, with a range that a position exceeds. */
#ifndef SIM_JOINT_OUTSIDE_H
#define SIM_JOINT_OUTSIDE_H

#include "sim/internal.h"

/* Returns the law with the elongation at x [count] that is farthest beyond its range, relative to the width of the
 * range. If none is beyond its range, returns the law with the elongation nearest to an end of its range. The member
 * `time` is not set. */
SimOutside outside_find(const SimProblem *problem, const double *x);

#endif
