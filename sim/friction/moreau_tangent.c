/* Columns of the Moreau-Jean scheme (moreau.c):
 *
 *     E V+ = (M - theta (1-theta) dt^2 A) V - dt A X + dt C gamma'(v) V + dt B du + ..,    X+ = X + dt (theta V+ + (1-theta) V) */
#include "sim/friction/tangent.h"
#include "sim/operator/columns.h"

/* X += factor V */
static void move(const SimSensitivity *s, double factor) {
  const FrictionTangent *t = s->own;
  for (int i = 0; i < s->count; i++)
    columns_add(t->begun, factor, sensitivity_row(s, s->v, i), sensitivity_row(s, s->x, i));
}

TangentTerms moreau_tangent_terms(const SimModel *model, const SimWorkspace *work, const double *v_before) {
  double dt = model->problem.step;
  return (TangentTerms){.force = dt,
                        .speed = v_before,
                        .gain = {v_before, work->v},
                        .weight = {1, -1},
                        .damped = work->v,
                        .damping = -dt};
}

SimStatus moreau_tangent_step(const SimModel *model, SimWorkspace *work, long n, const double *v_before) {
  const MoreauPlan *plan = model->plan;
  SimSensitivity *s = work->sensitivity;
  FrictionTangent *t = s->own;
  const TangentTerms terms = moreau_tangent_terms(model, work, v_before);
  friction_tangent_stops(model, work, n, v_before);
  friction_tangent_right(model, work, n, &terms);
  operator_add_columns(plan->carry, 1, t->begun, s->width, s->v, t->right);
  operator_add_columns(plan->scaled_stiffness, -1, t->begun, s->width, s->x, t->right);
  if (plan->behind != 0) move(s, plan->behind);
  SimStatus status =
      friction_branches_solve(&plan->solver, &work->step, &t->branches, work->slip, t->begun, s->width, t->right, s->v);
  move(s, plan->ahead);
  return status;
}
