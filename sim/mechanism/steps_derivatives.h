/* SPDX-License-Identifier: BSD-2-Clause */
/* Derivatives along the steps of the scheme `moreau` for mechanisms. Forward derivatives are multiplied by the map of
 * each step (steps_map.h), adjoint derivatives by the transposes of the recorded maps. */
#ifndef SIM_MECHANISM_STEPS_DERIVATIVES_H
#define SIM_MECHANISM_STEPS_DERIVATIVES_H

#include "sim/mechanism/steps_map.h"

/* Implement SimScheme.equip_sensitivity and equip_adjoint. */
SimStatus steps_equip_sensitivity(const SimModel *model, SimSensitivity *sensitivity);
SimStatus steps_equip_adjoint(const SimModel *model, SimAdjoint *adjoint);

/* steps_begin begins the derivatives of a workspace at t = 0, where work->v and work->slip are set. steps_advance
 * advances them over the solved step n and returns SIM_OK or SIM_BAD_PROBLEM. Both do nothing if the workspace has no
 * derivatives. */
void steps_begin(SimWorkspace *work);
SimStatus steps_advance(const SimModel *model, SimWorkspace *work, long n, const SolvedStep *step);

#endif
