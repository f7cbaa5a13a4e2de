/* SPDX-License-Identifier: BSD-2-Clause */
/* Forward derivatives along steps of moreau and centered: columns X = dx/dz and V = dv/dz, one for each quantity z of
 * the model or the control.
 *
 * A step solves E w + Q lambda = b (sim/README.md, (2)) for the friction multiplier lambda and w, the velocity at the
 * end of the step (moreau) or the difference of two positions (centered). As long as each dof continues to stick or to
 * slide in its direction, a step is smooth, and its equation gives
 *
 *   (E + stiffness) dw = db - d(Q lambda at fixed w) - dE w, dw_i = 0 for dofs that stick without creeping,
 *
 * where db follows from the columns before the step by the formula of b. stiffness is the derivative of Q lambda with
 * respect to w; it is not 0 where the threshold depends on w, and for dofs that creep by the regularized law. So the
 * derivatives are exact for the discrete motion. They do not include the effect of the time within a step at which a
 * dof of the true motion starts or stops sliding. */
#ifndef SIM_FRICTION_TANGENT_H
#define SIM_FRICTION_TANGENT_H

#include "sim/core/step_columns.h"
#include "sim/friction/form_springs.h"
#include "sim/step/branches.h"

/* Data of a sensitivity (SimSensitivity.own) for the schemes moreau and centered. A block has one row for each of this
 * rank's `count` dofs and `width` columns, one for each quantity z by which the motion is differentiated. All data are
 * owned. */
typedef struct FrictionTangent {
  FrictionBranches branches;
  StepShares shares;
  double *right;   /* block: right side of the equation for dw */
  double *after;   /* block: dx^{n+1}/dz if velocities are differences of positions, otherwise NULL */
  double *lambda;  /* block: dlambda/dz for the regularized law, otherwise NULL */
  double *springs; /* slopes [4][count] of spring laws (form_springs_find); NULL: no spring has a law */
  /* for springs with a law: scratch slopes [2][count], then two scratch blocks; in one memory block with `springs` */
  double *mixed;
  struct StopsColumns *stops; /* scratch for stops; NULL: the model has no stops */
  StepStops past;
} FrictionTangent;

/* Initialises the derivatives of a rollout. The workspace must contain x, v and slip at t = 0. */
void friction_tangent_start(const SimModel *model, SimWorkspace *work);

/* Adds `factor` times the derivatives of a step's right side to right [count][width], in the columns for z = a
 * threshold c, a mass M_ii, a damping coefficient D_ii, a drop of friction beta, or an entry of a friction table.
 * terms: the data that these derivatives need. */
void friction_tangent_numbers(const SimModel *model, const SimWorkspace *work, const StepTerms *terms, double factor,
                              double *right);
/* Sets tangent->right = C gamma'(speed) V plus the derivatives of the right side of step n by the control and by the
 * other quantities z. place [count][width]: derivatives of the position at which thresholds are evaluated. */
void friction_tangent_right(const SimModel *model, const SimWorkspace *work, long n, const StepTerms *terms,
                            const double *place);
/* Returns the data of the solved step from which derivatives of its right side by c, M_ii, D_ii and beta follow. */
StepTerms form_terms(const SimModel *model, const SimWorkspace *work);
/* Returns, for the regularized law, the derivative of lambda_i by c_i w_i for a dof that sticks. */
double form_rise(const FormPlan *plan);

/* Advances the columns over the solved step n. If velocities are differences of positions, it must be called before x-
 * and x of the motion are advanced; otherwise it may be called before or after. */
SimStatus form_tangent_step(const SimModel *model, SimWorkspace *work, long n);
/* Subtracts factor G'diag(mix)G x from tangent->right, for springs with a law; x: [count][width], mix as in
 * form_springs_mix. */
void form_tangent_springs(const SimModel *model, const SimWorkspace *work, double factor, SpringMix mix,
                          const double *x);
/* Solves (E + factor G'diag(minus S- + S+)G) w = tangent->right, with the spring slopes S- and S+ of form_springs.h; w:
 * [count][width]. Returns the status of the solver. */
SimStatus form_tangent_solve(const SimModel *model, SimWorkspace *work, const FrictionSolver *solver, double factor,
                             double minus, double *w);

#endif
