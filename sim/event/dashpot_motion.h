/* SPDX-License-Identifier: BSD-2-Clause */
/* Advances the motion of a dash-pot's mass from event to event, up to any time. */
#ifndef SIM_EVENT_DASHPOT_MOTION_H
#define SIM_EVENT_DASHPOT_MOTION_H

#include "sim/event/dashpot_variation.h"

/* State at one time: x in m; v in m/s; dash-pot's force f_d in N; work and dissipated energy in J. */
typedef struct DashpotInstant {
  double x, v, f_d, work, dissipated;
} DashpotInstant;

/* Starts a motion at t = 0. The caller must have set driven.control_force or node_force, watched and observer. */
SimStatus dashpot_motion_begin(const DashpotSystem *system, DashpotMotion *motion, double x0, double v0);
/* Advances until the current segment contains t. Returns SIM_OK; SIM_NO_MEMORY if there is no memory for the record;
 * SIM_EVENTS_ACCUMULATE if there are more than max_events; SIM_CANCELLED, SIM_TOO_LONG; or SIM_NON_FINITE. Allocates
 * memory for the record only. */
SimStatus dashpot_motion_reach(const DashpotSystem *system, DashpotMotion *motion, double t);
/* Computes the segment that begins at motion->at again, after a saved state was loaded. */
void dashpot_motion_resume(const DashpotSystem *system, DashpotMotion *motion);
/* Returns the link (linear map of derivatives, dashpot_variation.h) from the start of the current segment to the time t
 * in it. After the end of the motion it is the identity. */
DashpotLink dashpot_motion_link(const DashpotSystem *system, const DashpotMotion *motion, double t);
/* Returns the state at the time t in the current segment, or at the end of the motion. Work and dissipation are
 * computed if driven.watched. */
DashpotInstant dashpot_motion_show(const DashpotSystem *system, const DashpotMotion *motion, double t);

#endif
