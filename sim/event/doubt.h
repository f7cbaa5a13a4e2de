/* What round-off leaves open. */
#ifndef SIM_EVENT_DOUBT_H
#define SIM_EVENT_DOUBT_H

#include "sim/event/event.h"

#include <float.h>

static const double DOUBT_ROUND_OFF = 16 * DBL_EPSILON;

/* size [d]: raised to the sum of the terms' sizes in the loads of an order, N; of dofs without mass: of order 0 alone. Where M is diagonal, none of
 * dofs that slide, whose loads are no other's. */
void doubt_raise(const EventSystem *system, const EventMotion *motion, int order, double *size);

/* doubt [d]: what round-off in such loads may do to friction's forces, N, where the set S of dofs slides; inverse: of M_SS. Of a
 * dof in S: to M_ii a_i. And a little of each threshold. */
void doubt_find(const EventSystem *system, const EventMotion *motion, const double *inverse, const double *size,
                double *doubt);

#endif
