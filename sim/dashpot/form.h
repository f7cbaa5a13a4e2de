/* SPDX-License-Identifier: BSD-2-Clause */
/* Time-stepping schemes for a mass with a dash-pot. All have steps of the same form with different weights after,
 * before, ahead and end,
 *
 *     m (v+ - v)/dt + k y + f_d = f + B u + lambda_contact,   y = x + dt (before v + after v+)
 *     x+ = x + dt (ahead v+ + (1 - ahead) v),                 f = end f(t_n) + (1 - end) f(t_{n-1})
 *
 * where v and v+ are the velocities before and after the step, x and x+ the positions, y the position at which springs
 * act, m the mass, k the stiffness, f_d the force of the dash-pot at v+, and lambda_contact that of the support. The
 * step and its energies (form.c) and its derivatives (derivatives.c) are written once, in terms of these weights. A
 * scheme is a row of schemes.c. */
#ifndef SIM_DASHPOT_FORM_H
#define SIM_DASHPOT_FORM_H

#include "sim/core/scheme.h"
#include "sim/core/step_columns.h"
#include "sim/dashpot/law.h"

typedef struct DashpotForm {
  double after, before; /* weights of the velocities v+ (after the step) and v (before) in y, the position at which
                         * the springs act */
  double ahead;         /* weight of the velocity v+ in x+, the position after the step */
  double end;           /* weight of the external force at t_n in the force f of step n; the rest is the weight of that
                         * at t_{n-1} */
} DashpotForm;

/* Constants of a step. There are two sets: without contact, and with the spring of the support. */
typedef struct DashpotSide {
  DashpotLine line;
  /* stiffness: k, or k + ks with contact, in N/m, where k is the stiffness of the springs and ks that of the support.
   * shift: 0, or ks L with contact, in N, where L is the position of the support. */
  double stiffness, shift;
} DashpotSide;

typedef struct DashpotPlan {
  DashpotForm form;
  double after, before, ahead, behind; /* dt times the weights after, before and ahead of the form, and dt times 1 -
                                        * ahead (behind), in s */
  double reach;                        /* dt (before + after), in s: y - x = reach v if the velocity does not change in
                                        * the step */
  DashpotSide apart, touching;
  DashpotLine law; /* the dash-pot's law alone, without the term c w of a step (c = 0) */
} DashpotPlan;

/* Defines sim_scheme_NAME, where `scheme` is NAME. what: description. support: SIM_HAS(SUPPORT) or 0. The remaining
 * arguments are the members of its DashpotForm. A support needs after = ahead = 1 and before = 0, so that its spring
 * never pushes the mass out of contact within the step. */
#define DASHPOT_SCHEME(scheme, what, support, ...)                                                                     \
  static SimStatus prepare_##scheme(SimModel *model) { return dashpot_prepare(model, (DashpotForm){__VA_ARGS__}); }    \
  const SimScheme sim_scheme_##scheme = {                                                                              \
      .name = #scheme,                                                                                                 \
      .kind = SIM_DASHPOT,                                                                                             \
      .sentence = (what),                                                                                              \
      .takes = SIM_HAS(DENSE) | SIM_HAS(SIGNAL) | (support),                                                           \
      .energies = true,                                                                                                \
      .derivatives = SIM_HAS(DENSE) | SIM_HAS(SIGNAL) | (support),                                                     \
      .prepare = prepare_##scheme,                                                                                     \
      .release = dashpot_release,                                                                                      \
      .equip_sensitivity = dashpot_equip_sensitivity,                                                                  \
      .equip_adjoint = dashpot_equip_adjoint,                                                                          \
      .start = dashpot_start,                                                                                          \
      .step = dashpot_step,                                                                                            \
  };

/* Functions that are the same in SimScheme for all schemes of a dash-pot. */
SimStatus dashpot_prepare(SimModel *model, DashpotForm form);
void dashpot_release(SimModel *model);
SimStatus dashpot_equip_sensitivity(const SimModel *model, SimSensitivity *sensitivity);
SimStatus dashpot_equip_adjoint(const SimModel *model, SimAdjoint *adjoint);
SimStatus dashpot_start(const SimModel *model, SimWorkspace *work);
SimStatus dashpot_step(const SimModel *model, SimWorkspace *work, long n);

/* Derivative of a step: v+ = response (m v/dt - stiffness (x + dt before v) + f + B u) + .., where the omitted terms do
 * not depend on x, v and u. */
typedef struct DashpotMap {
  /* derivative of v+ by the force, in s/kg: c V'(w) / (V'(w) + c) at the excess w of the force; 0 if the mass sticks */
  double response;
  double stiffness; /* stiffness of the springs in this step, in N/m */
} DashpotMap;

/* These functions update the derivatives of a workspace, if it has any. dashpot_derivatives_start is called at the
 * start of a rollout, when the workspace has x, v, slip at t = 0. dashpot_derivatives_step is called after step n; v:
 * velocity before the step. */
void dashpot_derivatives_start(SimWorkspace *work);
void dashpot_derivatives_step(const SimModel *model, SimWorkspace *work, long n, double v, DashpotMap map);

#endif
