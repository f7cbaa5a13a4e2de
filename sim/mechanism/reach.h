/* SPDX-License-Identifier: BSD-2-Clause */
/* How far the series of a segment of a mechanism's motion are accurate. */
#ifndef SIM_MECHANISM_REACH_H
#define SIM_MECHANISM_REACH_H

#include "sim/event/event.h"
#include "sim/mechanism/expansion.h"

/* Returns the time in s up to which velocities, loads, thresholds, functions of kinks and the power -dL/dt are accurate by
 * their last terms, at most the width of the segment. */
double mechanism_reach(const EventSystem *system, const EventMotion *motion);

/* Expansion.enough and its context: whether further orders would be of no use, since the series are accurate up to
 * the end of the segment, or up to an event. They do not suffice before a coordinate that slides has an acceleration
 * that is not 0 in some order: a force may begin with a high power of time. */
typedef struct MechanismReach {
  const EventSystem *system;
  const EventMotion *motion;
  int order; /* order of the series for which mechanism_reach has found `time` in this segment; -1: none */
  double time;
} MechanismReach;
bool mechanism_reach_suffices(void *context, const Expansion *expansion);

/* Returns the part of the segment, at most `part`, up to which the series hold. Their last terms may be small although
 * later ones are not, as for exp(-v) with large v. So the part is halved until the equations hold near its end, up to
 * rounding errors. */
double mechanism_reach_holds(const EventSystem *system, EventMotion *motion, double part);

#endif
