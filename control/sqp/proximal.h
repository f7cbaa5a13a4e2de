/* What a step of SQP costs besides where the weight of J is singular, and leaves some of u open: proximal_i (z_i - at_i)^2 / 2 for each of its
 * variables. It is 0 where steps end, and the same whatever units the forces have. */
#ifndef CONTROL_PROXIMAL_H
#define CONTROL_PROXIMAL_H

#include "control/sqp/sqp.h"

/* Of a problem whose cost is laid out in shared->qp.H. Returns false when out of memory. */
bool ctl_proximal_init(CtlSqpShared *shared);

/* shared->proximal [p], and qp.H with it, of a step from s->at. A force without a cost is taken as one that costs as much, for what it does to the
 * targets, as the dearest. */
void ctl_proximal_set(const CtlSqp *s);

#endif
