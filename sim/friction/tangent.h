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

#include "sim/core/sensitivity.h"
#include "sim/core/signal_mix.h"
#include "sim/friction/centered.h"
#include "sim/friction/moreau.h"
#include "sim/step/branches.h"

/* What a step's u has of a control's entry. */
typedef struct TangentShare {
  int column, input; /* input: 0..p - 1 */
  double share;
} TangentShare;

/* What tells how a dof has come to rest; owned. */
typedef struct FrictionPast {
  double *speed;     /* [count] v of the step before the last */
  signed char *slip; /* [count] of the last step */
} FrictionPast;

/* Dof i in step n. */
typedef struct FrictionStop {
  bool stops;
  double t, acceleration; /* s; v' before, m/s^2 */
} FrictionStop;
/* v: before the step; slip: behind it. */
FrictionStop friction_tangent_stop(const SimProblem *problem, int i, long n, const FrictionPast *past, double v,
                                   int slip);

/* A sensitivity's own. Blocks [count][width] are owned, as the rest. */
typedef struct FrictionTangent {
  FrictionBranches branches;
  TangentShare *share; /* [columns], the first `shares`: of the step under way */
  int shares;
  SignalMix mix;              /* the u of that step */
  int begun;                  /* columns behind these are 0 so far; a multiple of four; 0: no step yet */
  double *right;              /* dw's right side */
  double *after;              /* centered: dx^{n+1}, else NULL */
  double *lambda;             /* regularized: d lambda, else NULL */
  double *springs;            /* with a law: slopes [4][count], two blocks, and room for slopes [2][count]; else NULL */
  struct StopsColumns *stops; /* where there are any, else NULL */
  FrictionPast past;
} FrictionTangent;

/* A SimScheme's equip_sensitivity. levels: the scheme is centered. */
SimStatus friction_tangent_equip(const SimModel *model, const FrictionSolver *solver, bool levels,
                                 SimSensitivity *sensitivity);

/* Where a rollout begins, once x, v, slip of t = 0 stand in the workspace. */
void friction_tangent_start(const SimModel *model, SimWorkspace *work);

/* What the numbers of columns themselves do to a step's right side. */
typedef struct TangentTerms {
  double force;          /* of f, and of C lambda */
  const double *speed;   /* [count] that gamma is taken at */
  const double *lambda;  /* [count] */
  const double *gain[2]; /* [count] of M_ii: weight[0] gain[0] + weight[1] gain[1] */
  double weight[2];
  const double *damped; /* [count] of D_ii: damping damped */
  double damping;
} TangentTerms;
/* What a step's right side has of dof i's c, M_ii, D_ii or beta, per unit of it. */
double friction_tangent_term(const SimProblem *problem, const TangentTerms *terms, SimDependence on, int i);
/* What it has of e_i, by which thresholds that depend on place rise (sim/joint/rise.h); slope: h'. */
double friction_tangent_rise(const SimProblem *problem, const TangentTerms *terms, double slope, int i);
/* right [count][width] += factor times these, of the columns of such numbers. */
void friction_tangent_numbers(const SimModel *model, const SimWorkspace *work, const TangentTerms *terms, double factor,
                              double *right);
/* tangent->right = C gamma'(speed) V, and what the control of step n and the other numbers make of it; place [count][width]: the columns of
 * x at which thresholds that depend on it are taken. */
void friction_tangent_right(const SimModel *model, const SimWorkspace *work, long n, const TangentTerms *terms,
                            const double *place);
/* Tells of dofs that have come to rest in step n, or slide from it on; v: [count] before the step. */
void friction_tangent_stops(const SimModel *model, const SimWorkspace *work, long n, const double *v);

/* Of a step once it is solved; v_before: moreau's v before it. */
TangentTerms moreau_tangent_terms(const SimModel *model, const SimWorkspace *work, const double *v_before);
TangentTerms centered_tangent_terms(const SimModel *model, const SimWorkspace *work);
TangentTerms centered_tangent_start_terms(const SimModel *model, const SimWorkspace *work);
/* Of the regularized law: by how much of c_i w_i lambda_i rises where it sticks. */
double centered_tangent_rise(const CenteredPlan *plan);

/* Once step n is solved. moreau: v before it, [count]; x may have moved. centered: the levels have not moved yet. */
SimStatus moreau_tangent_step(const SimModel *model, SimWorkspace *work, long n, const double *v_before);
SimStatus centered_tangent_step(const SimModel *model, SimWorkspace *work, long n);
/* Once n = 0 is solved by the plan's `first`, before that is forgotten. */
SimStatus centered_tangent_start(const SimModel *model, SimWorkspace *work);

#endif
