/* Back along the centred scheme's steps (centered_tangent.c), with the derivatives of J by x^n, x^{n+1}, v^n and, regularized,
 * lambda^n: p, p', q, l with + behind the step, r = fresh/kept weight:
 *
 *     (E + stiffness) y = p'+ + q+/(2 dt) + r c l+ where it sticks,    q = dt^2 C gamma'(v) y,
 *     p = p'+ - 2 K y,    p' = p+ + 2 K y - dt^2 A y,    l = l+ - q_i y where it sticks, kept (l+ - q_i y) where it slips */
#include "sim/friction/record.h"

#include <string.h>

void centered_record_start(const SimModel *model, SimWorkspace *work) {
  const TangentTerms terms = centered_tangent_start_terms(model, work);
  friction_record_start(model, work);
  friction_record_step(model, work, 0, &terms);
}

void centered_record_step(const SimModel *model, SimWorkspace *work, long n) {
  const CenteredLevels at = centered_levels(model, work);
  const TangentTerms terms = centered_tangent_terms(model, work);
  FrictionRecord *r = work->adjoint->own;
  size_t count = (size_t)model->problem.count;
  friction_record_stops(model, work, n, work->v);
  friction_record_step(model, work, n, &terms);
  double rise = r->creep ? centered_tangent_rise(model->plan) : 0;
  for (size_t i = 0; i < count && r->creep; i++) r->creep[(size_t)n * count + i] = work->slip[i] ? 0 : rise * at.w[i];
}

/* What friction's multipliers add to the right side y is solved for. */
static void give_lambda(const SimAdjoint *a) {
  const CenteredPlan *plan = a->model->plan;
  const FrictionRecord *r = a->own;
  double rise = centered_tangent_rise(plan);
  for (int i = 0; i < a->model->problem.count; i++)
    if (r->slip[i] == 0) r->right[i] += rise * plan->moving.law.friction[i] * r->lambda[i];
}

static void take_lambda(SimAdjoint *a, long n) {
  const CenteredPlan *plan = a->model->plan;
  const StepLaw *law = &plan->moving.law;
  FrictionRecord *r = a->own;
  int count = a->model->problem.count;
  for (int i = 0; i < count; i++) {
    double left = r->lambda[i] - law->threshold * law->friction[i] * r->y[i];
    if (r->creep) a->sum[SIM_ON_FRICTION][i] += r->creep[(size_t)n * (size_t)count + (size_t)i] * left;
    r->lambda[i] = (r->slip[i] ? law->kept : 1) * left;
  }
}

static SimStatus step_back(SimAdjoint *a, long n, const double *stop_weights) {
  const CenteredPlan *plan = a->model->plan;
  FrictionRecord *r = a->own;
  int count = a->model->problem.count;
  friction_record_branches(a->model, r, n);
  for (int i = 0; i < count; i++) r->right[i] = r->after[i] + plan->rate * a->v[i];
  if (r->lambda) give_lambda(a);
  SimStatus status = friction_record_solve(r, &plan->moving);
  friction_record_collect(a, n, plan->square);
  if (r->lambda) take_lambda(a, n);
  operator_multiply(plan->twice_inertia, r->y, r->right);
  for (int i = 0; i < count; i++) {
    double now = a->x[i];
    a->x[i] = r->after[i] - r->right[i];
    r->after[i] = now + r->right[i];
    a->v[i] = 0;
  }
  plan->scaled_stiffness->ops->add(plan->scaled_stiffness, -1, r->y, r->after);
  friction_record_speed(a, n, stop_weights);
  return status;
}

/* x^1 = x0 + dt v0 + w; regularized, of what w does not move: q lambda^0 = right side - K w. */
static SimStatus start_back(SimAdjoint *a) {
  const CenteredPlan *plan = a->model->plan;
  const SimProblem *p = &a->model->problem;
  const StepLaw *law = &plan->first.law;
  FrictionRecord *r = a->own;
  int count = p->count;
  double *held = r->lambda; /* dJ/d(right side) by lambda^0 */
  r->known = NULL;
  friction_record_branches(a->model, r, 0);
  r->known = NULL;
  memcpy(r->right, r->after, (size_t)count * sizeof *r->right);
  for (int i = 0; i < count && held; i++) {
    double q = law->threshold * law->friction[i];
    held[i] = q > 0 && r->slip[i] == 0 ? held[i] / q : 0;
  }
  if (held) plan->inertia->ops->add(plan->inertia, -1, held, r->right);
  SimStatus status = friction_record_solve(r, &plan->first);
  for (int i = 0; i < count && held; i++) r->y[i] += held[i];
  friction_record_collect(a, 0, law->threshold);
  for (int i = 0; i < count; i++) {
    a->x[i] += r->after[i];
    a->v[i] += p->step * r->after[i];
  }
  plan->stiffness->ops->add(plan->stiffness, -law->threshold, r->y, a->x);
  if (plan->damping) plan->damping->ops->add(plan->damping, -law->threshold, r->y, a->v);
  friction_record_speed(a, 0, NULL);
  return status;
}

SimStatus centered_sweep(SimAdjoint *a, const double *stop_weights) {
  FrictionRecord *r = a->own;
  size_t size = (size_t)a->model->problem.count * sizeof(double);
  SimStatus status = SIM_OK;
  r->known = NULL;
  memset(r->after, 0, size);
  if (r->lambda) memset(r->lambda, 0, size);
  for (long n = a->model->problem.steps; n > 0 && status == SIM_OK; n--) status = step_back(a, n, stop_weights);
  return status == SIM_OK ? start_back(a) : status;
}
