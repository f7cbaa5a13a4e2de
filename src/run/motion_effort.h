/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes the effort J of a control on a motion of which T and the lengths of segments may differ from those of the
 * problem. */
#ifndef SRC_MOTION_EFFORT_H
#define SRC_MOTION_EFFORT_H

#include "src/base/problem.h"

/* Returns the effort of a control on a motion: the integral of N u.u over time, where N is the weight matrix of the
 * problem. control: [p S], with p numbers in each of the S segments of the motion. */
double motion_effort(const Problem *problem, const SimProblem *motion, const double *control);

#endif
