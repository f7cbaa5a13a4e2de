/* A segment's coefficients, one order after another: Taylor's series of the motion in its mode. */
#ifndef SIM_EVENT_EXPANSION_H
#define SIM_EVENT_EXPANSION_H

#include "sim/event/event.h"

/* segment.force from motion->t to the end of the force's piece, and segment.width. */
void expansion_begin(const EventSystem *system, EventMotion *motion);

/* segment.load of an order, from x and v of that order and, where gamma is, of those below. */
void expansion_load(const EventSystem *system, EventMotion *motion, int order);

/* x and v of order + 1 from v of that order and its acceleration a. */
void expansion_advance(const EventSystem *system, EventMotion *motion, int order, const double *a);

/* The whole segment after expansion_begin, over a part of the width where that is too long for the tolerance. */
void expansion_complete(const EventSystem *system, EventMotion *motion);

#endif
