/* J of a control on a motion. Its T and lengths of segments need not be those of the problem. */
#ifndef SRC_MOTION_EFFORT_H
#define SRC_MOTION_EFFORT_H

#include "src/base/problem.h"

/* Integral of N u.u; control: [p S] of the motion. */
double motion_effort(const Problem *problem, const SimProblem *motion, const double *control);

#endif
