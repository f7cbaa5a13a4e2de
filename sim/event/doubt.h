/* Doubts: upper bounds of the rounding errors of loads, within which a decision treats a dof as being at its
 * threshold. */
#ifndef SIM_EVENT_DOUBT_H
#define SIM_EVENT_DOUBT_H

#include "sim/event/event.h"

#include <float.h>

static const double DOUBT_ROUND_OFF = 16 * DBL_EPSILON;

/* Raises size [d] to the sum of the magnitudes of the terms in the loads of an order, N; for dofs without mass only at
 * order 0. If M is diagonal, sliding dofs are skipped, since their loads do not enter others. */
void doubt_raise(const EventSystem *system, const EventMotion *motion, int order, double *size);

/* Computes doubt [d], the largest effect on friction forces, N, of rounding errors in loads, with the magnitudes `size`
 * of their terms, when the set S of dofs slides; for a dof in S the effect on M_ii a_i. It includes a small part of
 * each threshold. inverse: (M_SS)^-1 (inverse.h). */
void doubt_find(const EventSystem *system, const EventMotion *motion, const double *inverse, const double *size,
                double *doubt);

#endif
