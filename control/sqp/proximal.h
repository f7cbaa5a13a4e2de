/* SPDX-License-Identifier: BSD-2-Clause */
/* Proximal term of an SQP step for a singular weight of J, which leaves some of u undetermined: adds proximal_i (z_i
 * - at_i)^2 / 2 for each variable. It vanishes where steps converge, and does not depend on the units of the forces. */
#ifndef CONTROL_PROXIMAL_H
#define CONTROL_PROXIMAL_H

#include "control/sqp/sqp.h"

/* Initialises the term for a problem with its cost in shared->qp.H. Returns false when out of memory. */
bool ctl_proximal_init(CtlSqpShared *shared);

/* Sets shared->proximal [p] and updates qp.H for a step from s->at. A force without cost is treated as if it cost as
 * much per effect on the targets as the most expensive one. */
void ctl_proximal_set(const CtlSqp *s);

#endif
