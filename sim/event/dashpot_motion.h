/* The motion of a dash-pot's mass from event to event, to any time. */
#ifndef SIM_EVENT_DASHPOT_MOTION_H
#define SIM_EVENT_DASHPOT_MOTION_H

#include "sim/event/dashpot_variation.h"

/* What stands at a time. */
typedef struct DashpotInstant {
  double x, v, f_d, work, dissipated;
} DashpotInstant;

/* To t = 0 with driven.control_force or node_force, watched, observer set. */
SimStatus dashpot_motion_begin(const DashpotSystem *system, DashpotMotion *motion, double x0, double v0);
/* Until the segment under way holds t. SIM_OK; SIM_NO_MEMORY: of a record; SIM_EVENTS_ACCUMULATE: more than max_events; SIM_CANCELLED, SIM_TOO_LONG; SIM_NON_FINITE. Allocates nothing else. */
SimStatus dashpot_motion_reach(const DashpotSystem *system, DashpotMotion *motion, double t);
/* Makes the segment that motion->at begins, again. */
void dashpot_motion_resume(const DashpotSystem *system, DashpotMotion *motion);
/* From where the segment under way begins to t in it; nothing at the end. */
DashpotLink dashpot_motion_link(const DashpotSystem *system, const DashpotMotion *motion, double t);
/* What stands at t in the segment under way, or at the end; work and dissipation if watched. */
DashpotInstant dashpot_motion_show(const DashpotSystem *system, const DashpotMotion *motion, double t);

#endif
