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
#include "sim/friction/form_springs.h"
#include "sim/step/branches.h"

/* A sensitivity's own. Blocks [count][width] are owned, as the rest. */
typedef struct FrictionTangent {
  FrictionBranches branches;
  StepShares shares;
  double *right;              /* dw's right side */
  double *after;              /* differences: dx^{n+1}, else NULL */
  double *lambda;             /* regularized: d lambda, else NULL */
  double *springs;            /* with a law: slopes [4][count] of form_springs_find; else NULL */
  double *mixed;              /* likewise: room for slopes [2][count], then two blocks; in one block with springs */
  struct StopsColumns *stops; /* where there are any, else NULL */
  StepStops past;
} FrictionTangent;

/* Where a rollout begins, once x, v, slip of t = 0 stand in the workspace. */
void friction_tangent_start(const SimModel *model, SimWorkspace *work);

/* right [count][width] += factor times these, of the columns of such numbers. */
void friction_tangent_numbers(const SimModel *model, const SimWorkspace *work, const StepTerms *terms, double factor,
                              double *right);
/* tangent->right = C gamma'(speed) V, and what the control of step n and the other numbers make of it; place [count][width]: the columns of x at
 * which thresholds that depend on it are taken. */
void friction_tangent_right(const SimModel *model, const SimWorkspace *work, long n, const StepTerms *terms,
                            const double *place);
/* Of a step once it is solved. */
StepTerms form_terms(const SimModel *model, const SimWorkspace *work);
/* Of the regularized law: by how much of c_i w_i lambda_i rises where it sticks. */
double form_rise(const FormPlan *plan);

/* Once step n is solved; the levels of differences have not moved yet, the others' x may have. */
SimStatus form_tangent_step(const SimModel *model, SimWorkspace *work, long n);
/* Where springs have a law. right -= factor G'diag(mix)G x; x: [count][width] */
void form_tangent_springs(const SimModel *model, const SimWorkspace *work, double factor, SpringMix mix,
                          const double *x);
/* (E + factor G'diag(minus S- + S+)G) w = right; w: [count][width]. */
SimStatus form_tangent_solve(const SimModel *model, SimWorkspace *work, const FrictionSolver *solver, double factor,
                             double minus, double *w);

#endif
