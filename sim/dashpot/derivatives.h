/* Derivatives along the steps of backward_euler, forward and back. With c, k of the step's line (law.h), k with the support's spring while it
 * touches, a step is, where the mass slides,
 *
 *     v+ = response (m v/dt - k x + f+ + B u) + ..,    response = c V'(w) / (V'(w) + c),    x+ = x + dt v+
 *
 * and v+ = 0 where it sticks: response 0. */
#ifndef SIM_DASHPOT_DERIVATIVES_H
#define SIM_DASHPOT_DERIVATIVES_H

#include "sim/core/step_columns.h"

/* SimScheme.equip_sensitivity and equip_adjoint. */
SimStatus dashpot_equip_sensitivity(const SimModel *model, SimSensitivity *sensitivity);
SimStatus dashpot_equip_adjoint(const SimModel *model, SimAdjoint *adjoint);

/* Where a rollout begins, once x, v, slip of t = 0 stand in the workspace; once step n is done, v: before it. Of a workspace that has derivatives. */
void dashpot_derivatives_start(SimWorkspace *work);
void dashpot_derivatives_step(const SimModel *model, SimWorkspace *work, long n, double v, double response,
                              double stiffness);

#endif
