/* Back along the Moreau-Jean scheme's steps (moreau_tangent.c), p = dJ/dx and q = dJ/dv:
 *
 *     E y = q+ + dt theta p+ of what slides, 0 of what sticks,    p = p+ - dt A y,
 *     q = dt (1-theta) p+ + (M - theta (1-theta) dt^2 A) y + dt C gamma'(v) y */
#include "sim/friction/record.h"

void moreau_record_step(const SimModel *model, SimWorkspace *work, long n, const double *v_before) {
  const TangentTerms terms = moreau_tangent_terms(model, work, v_before);
  friction_record_stops(model, work, n, v_before);
  friction_record_step(model, work, n, &terms);
}

static SimStatus step_back(SimAdjoint *a, long n, const double *stop_weights) {
  const MoreauPlan *plan = a->model->plan;
  FrictionRecord *r = a->own;
  int count = a->model->problem.count;
  friction_record_branches(a->model, r, n);
  for (int i = 0; i < count; i++) {
    r->right[i] = a->v[i] + plan->ahead * a->x[i];
    a->v[i] = plan->behind * a->x[i];
  }
  SimStatus status = friction_record_solve(r, &plan->solver);
  friction_record_collect(a, n, plan->load.weight);
  plan->scaled_stiffness->ops->add(plan->scaled_stiffness, -1, r->y, a->x);
  operator_add(plan->carry, r->y, a->v);
  friction_record_speed(a, n, stop_weights);
  return status;
}

SimStatus moreau_sweep(SimAdjoint *a, const double *stop_weights) {
  SimStatus status = SIM_OK;
  for (long n = a->model->problem.steps; n > 0 && status == SIM_OK; n--) status = step_back(a, n, stop_weights);
  return status;
}
