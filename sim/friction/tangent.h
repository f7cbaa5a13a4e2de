/* Derivatives along the steps of moreau and centered, columns X = dx/dz, V = dv/dz.
 *
 * While each dof stays on its branch of the friction law, a step is smooth: its problem E w + Q lambda = b gives
 *
 *     (E + stiffness) dw = db - d(Q lambda at fixed w) - dE w,    dw_i = 0 of what sticks without creeping,
 *
 * with db by the step's own formula of the columns before it. So they are exact for what the steps make of a control. What the
 * motion itself does in a step in which a branch changes, they do not know. */
#ifndef SIM_FRICTION_TANGENT_H
#define SIM_FRICTION_TANGENT_H

#include "sim/core/step_columns.h"
#include "sim/friction/centered.h"
#include "sim/friction/moreau.h"
#include "sim/step/branches.h"

/* A sensitivity's own. Blocks [count][width] are owned, as the rest. */
typedef struct FrictionTangent {
  FrictionBranches branches;
  StepShares shares;
  double *right;              /* dw's right side */
  double *after;              /* centered: dx^{n+1}, else NULL */
  double *lambda;             /* regularized: d lambda, else NULL */
  double *springs;            /* with a law: slopes [4][count], two blocks, and room for slopes [2][count]; else NULL */
  struct StopsColumns *stops; /* where there are any, else NULL */
  StepStops past;
} FrictionTangent;

/* A SimScheme's equip_sensitivity. levels: the scheme is centered. */
SimStatus friction_tangent_equip(const SimModel *model, const FrictionSolver *solver, bool levels,
                                 SimSensitivity *sensitivity);

/* Where a rollout begins, once x, v, slip of t = 0 stand in the workspace. */
void friction_tangent_start(const SimModel *model, SimWorkspace *work);

/* right [count][width] += factor times these, of the columns of such numbers. */
void friction_tangent_numbers(const SimModel *model, const SimWorkspace *work, const StepTerms *terms, double factor,
                              double *right);
/* tangent->right = C gamma'(speed) V, and what the control of step n and the other numbers make of it; place [count][width]: the columns of x at
 * which thresholds that depend on it are taken. */
void friction_tangent_right(const SimModel *model, const SimWorkspace *work, long n, const StepTerms *terms,
                            const double *place);
/* Of a step once it is solved; v_before: moreau's v before it. */
StepTerms moreau_tangent_terms(const SimModel *model, const SimWorkspace *work, const double *v_before);
StepTerms centered_tangent_terms(const SimModel *model, const SimWorkspace *work);
StepTerms centered_tangent_start_terms(const SimModel *model, const SimWorkspace *work);
/* Of the regularized law: by how much of c_i w_i lambda_i rises where it sticks. */
double centered_tangent_rise(const FormPlan *plan);

/* Once step n is solved. moreau: v before it, [count]; x may have moved. centered: the levels have not moved yet. */
SimStatus moreau_tangent_step(const SimModel *model, SimWorkspace *work, long n, const double *v_before);
SimStatus centered_tangent_step(const SimModel *model, SimWorkspace *work, long n);
/* Once n = 0 is solved by the plan's `first`, before that is forgotten. */
SimStatus centered_tangent_start(const SimModel *model, SimWorkspace *work);

#endif
