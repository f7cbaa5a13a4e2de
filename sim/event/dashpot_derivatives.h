/* SPDX-License-Identifier: BSD-2-Clause */
/* Derivatives of a dash-pot's motion by the control, x0 and v0, forward and adjoint. Each segment of the motion and
 * each event maps the derivatives linearly. Such a map is called a link (dashpot_variation.h). An adjoint records these
 * links. */
#ifndef SIM_EVENT_DASHPOT_DERIVATIVES_H
#define SIM_EVENT_DASHPOT_DERIVATIVES_H

#include "sim/core/adjoint.h"
#include "sim/event/dashpot_variation.h"

/* These functions implement SimScheme.equip_sensitivity and SimScheme.equip_adjoint for dash-pots. */
SimStatus dashpot_equip_columns(const SimModel *model, SimSensitivity *sensitivity);
SimStatus dashpot_equip_record(const SimModel *model, SimAdjoint *adjoint);

/* These functions update the derivatives: dashpot_derivatives_begin at the start of a motion, dashpot_derivatives_leave
 * at the end of a segment, dashpot_derivatives_enter at the start of the next segment. They return SIM_OK or
 * SIM_NO_MEMORY. */
void dashpot_derivatives_begin(DashpotMotion *motion);
SimStatus dashpot_derivatives_leave(const DashpotSystem *system, DashpotMotion *motion);
SimStatus dashpot_derivatives_enter(const DashpotSystem *system, DashpotMotion *motion, const DashpotBefore *before);

#endif
