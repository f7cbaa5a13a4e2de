/* SPDX-License-Identifier: BSD-2-Clause */
/* Independent check of a dash-pot's motion (sim/residual.h): inserts the series of a segment into
 *
 *     m v' + k x + f_d - lambda_contact = f + B u,   x' = v,   |v| = V(|f_d| - f_crit),
 *
 * evaluated by the problem's own functions. Time may be stationary in a segment's variable z, so all rates are with
 * respect to z. */
#ifndef SIM_EVENT_DASHPOT_RESIDUAL_H
#define SIM_EVENT_DASHPOT_RESIDUAL_H

#include "sim/event/dashpot.h"

/* Position x, in m, and velocity v, in m/s, at the end of a segment by its series; largest |x| and largest force, in N,
 * in the segment. */
typedef struct DashpotEnd {
  double x, v, most_x, most_force;
} DashpotEnd;

/* Examines the current segment up to motion->part: raises motion->at.residual. Returns the data of its end. */
DashpotEnd dashpot_residual_examine(const DashpotSystem *system, DashpotMotion *motion);
/* Examines the jumps of x and v from the previous segment to the current one. before: end of the previous segment. */
void dashpot_residual_enter(const DashpotSystem *system, DashpotMotion *motion, const DashpotEnd *before);

#endif
