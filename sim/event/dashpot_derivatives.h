/* Derivatives along a dash-pot's motion with regard to the control, x0 and v0, forward and back: by its links (dashpot_variation.h), of which an
 * adjoint keeps a record. */
#ifndef SIM_EVENT_DASHPOT_DERIVATIVES_H
#define SIM_EVENT_DASHPOT_DERIVATIVES_H

#include "sim/core/adjoint.h"
#include "sim/event/dashpot_variation.h"

/* SimScheme.equip_sensitivity and equip_adjoint. */
SimStatus dashpot_equip_columns(const SimModel *model, SimSensitivity *sensitivity);
SimStatus dashpot_equip_record(const SimModel *model, SimAdjoint *adjoint);

/* Of a motion that has derivatives: where it begins; where a segment ends, and where the next one has begun. SIM_OK, SIM_NO_MEMORY. */
void dashpot_derivatives_begin(DashpotMotion *motion);
SimStatus dashpot_derivatives_leave(const DashpotSystem *system, DashpotMotion *motion);
SimStatus dashpot_derivatives_enter(const DashpotSystem *system, DashpotMotion *motion, const DashpotBefore *before);

#endif
