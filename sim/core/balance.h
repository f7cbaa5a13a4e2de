/* SPDX-License-Identifier: BSD-2-Clause */
/* Check of the energy balance of an observed rollout, by any scheme. Let m be the sum of |work|, |surface|, |stored|,
 * |numerical|, dissipated and impacts, each at its maximum so far. The closing error e = work + surface - stored -
 * dissipated - impacts - numerical must satisfy
 *
 *   |e| <= SIM_CLOSURE m + r, r = ROUND_OFF eps n s
 *
 * r bounds the rounding error of n steps. Each step rounds terms of size s, in J. s is the maximum so far of sum_i m_ii
 * v_i^2 + a_ii x_i^2 + dt d_ii v_i^2 plus the energies of springs. These terms exist even where energies cancel, for
 * example in a system that rests under a load, swings without friction, or flies at constant speed. r has further
 * terms:
 *
 * - Forces are rounded. r grows by ROUND_OFF eps n g, with g the maximum so far of sum_i dt c_i |v_i| + F |x_i|, and F
 *   the sum of the coefficients of f if f is in pieces (0 for a table). A system at rest up to this rounding has no
 *   larger energies.
 * - `event` is exact to its tolerance: |e| <= max(SIM_CLOSURE, 100 tolerance) m + r + 100 tolerance (s + g).
 * - With moving surfaces s also includes the terms of x - W and x' - w, from which x and x' are computed
 *   (surface_model.h). A mass that the surfaces do not move has energies no larger than the rounding of these terms.
 * - If velocities are differences of x, rounding of x changes v by eps |x|/dt. r grows by ROUND_OFF eps sqrt(n) q, with
 *   q the maximum so far of |x|_M max(|v|_M, sqrt(2 E))/dt, where E is the energy between two output times: a mass that
 *   jumps out and back within two steps has v = 0.
 *
 * The part of e that r allows is reported (SimClosure.rounded) if m exceeds 1e-6 w, with w the maximum so far of sum_i
 * m_ii v_i^2 + c_i |x_i| + F |x_i|. Very stiff springs, for example, leave few correct digits for a motion that hardly
 * stretches them. */
#ifndef SIM_CORE_BALANCE_H
#define SIM_CORE_BALANCE_H

#include "sim/core/model.h"

/* Initialises the check, before the first time t_0. work->watched must be set, so that the scheme computes energies. */
void balance_start(const SimModel *model, SimWorkspace *work);
/* Adds the energies at time t to the check. x, v: the values for observers. Returns whether the balance closes so far;
 * also true if the scheme computes no energies, or if they are too large for a double. Collective. */
bool balance_take(const SimModel *model, SimWorkspace *work, double t, const double *x, const double *v);
/* Returns the result of the check so far. */
SimClosure balance_closure(const SimWorkspace *work);

#endif
