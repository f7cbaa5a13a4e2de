/* SPDX-License-Identifier: BSD-2-Clause */
/* The method `sqp` for problems that minimise a function of user-defined values y(u), the results of a function that
 * the caller supplies, in place of the final state and the effort of a motion. */
#ifndef CONTROL_SMOOTH_METHOD_H
#define CONTROL_SMOOTH_METHOD_H

#include "control/outcome/method.h"

extern const CtlMethodOps ctl_smooth_ops;

#endif
