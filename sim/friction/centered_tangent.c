/* Columns of the centred scheme (centered.c), w = x+ - x-:
 *
 *     (E + stiffness) dw = 2 K (X - X-) - dt^2 A X + dt^2 C gamma'(v) V + dt^2 B du - q (d lambda, times kept where it slips) + ..
 *
 * with lambda of the regularized law a part of the state: lambda+ = lambda + (fresh/kept) weight w where it sticks, and
 * fresh sign(w) + kept lambda where it slips. */
#include "sim/core/thresholds.h"
#include "sim/friction/centered_springs.h"
#include "sim/friction/spring_step.h"
#include "sim/friction/tangent.h"
#include "sim/operator/columns.h"

double centered_tangent_rise(const FormPlan *plan) {
  const StepLaw *law = &plan->solver.law;
  return law->fresh / law->kept * law->projection_weight;
}

/* What lambda^{n-1} and, through the law's weight, c_i add to the right side. */
static void take_lambda(const SimModel *model, const SimWorkspace *work, const double *w) {
  const FormPlan *plan = model->plan;
  const StepLaw *law = &thresholds_solver(work, 0, &plan->solver)->law;
  const SimSensitivity *s = work->sensitivity;
  FrictionTangent *t = s->own;
  double rise = centered_tangent_rise(plan);
  for (int i = 0; i < s->count; i++) {
    double q = law->threshold * law->friction[i], part = work->slip[i] ? q * law->kept : q;
    columns_add(t->shares.begun, -part, sensitivity_row(s, t->lambda, i), sensitivity_row(s, t->right, i));
  }
  for (int k = 0; k < s->n; k++) {
    int i = s->columns[k].entry;
    if (s->columns[k].on != SIM_ON_FRICTION || i < 0 || i >= s->count || work->slip[i]) continue;
    sensitivity_row(s, t->right, i)[k] -= law->threshold * law->friction[i] * rise * w[i];
  }
}

/* d lambda^n of dw, which stands in s->v. */
static void move_lambda(const SimModel *model, const SimWorkspace *work, const double *w) {
  const FormPlan *plan = model->plan;
  const StepLaw *law = &thresholds_solver(work, 0, &plan->solver)->law;
  const SimSensitivity *s = work->sensitivity;
  FrictionTangent *t = s->own;
  double rise = centered_tangent_rise(plan), kept = law->kept;
  int begun = t->shares.begun;
  for (int i = 0; i < s->count; i++) {
    double *lambda = sensitivity_row(s, t->lambda, i), stuck = rise * law->friction[i];
    if (work->slip[i])
      COLUMNS_EACH(k, begun) lambda[k] *= kept;
    else
      columns_add(t->shares.begun, stuck, sensitivity_row(s, s->v, i), lambda);
  }
  for (int k = 0; k < s->n; k++) {
    int i = s->columns[k].entry;
    if (s->columns[k].on != SIM_ON_FRICTION || i < 0 || i >= s->count || work->slip[i]) continue;
    sensitivity_row(s, t->lambda, i)[k] += rise * w[i];
  }
}

/* The levels, and v, by dw, which stands in s->v. s->x: X - X-. */
static void move(const FormPlan *plan, const SimSensitivity *s) {
  const FrictionTangent *t = s->own;
  int begun = t->shares.begun;
  for (int i = 0; i < s->count; i++) {
    double *restrict now = sensitivity_row(s, s->x, i), *restrict after = sensitivity_row(s, t->after, i);
    double *restrict dw = sensitivity_row(s, s->v, i), rate = plan->form.rate;
    COLUMNS_EACH(k, begun) {
      double next = after[k] - now[k] + dw[k];
      now[k] = after[k];
      after[k] = next;
      dw[k] *= rate;
    }
  }
}

/* Room for slopes behind those of the step and two blocks of columns. */
static double *slopes_room(const SimSensitivity *s) {
  const FrictionTangent *t = s->own;
  return t->springs + 4 * s->count + 2 * (size_t)s->count * (size_t)s->width;
}

/* right -= factor (minus S- + plus S+ + mean S) x */
static void add_springs(const SimModel *model, const SimWorkspace *work, double factor, double minus, double plus,
                        double mean, const double *x) {
  const SimSensitivity *s = work->sensitivity;
  const FrictionTangent *t = s->own;
  double *sum = slopes_room(s);
  centered_springs_mix(model, t->springs, minus, plus, mean, sum);
  springs_add_columns(model->springs, sum, -factor, t->shares.begun, s->width, x, t->right);
}

/* (E + factor (minus S- + S+)) y = right; y: [count][width]. */
static SimStatus solve_with_springs(const SimModel *model, SimWorkspace *work, const FrictionSolver *solver,
                                    double factor, double minus, double *y) {
  SimSensitivity *s = work->sensitivity;
  FrictionTangent *t = s->own;
  double *sum = slopes_room(s);
  centered_springs_mix(model, t->springs, minus, 1, 0, sum);
  return spring_step_columns(model->springs, sum, factor, solver, &work->step, &t->branches, work->slip,
                             t->shares.begun, s->width, t->right, y, t->springs + 4 * s->count);
}

StepTerms centered_tangent_terms(const SimModel *model, const SimWorkspace *work) {
  const FormLevels at = form_levels(model, work);
  return (StepTerms){.force = form_of(model)->force,
                     .speed = work->v,
                     .lambda = work->lambda,
                     .gain = {at.y, at.w},
                     .weight = {2, -1},
                     .damped = at.w,
                     .damping = -model->problem.step / 2};
}

SimStatus centered_tangent_step(const SimModel *model, SimWorkspace *work, long n) {
  const FormPlan *plan = model->plan;
  const FormLevels at = form_levels(model, work);
  SimSensitivity *s = work->sensitivity;
  FrictionTangent *t = s->own;
  const StepTerms terms = centered_tangent_terms(model, work);
  step_stops_forward(&t->past, model, work, n, work->v);
  friction_tangent_right(model, work, n, &terms, t->after);
  if (model->springs) centered_springs_find(model, work, t->springs);
  if (model->springs) add_springs(model, work, plan->form.force, 1, 1, 0, s->x);
  if (model->springs) add_springs(model, work, plan->form.force, 0, 0, 1, t->after);
  int begun = t->shares.begun;
  for (int i = 0; i < s->count; i++) {
    double *restrict now = sensitivity_row(s, s->x, i);
    const double *restrict after = sensitivity_row(s, t->after, i);
    COLUMNS_EACH(k, begun) now[k] = after[k] - now[k];
  }
  operator_add_columns(plan->carry, 1, t->shares.begun, s->width, s->x, t->right);
  operator_add_columns(plan->pull, -1, t->shares.begun, s->width, t->after, t->right);
  if (t->lambda) take_lambda(model, work, at.w);
  const FrictionSolver *solver = thresholds_solver(work, 0, &plan->solver);
  if (t->lambda && work->thresholds) t->branches.known = false; /* what creeps does so by its threshold */
  SimStatus status = model->springs ? solve_with_springs(model, work, solver, plan->form.force, 0, s->v)
                                    : friction_branches_solve(solver, &work->step, &t->branches, work->slip,
                                                              t->shares.begun, s->width, t->right, s->v);
  if (t->lambda) move_lambda(model, work, at.w);
  move(plan, s);
  return status;
}

/* d lambda^0 where the first step holds a dof: q lambda = b - K (x^1 - x^0 - dt v0). dw: of the latter. */
static void start_lambda(const SimModel *model, const SimWorkspace *work, const double *dw) {
  const FormPlan *plan = model->plan;
  const StepLaw *law = &thresholds_solver(work, 1, &plan->first)->law;
  const SimSensitivity *s = work->sensitivity;
  FrictionTangent *t = s->own;
  operator_add_columns(plan->inertia, -1, t->shares.begun, s->width, dw, t->right);
  for (int i = 0; i < s->count; i++) {
    double q = law->threshold * law->friction[i];
    for (int k = 0; k < t->shares.begun && q > 0 && work->slip[i] == 0; k++)
      sensitivity_row(s, t->lambda, i)[k] = sensitivity_row(s, t->right, i)[k] / q;
  }
}

StepTerms centered_tangent_start_terms(const SimModel *model, const SimWorkspace *work) {
  const FormLevels at = form_levels(model, work);
  double half = ((const FormPlan *)model->plan)->first.law.threshold;
  return (StepTerms){.force = half,
                     .speed = work->v,
                     .lambda = work->lambda,
                     .gain = {at.y, at.y},
                     .weight = {-1, 0},
                     .damped = work->v,
                     .damping = -half};
}

SimStatus centered_tangent_start(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = &model->problem;
  const FormPlan *plan = model->plan;
  double half = plan->first.law.threshold;
  friction_tangent_start(model, work);
  SimSensitivity *s = work->sensitivity;
  FrictionTangent *t = s->own;
  const StepTerms terms = centered_tangent_start_terms(model, work);
  friction_tangent_right(model, work, 0, &terms, s->x);
  operator_add_columns(plan->stiffness, -half, t->shares.begun, s->width, s->x, t->right);
  if (plan->damping) operator_add_columns(plan->damping, -half, t->shares.begun, s->width, s->v, t->right);
  const FrictionSolver *solver = thresholds_solver(work, 1, &plan->first);
  if (model->springs) centered_springs_find(model, work, t->springs);
  if (model->springs) add_springs(model, work, half, 1, 1, 1, s->x);
  if (model->springs) add_springs(model, work, half * p->step, -1, 1, 0, s->v);
  SimStatus status = model->springs ? solve_with_springs(model, work, solver, half, 1, t->after)
                                    : friction_branches_solve(solver, &work->step, &t->branches, work->slip,
                                                              t->shares.begun, s->width, t->right, t->after);
  t->branches.known = false;
  if (t->lambda && model->springs) add_springs(model, work, half, 1, 1, 0, t->after);
  if (t->lambda) start_lambda(model, work, t->after);
  for (int i = 0; i < s->count; i++) {
    double *after = sensitivity_row(s, t->after, i);
    columns_add(t->shares.begun, 1, sensitivity_row(s, s->x, i), after);
    columns_add(t->shares.begun, p->step, sensitivity_row(s, s->v, i), after);
  }
  return status;
}
