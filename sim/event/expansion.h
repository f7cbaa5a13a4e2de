/* A segment's coefficients, one order after another: Taylor's series of the motion in its mode. */
#ifndef SIM_EVENT_EXPANSION_H
#define SIM_EVENT_EXPANSION_H

#include "sim/event/event.h"

/* segment.force from motion->at.t until the end of the force's piece or the control's segment, and segment.width. */
void expansion_begin(const EventSystem *system, EventMotion *motion);

/* When a segment of a control signal begins, s. */
double expansion_signal_start(const SimProblem *problem, long node);

/* segment.load of an order, from x and v of that order and, where gamma is, of those below. */
void expansion_load(const EventSystem *system, EventMotion *motion, int order);

/* x and v of order + 1 from v of that order and its acceleration a. */
void expansion_advance(const EventSystem *system, EventMotion *motion, int order, const double *a);

/* The whole segment after expansion_begin, over a part of the width where that is too long for the tolerance. */
void expansion_complete(const EventSystem *system, EventMotion *motion);

#endif
