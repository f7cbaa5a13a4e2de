/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes the polynomials of a segment order by order: the Taylor series of the motion while the same dofs slide. */
#ifndef SIM_EVENT_EXPANSION_H
#define SIM_EVENT_EXPANSION_H

#include "sim/event/event.h"

/* Truncation error allowed in one segment, as a fraction of the motion's tolerance, since the errors of many segments
 * add up. */
static const double EXPANSION_SHARE = 0.01;
/* For many dofs: length of a segment, in units of the mean time between events. */
static const double EXPANSION_PACES = 2;

/* Computes segment.force from motion->at.t to the end of the force's piece or the control's segment, and
 * segment.width. */
void expansion_begin(const EventSystem *system, EventMotion *motion);

/* These functions return the start, in s, and the length, in s, of segment `node` of the control. */
double expansion_signal_start(const SimProblem *problem, long node);
double expansion_signal_length(const SimProblem *problem, long node);

/* Computes coefficient `order` of segment.load from the coefficients of x and v up to this order. The lower orders must
 * have been computed before. */
void expansion_load(const EventSystem *system, EventMotion *motion, int order);

/* Computes the coefficients of order + 1 of x and v from coefficient `order` of v and of the acceleration a. */
void expansion_advance(const EventSystem *system, EventMotion *motion, int order, const double *a);

/* Returns (M_SS)^-1 for the set S of sliding dofs, in the form of inverse.h; entries of other dofs are 0. */
const double *expansion_inverse(const EventSystem *system, EventMotion *motion);

/* Returns coefficient `order` of c_i gamma(v_i), in N. The lower orders must have been computed before. */
double expansion_drop(const EventSystem *system, const EventMotion *motion, int i, int order);

/* Implements EventField.complete for constant matrices: computes the segment order by order with the field's `expand`.
 * Shortens the segment if its width is too long for the tolerance. */
SimStatus expansion_by_orders(const EventSystem *system, EventMotion *motion);

#endif
