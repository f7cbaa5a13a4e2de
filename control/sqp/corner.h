/* SPDX-License-Identifier: BSD-2-Clause */
/* Optimality at a corner of J: the joints of a set D stop exactly at T. As a function of u, v(T) of motions near it is
 * piecewise linear, if each joint's motion is continued as if it had not stopped. A piece is given by the joints that
 * have stopped before T, and by their order. It is a cone between edges. On the edge of a subset S of D, all joints of
 * S stop at one time before T and the others stop exactly at T. To first order, J of controls that meet the targets is
 * linear on each cone. Its slope along an edge, per second by which S stops sooner, is
 *
 *   - sum over j in S of y_j v_j'
 *
 * with the multipliers y of the targets for a motion near the edge, and the acceleration v_j' before joint j stops. The
 * corner is a local minimum under two conditions. First, the slope is positive along every edge. Second, the Lagrangian
 * of the motion in which the joints slide on to T has positive curvature in the directions in which they still stop at
 * T. In these directions the times of their stops change by second order only, in any order. An edge does not exist if
 * the stops of other joints make a joint of S move again. A joint that reverses at T, because its load exceeds its
 * friction, has no edge, since its velocity is 0 at T alone. */
#ifndef CONTROL_SQP_CORNER_H
#define CONTROL_SQP_CORNER_H

#include "control/refine.h"
#include "control/sqp/restore.h"

enum { CTL_CORNER_STOPS = 6 /* maximum number of joints in D; there are up to 2^D - 1 edges */ };

/* Moves restore->control slightly so that all joints that stop exactly at T slide on to T. The derivatives at that
 * point serve as those at the corner. Returns whether it succeeded. */
bool ctl_corner_slide(CtlRestore *restore);

/* Checks whether J increases along every edge. Returns CTL_MINIMUM_NO if restore->control now costs less, or
 * CTL_MINIMUM_UNKNOWN with the reason in *why. */
CtlMinimum ctl_corner_edges(CtlRestore *restore, const char **why);

#endif
