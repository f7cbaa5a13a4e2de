/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks of models with dofs without mass: refuses features with which the motion of such a dof is undefined, or cannot
 * be found by a step. */
#ifndef SIM_FRICTION_MASSLESS_CHECK_H
#define SIM_FRICTION_MASSLESS_CHECK_H

#include "sim/operator/check.h"

void friction_check_massless(Check *check);

#endif
