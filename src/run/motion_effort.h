/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes J of a control on a motion. T and the lengths of segments may differ from those of the problem. */
#ifndef SRC_MOTION_EFFORT_H
#define SRC_MOTION_EFFORT_H

#include "src/base/problem.h"

/* Returns the effort of a control on a motion: the integral of N u.u over time, with N the weight matrix of the
 * problem. control: [p S] for the motion's segments. */
double motion_effort(const Problem *problem, const SimProblem *motion, const double *control);

#endif
