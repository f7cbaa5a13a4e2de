/* SPDX-License-Identifier: BSD-2-Clause */
/* Bounds on a control: lower <= u_k <= upper in each segment k, and |u_k - u_{k-1}| <= rate h from one segment to the
 * next, where h is the length of a segment. If the signal is piecewise linear, u_0 is 0. Bounds are satisfied up to
 * round-off. */
#ifndef CONTROL_BOUNDS_H
#define CONTROL_BOUNDS_H

#include "control/internal.h"

/* Returns the index of the first variable of control [n] that violates its bounds; -1 if all satisfy them. */
int ctl_bounds_broken(const CtlProblem *problem, const double *control);

/* Returns the limit of the change of u_{k,i} (entry i in segment k) from the previous segment, in N; INFINITY if there
 * is none. variable = p (k-1) + i. *before: set to u_i of the previous segment. */
double ctl_bounds_change(const CtlProblem *problem, const double *control, int variable, double *before);

/* Moves control [n] into the bounds, segment by segment. The change in each segment is as small as possible, given the
 * segment before. */
void ctl_bounds_move_inside(const CtlProblem *problem, double *control);

/* Whether the effort of a control exceeds effort_at_most. */
bool ctl_bounds_too_dear(const CtlProblem *problem, const double *control);

#endif
