/* SPDX-License-Identifier: BSD-2-Clause */
/* Derivatives along the steps of `moreau` for mechanisms: forward ones are multiplied by the map of each step
 * (steps_map.h), adjoint ones by the recorded maps, transposed. */
#ifndef SIM_MECHANISM_STEPS_DERIVATIVES_H
#define SIM_MECHANISM_STEPS_DERIVATIVES_H

#include "sim/mechanism/steps_map.h"

/* Implement SimScheme.equip_sensitivity and equip_adjoint. */
SimStatus steps_equip_sensitivity(const SimModel *model, SimSensitivity *sensitivity);
SimStatus steps_equip_adjoint(const SimModel *model, SimAdjoint *adjoint);

/* steps_begin begins the derivatives of a workspace at t = 0, where work has v and slip. steps_advance advances them
 * over the solved step n. They do nothing if the workspace has no derivatives. SIM_OK, SIM_BAD_PROBLEM. */
void steps_begin(SimWorkspace *work);
SimStatus steps_advance(const SimModel *model, SimWorkspace *work, long n, const SolvedStep *step);

#endif
