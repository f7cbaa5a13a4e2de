/* Computes a segment's coefficients order by order: the Taylor series of the motion in its mode. */
#ifndef SIM_EVENT_EXPANSION_H
#define SIM_EVENT_EXPANSION_H

#include "sim/event/event.h"

/* Truncation error allowed in one segment, as a fraction of the motion's tolerance, since a motion has many
 * segments. */
static const double EXPANSION_SHARE = 0.01;
/* With many dofs: length of a segment, in units of the mean time between events. */
static const double EXPANSION_PACES = 2;

/* Computes segment.force from motion->at.t to the end of the force's piece or the control's segment, and
 * segment.width. */
void expansion_begin(const EventSystem *system, EventMotion *motion);

/* Start, s, and length, s, of interval `node` of the control's signal. */
double expansion_signal_start(const SimProblem *problem, long node);
double expansion_signal_length(const SimProblem *problem, long node);

/* Computes segment.load of an order from x and v of that order and, with gamma, of lower orders. */
void expansion_load(const EventSystem *system, EventMotion *motion, int order);

/* Computes x and v of order + 1 from v of that order and its acceleration a. */
void expansion_advance(const EventSystem *system, EventMotion *motion, int order, const double *a);

/* Returns (M_SS)^-1 of the dofs that slide, in the form of inverse.h; 0 for other dofs. */
const double *expansion_inverse(const EventSystem *system, EventMotion *motion);

/* Coefficient of an order of c_i gamma(v_i), N. Call it for all lower orders first. */
double expansion_drop(const EventSystem *system, const EventMotion *motion, int i, int order);

/* EventField.complete for constant matrices: computes the segment order by order with the field's `expand`. The segment
 * is shortened if its width is too long for the tolerance. */
SimStatus expansion_by_orders(const EventSystem *system, EventMotion *motion);

#endif
