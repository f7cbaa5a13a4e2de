/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes doubts. A doubt is an upper bound of the rounding error of a load, which is the force that friction must
 * balance. If the load differs from the threshold by at most its doubt, both are treated as equal. */
#ifndef SIM_EVENT_DOUBT_H
#define SIM_EVENT_DOUBT_H

#include "sim/event/event.h"

#include <float.h>

static const double DOUBT_ROUND_OFF = 16 * DBL_EPSILON;

/* Raises size [d] to the sum of the magnitudes of the terms in coefficient `order` of the loads, in N; for dofs without
 * mass only at order 0. If M is diagonal, sliding dofs are skipped, since their loads do not affect other dofs. */
void doubt_raise(const EventSystem *system, const EventMotion *motion, int order, double *size);

/* Computes doubt [d], in N: the largest effect of rounding errors of the loads on friction forces while the dofs in the
 * set S slide; for a dof in S the effect on M_ii a_i. size: magnitudes of the terms that are rounded. A small fraction
 * of each threshold is added. inverse: (M_SS)^-1 (inverse.h). */
void doubt_find(const EventSystem *system, const EventMotion *motion, const double *inverse, const double *size,
                double *doubt);

#endif
