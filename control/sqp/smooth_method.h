/* SPDX-License-Identifier: BSD-2-Clause */
/* The method `sqp` for user-defined values. */
#ifndef CONTROL_SMOOTH_METHOD_H
#define CONTROL_SMOOTH_METHOD_H

#include "control/outcome/method.h"

extern const CtlMethodOps ctl_smooth_ops;

#endif
