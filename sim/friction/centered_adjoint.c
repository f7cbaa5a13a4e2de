/* Back along the centred scheme's steps (centered_tangent.c), with the derivatives of J by x^n, x^{n+1}, v^n and, regularized,
 * lambda^n: p, p', q, l with + behind the step, r = fresh/kept weight:
 *
 *     (E + stiffness)' y = p'+ + q+/(2 dt) + r c l+ where it sticks,    q = dt^2 C gamma'(v) y,
 *     p = p'+ - 2 K y,    p' = p+ + 2 K y - dt^2 A y,    l = l+ - q_i y where it sticks, kept (l+ - q_i y) where it slips */
#include "sim/core/thresholds.h"
#include "sim/friction/centered_springs.h"
#include "sim/friction/record.h"
#include "sim/friction/spring_step.h"
#include "sim/operator/columns.h"

#include <string.h>

void centered_record_start(const SimModel *model, SimWorkspace *work) {
  const StepTerms terms = centered_tangent_start_terms(model, work);
  friction_record_start(work);
  friction_record_step(model, work, 0, &terms);
  if (model->springs) centered_springs_find(model, work, friction_record_springs(work->adjoint, 0));
}

void centered_record_step(const SimModel *model, SimWorkspace *work, long n) {
  const FormLevels at = form_levels(model, work);
  const StepTerms terms = centered_tangent_terms(model, work);
  FrictionRecord *r = work->adjoint->own;
  size_t count = (size_t)model->problem.count;
  step_stops_record(&((FrictionRecord *)work->adjoint->own)->past, model, work, n, work->v);
  friction_record_step(model, work, n, &terms);
  if (model->springs) centered_springs_find(model, work, friction_record_springs(work->adjoint, n));
  double rise = r->creep ? centered_tangent_rise(model->plan) : 0;
  for (size_t i = 0; i < count && r->creep; i++) r->creep[(size_t)n * count + i] = work->slip[i] ? 0 : rise * at.w[i];
}

/* The k-th solver as it was at the step under way; fixed: the plan's. */
static const FrictionSolver *solver_of(const SimAdjoint *a, int k, const FrictionSolver *fixed) {
  const FrictionRecord *r = a->own;
  return r->thresholds ? &r->thresholds->solver[k] : fixed;
}

/* Room for slopes behind those of all steps and two blocks of columns. */
static double *slopes_room(const SimAdjoint *a) {
  return friction_record_springs(a, a->model->problem.steps + 1) + 2 * adjoint_size(a);
}

/* to -= factor (minus S- + plus S+ + mean S) y, of step n */
static void add_springs(const SimAdjoint *a, long n, double factor, double minus, double plus, double mean,
                        const double *y, double *to) {
  double *sum = slopes_room(a);
  centered_springs_mix(a->model, friction_record_springs(a, n), minus, plus, mean, sum);
  springs_add_columns(a->model->springs, sum, -factor, a->width, a->width, y, to);
}

/* (E + factor (minus S- + S+)) y = right, of step n. */
static SimStatus solve_back(const SimAdjoint *a, long n, const FrictionSolver *solver, double factor, double minus) {
  FrictionRecord *r = a->own;
  double *sum = slopes_room(a);
  if (!a->model->springs) return friction_record_solve(a, solver);
  centered_springs_mix(a->model, friction_record_springs(a, n), minus, 1, 0, sum);
  return spring_step_columns(a->model->springs, sum, factor, solver, &r->work, &r->branches, r->slip, a->width,
                             a->width, r->right, r->y, friction_record_springs(a, a->model->problem.steps + 1));
}

/* What friction's multipliers add to the right side y is solved for. */
static void give_lambda(const SimAdjoint *a) {
  const FormPlan *plan = a->model->plan;
  const FrictionRecord *r = a->own;
  const StepLaw *law = &solver_of(a, 0, &plan->solver)->law;
  double rise = centered_tangent_rise(plan);
  for (int i = 0; i < a->model->problem.count; i++)
    if (r->slip[i] == 0)
      columns_add(a->width, rise * law->friction[i], adjoint_row(a, r->lambda, i), adjoint_row(a, r->right, i));
}

static void take_lambda(SimAdjoint *a, long n) {
  const FormPlan *plan = a->model->plan;
  const StepLaw *law = &solver_of(a, 0, &plan->solver)->law;
  FrictionRecord *r = a->own;
  int count = a->model->problem.count;
  for (int i = 0; i < count; i++) {
    double *lambda = adjoint_row(a, r->lambda, i);
    columns_add(a->width, -law->threshold * law->friction[i], adjoint_row(a, r->y, i), lambda);
    if (r->creep)
      columns_add(a->width, r->creep[(size_t)n * (size_t)count + (size_t)i], lambda,
                  adjoint_row(a, a->sum[SIM_ON_FRICTION], i));
    for (int k = 0; k < a->width && r->slip[i]; k++) lambda[k] *= law->kept;
  }
}

/* x = after - turned, after = x + turned, v = 0 */
static void take_levels(size_t size, const double *restrict turned, double *restrict x, double *restrict v,
                        double *restrict after) {
  for (size_t k = 0; k < size; k++) {
    double now = x[k];
    x[k] = after[k] - turned[k];
    after[k] = now + turned[k];
    v[k] = 0;
  }
}

static SimStatus step_back(SimAdjoint *a, long n) {
  const FormPlan *plan = a->model->plan;
  FrictionRecord *r = a->own;
  size_t size = adjoint_size(a);
  if (r->thresholds) {
    thresholds_set(r->thresholds, (double)n * a->model->problem.step, NULL);
    r->known = NULL; /* what creeps does so by its threshold */
  }
  friction_record_branches(a->model, r, n);
  for (size_t k = 0; k < size; k++) r->right[k] = r->after[k] + plan->form.rate * a->v[k];
  if (r->lambda) give_lambda(a);
  SimStatus status = solve_back(a, n, solver_of(a, 0, &plan->solver), plan->form.force, 0);
  friction_record_collect(a, n, plan->form.force);
  if (r->lambda) take_lambda(a, n);
  memset(r->right, 0, size * sizeof *r->right);
  operator_add_columns(plan->carry, 1, a->width, a->width, r->y, r->right);
  take_levels(size, r->right, a->x, a->v, r->after);
  operator_add_columns(plan->pull, -1, a->width, a->width, r->y, r->after);
  friction_record_place(a, n, r->after);
  if (a->model->springs) add_springs(a, n, plan->form.force, 1, 1, 0, r->y, a->x);
  if (a->model->springs) add_springs(a, n, plan->form.force, 0, 0, 1, r->y, r->after);
  friction_record_speed(a, n);
  return status;
}

/* held, dJ/dlambda^0, becomes dJ/d(right side) by it. */
static void hold_start(const SimAdjoint *a, double *held) {
  const StepLaw *law = &solver_of(a, 1, &((const FormPlan *)a->model->plan)->first)->law;
  const FrictionRecord *r = a->own;
  for (int i = 0; i < a->model->problem.count; i++) {
    double q = law->threshold * law->friction[i], *row = adjoint_row(a, held, i);
    for (int k = 0; k < a->width; k++) row[k] = q > 0 && r->slip[i] == 0 ? row[k] / q : 0;
  }
}

/* x^1 = x0 + dt v0 + w; regularized, of what w does not move: q lambda^0 = right side - K w. */
static SimStatus start_back(SimAdjoint *a) {
  const FormPlan *plan = a->model->plan;
  FrictionRecord *r = a->own;
  size_t size = adjoint_size(a);
  double *held = r->lambda, half = plan->first.law.threshold;
  r->known = NULL;
  if (r->thresholds) thresholds_set(r->thresholds, 0, NULL);
  friction_record_branches(a->model, r, 0);
  r->known = NULL;
  memcpy(r->right, r->after, size * sizeof *r->right);
  if (held) hold_start(a, held);
  if (held) operator_add_columns(plan->inertia, -1, a->width, a->width, held, r->right);
  if (held && a->model->springs) add_springs(a, 0, half, 1, 1, 0, held, r->right);
  SimStatus status = solve_back(a, 0, solver_of(a, 1, &plan->first), half, 1);
  for (size_t k = 0; k < size && held; k++) r->y[k] += held[k];
  friction_record_collect(a, 0, half);
  for (size_t k = 0; k < size; k++) {
    a->x[k] += r->after[k];
    a->v[k] += a->model->problem.step * r->after[k];
  }
  operator_add_columns(plan->stiffness, -half, a->width, a->width, r->y, a->x);
  friction_record_place(a, 0, a->x);
  if (a->model->springs) add_springs(a, 0, half, 1, 1, 1, r->y, a->x);
  if (a->model->springs) add_springs(a, 0, half * a->model->problem.step, -1, 1, 0, r->y, a->v);
  if (plan->damping) operator_add_columns(plan->damping_transposed, -half, a->width, a->width, r->y, a->v);
  friction_record_speed(a, 0);
  return status;
}

SimStatus centered_sweep(SimAdjoint *a) {
  FrictionRecord *r = a->own;
  size_t size = adjoint_size(a) * sizeof(double);
  SimStatus status = SIM_OK;
  r->known = NULL;
  memset(r->after, 0, size);
  if (r->lambda) memset(r->lambda, 0, size);
  for (long n = a->model->problem.steps; n > 0 && status == SIM_OK; n--) {
    status = adjoint_look(a);
    if (status == SIM_OK) status = step_back(a, n);
  }
  return status == SIM_OK ? start_back(a) : status;
}
