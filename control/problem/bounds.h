/* Bounds on a control: lower <= u_k <= upper, and |u_k - u_{k-1}| <= rate h from one segment to the next (for linear
 * pieces u_0 = 0 is the first), to round-off. */
#ifndef CONTROL_BOUNDS_H
#define CONTROL_BOUNDS_H

#include "control/internal.h"

/* Index of the first variable of control [n] that violates its bounds; -1: none. */
int ctl_bounds_broken(const CtlProblem *problem, const double *control);

/* Limit of the change of u_{k,i} from the segment before, N; INFINITY: none. variable = p (k-1) + i. *before: u
 * there. */
double ctl_bounds_change(const CtlProblem *problem, const double *control, int variable, double *before);

/* Moves control [n] into the bounds, segment by segment, each by the smallest change for the given one before. */
void ctl_bounds_move_inside(const CtlProblem *problem, double *control);

/* Whether a control costs more than effort_at_most. */
bool ctl_bounds_too_dear(const CtlProblem *problem, const double *control);

#endif
