/* SPDX-License-Identifier: BSD-2-Clause */
/* Adjoint of the steps of a StepForm (form_tangent.c). J is the number that is differentiated, and y its derivative by
 * the right side of a step. Its derivatives by the state are p by the position x in A x, m by x-, q by v and, for the
 * regularized law, l by lambda; + marks derivatives by the state after the step. With r = fresh/kept weight, where
 * `weight` is that of the projection and kept = 1 - fresh:
 *
 *   velocities   E' y = q+ + ahead p+, q = behind p+ + carry K y + force C gamma'(v) y, p = p+ - pull A y
 *   differences  (E + stiffness)' y = p+ + rate q+ + r c l+ where a dof sticks, q = force C gamma'(v) y,
 *                p = m+ + carry K y - pull A y, m = p+ - carry K y
 *                l = l+ - q_i y where a dof sticks, kept (l+ - q_i y) where it slips
 *
 * y is 0 for dofs that stick without creeping. Springs with a law are in form_springs.h. */
#include "sim/core/thresholds.h"
#include "sim/friction/form_springs.h"
#include "sim/friction/record.h"
#include "sim/friction/stops_record.h"
#include "sim/operator/columns.h"

#include <string.h>

SimStatus form_record_step(const SimModel *model, SimWorkspace *work, long n) {
  const FormLevels at = form_levels(model, work);
  const StepTerms terms = form_terms(model, work);
  FrictionRecord *r = work->adjoint->own;
  size_t count = (size_t)model->problem.count;
  step_stops_record(&r->past, model, work, n, terms.speed);
  friction_record_step(model, work, n, &terms);
  if (work->own) return stops_record_step(model, work, n, &terms);
  if (model->springs) form_springs_find(model, work, friction_record_springs(work->adjoint, n));
  double rise = r->creep ? form_rise(model->plan) : 0;
  for (size_t i = 0; i < count && r->creep; i++) r->creep[(size_t)n * count + i] = work->slip[i] ? 0 : rise * at.w[i];
  return SIM_OK;
}

const FrictionSolver *form_record_solver(const SimAdjoint *a, int k, const FrictionSolver *fixed) {
  const FrictionRecord *r = a->own;
  return r->thresholds ? &r->thresholds->solver[k] : fixed;
}

/* Returns scratch memory: slopes [2][count] of form_springs_mix, followed by two scratch blocks of columns. */
static double *mixed_of(const SimAdjoint *a) { return friction_record_springs(a, a->model->problem.steps + 1); }

void form_record_springs(const SimAdjoint *a, long n, double factor, SpringMix mix, const double *y, double *to) {
  const double *slopes = form_springs_mix(a->model, friction_record_springs(a, n), mix, mixed_of(a));
  springs_add_columns(a->model->springs, slopes, -factor, a->width, a->width, y, to);
}

SimStatus form_record_solve(const SimAdjoint *a, long n, const FrictionSolver *solver, double factor, double minus) {
  FrictionRecord *r = a->own;
  if (!a->model->springs)
    return friction_branches_solve(solver, &r->work, &r->branches, r->slip, a->width, a->width, r->right, r->y);
  double *mixed = mixed_of(a);
  form_springs_mix(a->model, friction_record_springs(a, n), (SpringMix){minus, 1, 0}, mixed);
  return spring_step_columns(a->model->springs, mixed, factor, solver, &r->work, &r->branches, r->slip, a->width,
                             a->width, r->right, r->y, mixed + 2 * a->model->problem.count);
}

/* For dofs that stick: adds r c l+, the contribution of dJ/dlambda, to the right side of the system for y. */
static void give_lambda(const SimAdjoint *a) {
  const FormPlan *plan = a->model->plan;
  const FrictionRecord *r = a->own;
  const StepLaw *law = &form_record_solver(a, 0, &plan->solver)->law;
  double rise = form_rise(plan);
  for (int i = 0; i < a->model->problem.count; i++)
    if (r->slip[i] == 0)
      columns_add(a->width, rise * law->friction[i], adjoint_row(a, r->lambda, i), adjoint_row(a, r->right, i));
}

static void take_lambda(SimAdjoint *a, long n) {
  const FormPlan *plan = a->model->plan;
  const StepLaw *law = &form_record_solver(a, 0, &plan->solver)->law;
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

/* Computes the right side of the system for y, and that part of dJ/dv before the step which does not depend on y. */
static void take_levels(const StepForm *form, const SimAdjoint *a) {
  const FrictionRecord *r = a->own;
  size_t size = adjoint_size(a);
  const double *restrict x = a->x, *restrict after = r->after;
  double *restrict v = a->v, *restrict right = r->right;
  for (size_t k = 0; k < size && form->differences; k++) {
    right[k] = after[k] + form->rate * v[k];
    v[k] = 0;
  }
  for (size_t k = 0; k < size && !form->differences; k++) {
    right[k] = v[k] + form->ahead * x[k];
    v[k] = form->behind * x[k];
  }
}

/* Sweeps back over the term carry K y of a step: adds the product of its transpose with r->y to dJ/dv or, for
 * differences, to the derivatives by both positions x- and x. Differences overwrite the scratch `turned`. */
static void carry_back(const SimAdjoint *a, double *restrict turned) {
  const FormPlan *plan = a->model->plan;
  const FrictionRecord *r = a->own;
  size_t size = adjoint_size(a);
  double *restrict x = a->x, *restrict after = r->after;
  if (!plan->form.differences) {
    form_add_carry_back(plan, a->width, r->y, a->v);
    return;
  }
  memset(turned, 0, size * sizeof *turned);
  form_add_carry_back(plan, a->width, r->y, turned);
  for (size_t k = 0; k < size; k++) {
    double now = x[k];
    x[k] = after[k] - turned[k];
    after[k] = now + turned[k];
  }
}

static void springs_back(const SimAdjoint *a, long n) {
  const StepForm *form = form_of(a->model);
  const FrictionRecord *r = a->own;
  double force = form->force;
  if (form->differences) {
    form_record_springs(a, n, force, (SpringMix){1, 1, 0}, r->y, a->x);
    form_record_springs(a, n, force, (SpringMix){0, 0, 1}, r->y, r->after);
    return;
  }
  form_record_springs(a, n, force, (SpringMix){1, 0, 0}, r->y, a->x);
  form_record_springs(a, n, force, (SpringMix){0, 1, 0}, r->y, a->x);
  form_record_springs(a, n, force * form->behind, (SpringMix){0, 1, 0}, r->y, a->v);
}

/* Computes y, the derivative of J by the right side of step n, and stores it in the record. */
static SimStatus solve_back(SimAdjoint *a, long n) {
  const FormPlan *plan = a->model->plan;
  const StepForm *form = &plan->form;
  FrictionRecord *r = a->own;
  SimStatus status;
  if (stops_record_has(a, n)) {
    status = stops_record_back(a, n);
    friction_record_control(a, n, form->force);
    return status;
  }
  if (r->thresholds) {
    thresholds_set(r->thresholds, form_time(form->differences, &a->model->problem, n), NULL);
    r->known = NULL; /* the creep of sticking dofs depends on the threshold, so the matrix of sticking and sliding dofs
                      * is factored again */
  }
  friction_record_branches(a->model, r, n);
  take_levels(form, a);
  if (r->lambda) give_lambda(a);
  status = form_record_solve(a, n, form_record_solver(a, 0, &plan->solver), form->force * form->ahead, 0);
  friction_record_collect(a, n, form->force);
  if (r->lambda) take_lambda(a, n);
  return status;
}

static SimStatus step_back(SimAdjoint *a, long n) {
  const FormPlan *plan = a->model->plan;
  FrictionRecord *r = a->own;
  double *x = plan->form.differences ? r->after : a->x;
  SimStatus status = solve_back(a, n);
  carry_back(a, r->right);
  operator_add_columns(plan->pull, -1, a->width, a->width, r->y, x);
  friction_record_place(a, n, x);
  if (a->model->springs) springs_back(a, n);
  friction_record_speed(a, n);
  return status;
}

SimStatus form_start_back(SimAdjoint *a) {
  memset(a->v, 0, adjoint_size(a) * sizeof *a->v);
  return step_back(a, 0);
}

SimStatus form_sweep(SimAdjoint *a) {
  const StepForm *form = form_of(a->model);
  FrictionRecord *r = a->own;
  size_t size = adjoint_size(a) * sizeof(double);
  r->known = NULL;
  if (r->after) memset(r->after, 0, size);
  if (r->lambda) memset(r->lambda, 0, size);
  SimStatus status = adjoint_back(a, step_back);
  return status == SIM_OK && form->start_back ? form->start_back(a) : status;
}
