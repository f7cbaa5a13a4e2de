/* Derivatives of a dash-pot's motion by the control, x0 and v0, forward and adjoint. They consist of links
 * (dashpot_variation.h), which an adjoint records. */
#ifndef SIM_EVENT_DASHPOT_DERIVATIVES_H
#define SIM_EVENT_DASHPOT_DERIVATIVES_H

#include "sim/core/adjoint.h"
#include "sim/event/dashpot_variation.h"

/* SimScheme.equip_sensitivity and equip_adjoint. */
SimStatus dashpot_equip_columns(const SimModel *model, SimSensitivity *sensitivity);
SimStatus dashpot_equip_record(const SimModel *model, SimAdjoint *adjoint);

/* Update the derivatives: at the start of a motion; at the end of a segment; and at the start of the next one. SIM_OK,
 * SIM_NO_MEMORY. */
void dashpot_derivatives_begin(DashpotMotion *motion);
SimStatus dashpot_derivatives_leave(const DashpotSystem *system, DashpotMotion *motion);
SimStatus dashpot_derivatives_enter(const DashpotSystem *system, DashpotMotion *motion, const DashpotBefore *before);

#endif
