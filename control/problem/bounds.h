/* The bounds on a control: lower <= u_k <= upper, and |u_k - u_{k-1}| <= rate h from one segment to the next (of linear
 * pieces u_0 = 0 is the first), to round-off. */
#ifndef CONTROL_BOUNDS_H
#define CONTROL_BOUNDS_H

#include "control/control.h"

/* The first variable of control [n] that is out of its bounds; -1: none is. */
int ctl_bounds_broken(const CtlProblem *problem, const double *control);

/* What u_{k,i} may change by from the segment before, N; INFINITY: anything. variable = p (k-1) + i. *before: u there. */
double ctl_bounds_change(const CtlProblem *problem, const double *control, int variable, double *before);

/* Moves control [n] into the bounds, segment after segment: each no further than it must for where the one before it is. */
void ctl_bounds_move_inside(const CtlProblem *problem, double *control);

/* Whether a control costs more than effort_at_most. */
bool ctl_bounds_too_dear(const CtlProblem *problem, const double *control);

#endif
