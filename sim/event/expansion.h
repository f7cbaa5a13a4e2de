/* A segment's coefficients, one order after another: Taylor's series of the motion in its mode. */
#ifndef SIM_EVENT_EXPANSION_H
#define SIM_EVENT_EXPANSION_H

#include "sim/event/event.h"

/* A segment ends where its last coefficients are this part of the tolerance: there are many segments. */
static const double EXPANSION_SHARE = 0.01;
/* Of many dofs: as long as so many events are apart, a segment that ends with an event. */
static const double EXPANSION_PACES = 2;

/* segment.force from motion->at.t until the end of the force's piece or the control's segment, and segment.width. */
void expansion_begin(const EventSystem *system, EventMotion *motion);

/* When a segment of a control signal begins, s. */
double expansion_signal_start(const SimProblem *problem, long node);

/* segment.load of an order, from x and v of that order and, where gamma is, of those below. */
void expansion_load(const EventSystem *system, EventMotion *motion, int order);

/* x and v of order + 1 from v of that order and its acceleration a. */
void expansion_advance(const EventSystem *system, EventMotion *motion, int order, const double *a);

/* (M_SS)^-1 of the dofs that slide, with zeros elsewhere: [d][d], of a diagonal M its diagonal [d]. */
const double *expansion_inverse(const EventSystem *system, EventMotion *motion);

/* The coefficient c_i gamma(v_i) of an order, N; of gamma sqrt all lower ones have been asked for. */
double expansion_drop(const EventSystem *system, const EventMotion *motion, int i, int order);

/* The whole segment after expansion_begin, over a part of the width where that is too long for the tolerance. */
void expansion_complete(const EventSystem *system, EventMotion *motion);

#endif
