/* SPDX-License-Identifier: BSD-2-Clause */
/* The time up to which the Taylor series of a segment of a mechanism's motion are accurate. */
#ifndef SIM_MECHANISM_REACH_H
#define SIM_MECHANISM_REACH_H

#include "sim/event/event.h"
#include "sim/mechanism/expansion.h"

/* Returns the time after the start of the segment, in s, up to which the series of velocities, loads, thresholds,
 * switching functions of kinks and the power -dL/dt are accurate, judged by their last terms. It is at most the width
 * of the segment. */
double mechanism_reach(const EventSystem *system, const EventMotion *motion);

/* mechanism_reach_suffices implements Expansion.enough, and MechanismReach is its context. Returns whether the orders
 * computed so far suffice because the series are accurate up to the end of the segment or up to an event. They do not
 * suffice while all accelerations of sliding coordinates are 0 in these orders: a force may begin with a high power of
 * time. */
typedef struct MechanismReach {
  const EventSystem *system;
  const EventMotion *motion;
  int order; /* order of the series for which mechanism_reach has found `time` in this segment; -1: none */
  double time;
} MechanismReach;
bool mechanism_reach_suffices(void *context, const Expansion *expansion);

/* Returns the fraction of the segment, at most `part`, up to which the series satisfy the equations. The last terms may
 * be small although later ones are not, as for exp(-v) with large v. So the fraction is halved until the equations hold
 * near its end, up to rounding errors. */
double mechanism_reach_holds(const EventSystem *system, EventMotion *motion, double part);

#endif
