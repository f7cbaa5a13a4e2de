/* Schemes of a dash-pot: steps of one form with other numbers,
 *
 *     m (v+ - v)/dt + k y + f_d = f + B u + lambda_contact,   y = x + dt (before v + after v+)
 *     x+ = x + dt (ahead v+ + (1 - ahead) v),                 f = end f(t_n) + (1 - end) f(t_{n-1})
 *
 * with f_d at v+. The step and its energies (form.c) and its derivatives (derivatives.c) are written once, by these
 * numbers; a scheme is a row of schemes.c. */
#ifndef SIM_DASHPOT_FORM_H
#define SIM_DASHPOT_FORM_H

#include "sim/core/scheme.h"
#include "sim/core/step_columns.h"
#include "sim/dashpot/law.h"

typedef struct DashpotForm {
  double after, before; /* of v+ and v in y, the place that springs pull from */
  double ahead;         /* of v+ in x+ */
  double end;           /* of f(t_n) in f */
} DashpotForm;

/* A step without the support's spring, or with it. */
typedef struct DashpotSide {
  DashpotLine line;
  double stiffness, shift; /* k and 0, or k + ks, N/m, and ks L, N */
} DashpotSide;

typedef struct DashpotPlan {
  DashpotForm form;
  double after, before, ahead, behind; /* dt times the form's, s; behind: of v in x+ */
  double reach;                        /* before + after, s */
  DashpotSide apart, touching;
  DashpotLine law; /* c = 0 */
} DashpotPlan;

/* Defines sim_scheme_NAME. support: SIM_HAS_SUPPORT, or 0; the rest: its DashpotForm. A support needs after = ahead = 1
 * and before = 0: then its spring never holds the mass back so far that it ends outside. */
#define DASHPOT_SCHEME(scheme, what, support, ...)                                                                     \
  static SimStatus prepare_##scheme(SimModel *model) { return dashpot_prepare(model, (DashpotForm){__VA_ARGS__}); }    \
  const SimScheme sim_scheme_##scheme = {                                                                              \
      .name = #scheme,                                                                                                 \
      .kind = SIM_DASHPOT,                                                                                             \
      .sentence = (what),                                                                                              \
      .takes = SIM_HAS_DENSE | SIM_HAS_SIGNAL | SIM_HAS_ENERGY | (support),                                            \
      .derivatives = SIM_HAS_DENSE | SIM_HAS_SIGNAL | (support),                                                       \
      .prepare = prepare_##scheme,                                                                                     \
      .release = dashpot_release,                                                                                      \
      .equip_sensitivity = dashpot_equip_sensitivity,                                                                  \
      .equip_adjoint = dashpot_equip_adjoint,                                                                          \
      .start = dashpot_start,                                                                                          \
      .step = dashpot_step,                                                                                            \
  };

/* What SimScheme has of all of them. */
SimStatus dashpot_prepare(SimModel *model, DashpotForm form);
void dashpot_release(SimModel *model);
SimStatus dashpot_equip_sensitivity(const SimModel *model, SimSensitivity *sensitivity);
SimStatus dashpot_equip_adjoint(const SimModel *model, SimAdjoint *adjoint);
SimStatus dashpot_start(const SimModel *model, SimWorkspace *work);
SimStatus dashpot_step(const SimModel *model, SimWorkspace *work, long n);

/* How a step moves neighbours of its motion: v+ = response (m v/dt - stiffness (x + dt before v) + f + B u) + .. */
typedef struct DashpotMap {
  double response;  /* c V'(w) / (V'(w) + c), s/kg; 0 where the mass sticks */
  double stiffness; /* of the step's side, N/m */
} DashpotMap;

/* Where a rollout begins, once x, v, slip of t = 0 stand in the workspace; once step n is done, v: before it. Of a
 * workspace that has derivatives. */
void dashpot_derivatives_start(SimWorkspace *work);
void dashpot_derivatives_step(const SimModel *model, SimWorkspace *work, long n, double v, DashpotMap map);

#endif
