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

/* right = v + ahead x, v = behind x */
static void take_levels(const MoreauPlan *plan, size_t size, const double *restrict x, double *restrict v,
                        double *restrict right) {
  for (size_t k = 0; k < size; k++) {
    right[k] = v[k] + plan->ahead * x[k];
    v[k] = plan->behind * x[k];
  }
}

static SimStatus step_back(SimAdjoint *a, long n) {
  const MoreauPlan *plan = a->model->plan;
  FrictionRecord *r = a->own;
  friction_record_branches(a->model, r, n);
  take_levels(plan, adjoint_size(a), a->x, a->v, r->right);
  SimStatus status = friction_record_solve(a, &plan->solver);
  friction_record_collect(a, n, plan->load.weight);
  operator_add_columns(plan->scaled_stiffness, -1, a->width, a->width, r->y, a->x);
  operator_add_columns(plan->carry, 1, a->width, a->width, r->y, a->v);
  friction_record_speed(a, n);
  return status;
}

SimStatus moreau_sweep(SimAdjoint *a) {
  SimStatus status = SIM_OK;
  for (long n = a->model->problem.steps; n > 0 && status == SIM_OK; n--) status = step_back(a, n);
  return status;
}
