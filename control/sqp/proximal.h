/* SPDX-License-Identifier: BSD-2-Clause */
/* Proximal term of an SQP step if the weight of J is singular, so that J leaves some of u undetermined. It adds
 * proximal_i (z_i - at_i)^2 / 2 for each variable to the objective of the step. It vanishes when steps converge, and
 * does not depend on the units of the forces. */
#ifndef CONTROL_PROXIMAL_H
#define CONTROL_PROXIMAL_H

#include "control/sqp/sqp.h"

/* Initialises the term for a problem with its cost in shared->qp.H. Returns false when out of memory. */
bool ctl_proximal_init(CtlSqpShared *shared);

/* Sets shared->proximal [p] and updates qp.H for a step from s->at. A force that costs nothing is treated as if its
 * cost per effect on the targets were that of the most expensive force. */
void ctl_proximal_set(const CtlSqp *s);

#endif
