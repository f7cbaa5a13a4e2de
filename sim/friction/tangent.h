/* Forward derivatives along steps of moreau and centered, columns X = dx/dz, V = dv/dz.
 *
 * As long as each dof stays on its branch of the friction law, a step is smooth: its problem E w + Q lambda = b gives
 *
 *     (E + stiffness) dw = db - d(Q lambda at fixed w) - dE w,    dw_i = 0 for dofs that stick without creeping,
 *
 * where db follows from the columns before it by the step's own formula. So the derivatives are exact for the discrete
 * motion. They do not include the effect of the time, within a step, at which a branch of the true motion changes. */
#ifndef SIM_FRICTION_TANGENT_H
#define SIM_FRICTION_TANGENT_H

#include "sim/core/step_columns.h"
#include "sim/friction/form_springs.h"
#include "sim/step/branches.h"

/* SimSensitivity.own. Blocks [count][width] are owned, like the rest. */
typedef struct FrictionTangent {
  FrictionBranches branches;
  StepShares shares;
  double *right;              /* right side for dw */
  double *after;              /* differences: dx^{n+1}, else NULL */
  double *lambda;             /* regularized: d lambda, else NULL */
  double *springs;            /* springs with a law: slopes [4][count] of form_springs_find; else NULL */
  double *mixed;              /* likewise: scratch slopes [2][count], then two blocks; in one block with springs */
  struct StopsColumns *stops; /* stops, if any, else NULL */
  StepStops past;
} FrictionTangent;

/* Starts the columns when x, v, slip of t = 0 are in the workspace. */
void friction_tangent_start(const SimModel *model, SimWorkspace *work);

/* right [count][width] += factor times these terms, in the columns of such numbers. */
void friction_tangent_numbers(const SimModel *model, const SimWorkspace *work, const StepTerms *terms, double factor,
                              double *right);
/* Sets tangent->right = C gamma'(speed) V plus the derivatives by the control of step n and by the other numbers. place
 * [count][width]: columns of the x at which thresholds are evaluated. */
void friction_tangent_right(const SimModel *model, const SimWorkspace *work, long n, const StepTerms *terms,
                            const double *place);
/* Terms of a solved step. */
StepTerms form_terms(const SimModel *model, const SimWorkspace *work);
/* Regularized law: derivative of lambda_i by c_i w_i for a dof that sticks. */
double form_rise(const FormPlan *plan);

/* Advances the columns over the solved step n. The levels of differences must not have moved yet; x of velocities may
 * have. */
SimStatus form_tangent_step(const SimModel *model, SimWorkspace *work, long n);
/* With spring laws: right -= factor G'diag(mix)G x; x: [count][width]. */
void form_tangent_springs(const SimModel *model, const SimWorkspace *work, double factor, SpringMix mix,
                          const double *x);
/* Solves (E + factor G'diag(minus S- + S+)G) w = right; w: [count][width]. */
SimStatus form_tangent_solve(const SimModel *model, SimWorkspace *work, const FrictionSolver *solver, double factor,
                             double minus, double *w);

#endif
