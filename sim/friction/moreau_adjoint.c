/* Back along the Moreau-Jean scheme's steps (moreau_tangent.c), p = dJ/dx and q = dJ/dv:
 *
 *     E' y = q+ + dt theta p+ of what slides, 0 of what sticks,    p = p+ - dt A y,
 *     q = dt (1-theta) p+ + (M - theta (1-theta) dt^2 A) y + dt C gamma'(v) y
 *
 * and where springs have a law, with H and H+ of the way forward: (E' + theta dt^2 H+) y, and p -= dt (H + H+) y,
 * q -= (1-theta) dt^2 H+ y. */
#include "sim/friction/record.h"
#include "sim/friction/spring_step.h"
#include "sim/friction/stops_record.h"

SimStatus moreau_record_step(const SimModel *model, SimWorkspace *work, long n, const double *v_before) {
  const StepTerms terms = moreau_tangent_terms(model, work, v_before);
  step_stops_record(&((FrictionRecord *)work->adjoint->own)->past, model, work, n, v_before);
  friction_record_step(model, work, n, &terms);
  if (work->reaction) return stops_record_step(model, work, n, &terms);
  if (!model->springs) return SIM_OK;
  int count = model->problem.count;
  double *slopes = friction_record_springs(work->adjoint, n);
  springs_slopes(model->springs, form_of(model)->theta, work->springs + SPRING_FROM * count,
                 work->springs + SPRING_TO * count, slopes, slopes + 2 * count);
  return SIM_OK;
}

/* right = v + ahead x, v = behind x */
static void take_levels(const FormPlan *plan, size_t size, const double *restrict x, double *restrict v,
                        double *restrict right) {
  for (size_t k = 0; k < size; k++) {
    right[k] = v[k] + plan->form.ahead * x[k];
    v[k] = plan->form.behind * x[k];
  }
}

static SimStatus solve_with_springs(const SimAdjoint *a, long n) {
  const SimModel *model = a->model;
  const FormPlan *plan = model->plan;
  FrictionRecord *r = a->own;
  double *after = friction_record_springs(a, n) + 2 * model->problem.count;
  return spring_step_columns(model->springs, after, model->problem.step * plan->form.ahead, &plan->solver, &r->work,
                             &r->branches, r->slip, a->width, a->width, r->right, r->y,
                             friction_record_springs(a, model->problem.steps + 1));
}

static void add_springs(const SimAdjoint *a, long n) {
  const FormPlan *plan = a->model->plan;
  const FrictionRecord *r = a->own;
  const double *before = friction_record_springs(a, n), *after = before + 2 * a->model->problem.count;
  double dt = a->model->problem.step;
  springs_add_columns(a->model->springs, before, -dt, a->width, a->width, r->y, a->x);
  springs_add_columns(a->model->springs, after, -dt, a->width, a->width, r->y, a->x);
  springs_add_columns(a->model->springs, after, -dt * plan->form.behind, a->width, a->width, r->y, a->v);
}

/* dJ/d of the step's right side, in the record's y. */
static SimStatus solve_back(SimAdjoint *a, long n) {
  const FormPlan *plan = a->model->plan;
  FrictionRecord *r = a->own;
  SimStatus status;
  if (stops_record_has(a, n)) {
    status = stops_record_back(a, n);
    friction_record_control(a, n, plan->load.weight);
    return status;
  }
  friction_record_branches(a->model, r, n);
  take_levels(plan, adjoint_size(a), a->x, a->v, r->right);
  status = a->model->springs ? solve_with_springs(a, n) : friction_record_solve(a, &plan->solver);
  friction_record_collect(a, n, plan->load.weight);
  return status;
}

static SimStatus step_back(SimAdjoint *a, long n) {
  const FormPlan *plan = a->model->plan;
  FrictionRecord *r = a->own;
  SimStatus status = solve_back(a, n);
  operator_add_columns(plan->pull, -1, a->width, a->width, r->y, a->x);
  operator_add_columns(plan->carry, 1, a->width, a->width, r->y, a->v);
  friction_record_place(a, n, a->x);
  if (a->model->springs) add_springs(a, n);
  friction_record_speed(a, n);
  return status;
}

SimStatus moreau_sweep(SimAdjoint *a) {
  SimStatus status = SIM_OK;
  for (long n = a->model->problem.steps; n > 0 && status == SIM_OK; n--) {
    status = adjoint_look(a);
    if (status == SIM_OK) status = step_back(a, n);
  }
  return status;
}
