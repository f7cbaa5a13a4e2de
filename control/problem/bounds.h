/* SPDX-License-Identifier: BSD-2-Clause */
/* Bounds on a control: lower <= u_k <= upper, and |u_k - u_{k-1}| <= rate h from one segment to the next. If the signal
 * is piecewise linear, u_0 is 0. They hold up to round-off. */
#ifndef CONTROL_BOUNDS_H
#define CONTROL_BOUNDS_H

#include "control/internal.h"

/* Returns the index of the first variable of control [n] that violates its bounds; -1 if all satisfy them. */
int ctl_bounds_broken(const CtlProblem *problem, const double *control);

/* Returns the limit of the change of u_{k,i} from the previous segment, in N; INFINITY if there is none. variable = p
 * (k-1) + i. *before: set to u_i of the previous segment. */
double ctl_bounds_change(const CtlProblem *problem, const double *control, int variable, double *before);

/* Moves control [n] into the bounds, segment by segment. Each segment changes as little as possible, given the one
 * before. */
void ctl_bounds_move_inside(const CtlProblem *problem, double *control);

/* Whether a control costs more than effort_at_most. */
bool ctl_bounds_too_dear(const CtlProblem *problem, const double *control);

#endif
