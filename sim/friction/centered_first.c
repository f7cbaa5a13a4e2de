/* SPDX-License-Identifier: BSD-2-Clause */
/* Step n = 0 of the centred scheme (centered.c) and its derivatives, forward and adjoint, like form_tangent.c and
 * form_adjoint.c for later steps. */
#include "sim/core/thresholds.h"
#include "sim/friction/centered.h"
#include "sim/friction/form_springs.h"
#include "sim/friction/record.h"
#include "sim/joint/stops.h"
#include "sim/law/friction_force.h"
#include "sim/operator/columns.h"
#include "sim/operator/massless.h"

#include <math.h>
#include <string.h>

/* Sets the right side b of the first step, and for each dof whether its solver begins with the dof sticking or sliding.
 * The step is (1.1) of Glowinski and Kearsley at n = 0 with x^{-1} = x^1 - 2dt v0, (1.4), times dt^2/2:
 *
 *   (2/dt^2) K (x^1 - x^0 - dt v0) + D v0 + A x0 + C (lambda^0 - gamma(v0)) = f^0 + B u */
static void load_first_step(const SimModel *model, SimWorkspace *work, const double *f) {
  const SimProblem *p = thresholds_now(model, work);
  const FormPlan *plan = model->plan;
  const StepLaw *law = &thresholds_solver(work, 1, &plan->first)->law;
  FormLevels at = form_levels(model, work);
  double *spring = at.y, *damper = at.w;
  operator_multiply(plan->stiffness, p->x0, spring);
  if (plan->damping) operator_multiply(plan->damping, p->v0, damper);
  for (int i = 0; i < p->count; i++) {
    double level = friction_level(p, i), lambda = level > 0 ? friction_sign(p->v0[i]) : 0;
    at.b[i] = (f ? f[i] : 0) + work->control_force[i] - spring[i] - (plan->damping ? damper[i] : 0) - level * lambda -
              thresholds_bias(work, i);
  }
  friction_add_drop(p, 1, p->v0, at.b);
  for (int i = 0; i < p->count; i++) {
    at.b[i] *= law->threshold;
    bool held = fabs(at.b[i]) <= law->threshold * law->friction[i];
    work->slip[i] = (signed char)(held ? 0 : friction_sign(at.b[i]));
    work->lambda[i] = at.y[i] = 0;
  }
}

/* Whether the first step holds dof i at rest, because the dof has no mass. The start omits the impulses that D would
 * give to such a dof. */
static bool holds(const FormPlan *plan, const SimProblem *p, int i) { return form_light(plan, p, i); }

/* Solves the first step with dofs without mass held, w = 0. The multipliers lambda of these dofs follow from the
 * balance of forces. This function has the type SpringSolve. */
static SimStatus solve_held(const SimModel *model, SimWorkspace *work, const double *right, double *w,
                            StepTally *tally) {
  const FormPlan *plan = model->plan;
  SimStatus status = friction_solve(thresholds_solver(work, 1, &plan->first), &work->step, right, NULL, w, work->lambda,
                                    work->slip, tally);
  for (int i = 0; i < model->problem.count; i++)
    if (holds(plan, &model->problem, i)) w[i] = 0;
  return status;
}

/* Solves the first step for w. Springs with a law exert the mean of their force between x^{-1} = x0 - dt v0 + w and
 * x^1 = x0 + dt v0 + w. */
static SimStatus solve_first(const SimModel *model, SimWorkspace *work, StepTally *tally) {
  const SimProblem *p = &model->problem;
  const FormPlan *plan = model->plan;
  const FrictionSolver *solver = thresholds_solver(work, 1, &plan->first);
  FormLevels at = form_levels(model, work);
  if (!model->springs && !work->reaction) return solve_held(model, work, at.b, at.y, tally);
  double *before = work->springs + SPRING_OTHER * p->count, *after = work->springs + SPRING_BASE * p->count;
  double *about = work->springs + SPRING_ABOUT * p->count;
  SpringPath moved;
  const SpringPath *path = form_springs_path(model, work, 0, &moved);
  for (int i = 0; i < p->count; i++) {
    before[i] = p->x0[i] - p->step * p->v0[i];
    after[i] = p->x0[i] + p->step * p->v0[i];
    about[i] = p->x0[i];
    if (path) form_springs_show(&plan->form, path, i, &before[i], &after[i], &about[i]);
  }
  const SpringStep way = {.from = before,
                          .to = after,
                          .about = about,
                          .from_rate = 1,
                          .to_rate = 1,
                          .theta = 0.5,
                          .weight = plan->form.force / 2,
                          .stops = work->reaction ? &p->stops : NULL};
  return spring_step_solve(model, solver, solve_held, work, &way, at.b, at.y, tally);
}

/* Computes the derivative of the initial multiplier lambda^0 of dofs that the first step holds, from their balance q
 * lambda = b - K (x^1 - x^0 - dt v0). dw: derivative of w. */
static void start_lambda(const SimModel *model, const SimWorkspace *work, const double *dw) {
  const FormPlan *plan = model->plan;
  const StepLaw *law = &thresholds_solver(work, 1, &plan->first)->law;
  const SimSensitivity *s = work->sensitivity;
  FrictionTangent *t = s->own;
  operator_add_columns(plan->start, -1, t->shares.begun, s->width, dw, t->right);
  for (int i = 0; i < s->count; i++) {
    double q = law->threshold * law->friction[i];
    for (int k = 0; k < t->shares.begun && q > 0 && work->slip[i] == 0; k++)
      sensitivity_row(s, t->lambda, i)[k] = sensitivity_row(s, t->right, i)[k] / q;
  }
}

static StepTerms start_terms(const SimModel *model, const SimWorkspace *work) {
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

static SimStatus tangent_start(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = &model->problem;
  const FormPlan *plan = model->plan;
  double half = plan->first.law.threshold;
  friction_tangent_start(model, work);
  SimSensitivity *s = work->sensitivity;
  FrictionTangent *t = s->own;
  const StepTerms terms = start_terms(model, work);
  friction_tangent_right(model, work, 0, &terms, s->x);
  operator_add_columns(plan->stiffness, -half, t->shares.begun, s->width, s->x, t->right);
  if (plan->damping) operator_add_columns(plan->damping, -half, t->shares.begun, s->width, s->v, t->right);
  const FrictionSolver *solver = thresholds_solver(work, 1, &plan->first);
  if (model->springs) form_springs_find(model, work, t->springs);
  if (model->springs) form_tangent_springs(model, work, half, (SpringMix){1, 1, 1}, s->x);
  if (model->springs) form_tangent_springs(model, work, half * p->step, (SpringMix){-1, 1, 0}, s->v);
  SimStatus status = form_tangent_solve(model, work, solver, half, 1, t->after);
  t->branches.known = false;
  if (t->lambda && model->springs) form_tangent_springs(model, work, half, (SpringMix){1, 1, 0}, t->after);
  if (t->lambda) start_lambda(model, work, t->after);
  for (int i = 0; i < s->count; i++) {
    double *after = sensitivity_row(s, t->after, i);
    if (holds(plan, p, i)) memset(after, 0, (size_t)s->width * sizeof *after);
    columns_add(t->shares.begun, 1, sensitivity_row(s, s->x, i), after);
    columns_add(t->shares.begun, p->step, sensitivity_row(s, s->v, i), after);
  }
  return status;
}

static void record_start(const SimModel *model, SimWorkspace *work) {
  const StepTerms terms = start_terms(model, work);
  friction_record_start(work);
  friction_record_step(model, work, 0, &terms);
  if (model->springs) form_springs_find(model, work, friction_record_springs(work->adjoint, 0));
}

/* Prepares centered_watch for n = 0. Sets the vector b of FormLevels to the friction force C (lambda - gamma) plus the
 * force that holds dofs without mass, and the vector y to x^{-1}. */
static void watch_start(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = thresholds_now(model, work);
  const FormPlan *plan = model->plan;
  const StepLaw *law = &thresholds_solver(work, 1, &plan->first)->law;
  FormLevels at = form_levels(model, work);
  bool laws = model->springs || work->reaction;
  const double *right = laws ? work->springs + SPRING_RIGHT * p->count : at.b;
  double *pull = work->step.spare[0];
  if (plan->light) operator_multiply(plan->inertia, at.y, pull);
  for (int i = 0; i < p->count; i++)
    at.y[i] = holds(plan, p, i) ? (right[i] - pull[i]) / law->threshold - law->friction[i] * work->lambda[i] : 0;
  form_friction(p, work->lambda, p->v0, at.b);
  for (int i = 0; i < p->count; i++) {
    at.b[i] += at.y[i];
    at.y[i] = at.x[i] - at.w[i];
  }
}

SimStatus centered_start(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = thresholds_move(model, work, 0, model->problem.x0);
  FormLevels at = form_levels(model, work);
  double began = friction_clock(&work->step);
  const StepForce f = {.now = load_start(p, work)};
  for (int i = 0; i < p->count && work->reaction; i++) work->reaction[i] = stops_push(&p->stops, i, p->x0[i]);
  load_first_step(model, work, f.now);
  StepTally first = {0}; /* the iterations of the first step are not counted, as in the paper of Glowinski and
                          * Kearsley */
  friction_forget(&work->step);
  SimStatus status = solve_first(model, work, &first);
  for (int i = 0; i < p->count; i++) {
    at.base[i] = p->x0[i];
    at.x[i] = p->x0[i] + p->step * p->v0[i] + at.y[i];
    at.w[i] = 2 * p->step * p->v0[i];
    work->v[i] = p->v0[i];
    if (p->v0[i] == 0) continue;
    work->slip[i] = (signed char)friction_sign(p->v0[i]);
    work->lambda[i] = friction_level(p, i) > 0 ? friction_sign(p->v0[i]) : 0;
  }
  if (work->sensitivity && status == SIM_OK) status = tangent_start(model, work);
  if (work->adjoint && status == SIM_OK) record_start(model, work);
  friction_forget(&work->step);
  if (work->watched) {
    watch_start(model, work);
    centered_watch(model, work, &f, 0);
  }
  if (work->step.profile) work->step.profile->steps += friction_clock(&work->step) - began;
  return status;
}

/* For dofs that the first step holds: converts held [count][width] from dJ/dlambda^0 to the derivative of J by the
 * right side. Sets the rows of all other dofs to 0. */
static void hold_start(const SimAdjoint *a, double *held) {
  const StepLaw *law = &form_record_solver(a, 1, &((const FormPlan *)a->model->plan)->first)->law;
  const FrictionRecord *r = a->own;
  for (int i = 0; i < a->model->problem.count; i++) {
    double q = law->threshold * law->friction[i], *row = adjoint_row(a, held, i);
    for (int k = 0; k < a->width; k++) row[k] = q > 0 && r->slip[i] == 0 ? row[k] / q : 0;
  }
}

/* Sweeps back over the start x^1 = x0 + dt v0 + w. With the regularized law this includes the initial multiplier
 * lambda^0 of dofs with w = 0, which is given by q lambda^0 = right side - K w. */
SimStatus centered_start_back(SimAdjoint *a) {
  const FormPlan *plan = a->model->plan;
  FrictionRecord *r = a->own;
  size_t size = adjoint_size(a);
  double *held = r->lambda, half = plan->first.law.threshold;
  r->known = NULL;
  if (r->thresholds) thresholds_set(r->thresholds, 0, NULL);
  friction_record_branches(a->model, r, 0);
  r->known = NULL;
  memcpy(r->right, r->after, size * sizeof *r->right);
  for (int i = 0; i < a->model->problem.count; i++)
    if (holds(plan, &a->model->problem, i)) memset(adjoint_row(a, r->right, i), 0, (size_t)a->width * sizeof *r->right);
  if (held) hold_start(a, held);
  if (held) operator_add_columns(plan->start, -1, a->width, a->width, held, r->right);
  if (held && a->model->springs) form_record_springs(a, 0, half, (SpringMix){1, 1, 0}, held, r->right);
  SimStatus status = form_record_solve(a, 0, form_record_solver(a, 1, &plan->first), half, 1);
  for (size_t k = 0; k < size && held; k++) r->y[k] += held[k];
  friction_record_collect(a, 0, half);
  for (size_t k = 0; k < size; k++) {
    a->x[k] += r->after[k];
    a->v[k] += a->model->problem.step * r->after[k];
  }
  operator_add_columns(plan->stiffness, -half, a->width, a->width, r->y, a->x);
  friction_record_place(a, 0, a->x);
  if (a->model->springs) form_record_springs(a, 0, half, (SpringMix){1, 1, 1}, r->y, a->x);
  if (a->model->springs) form_record_springs(a, 0, half * a->model->problem.step, (SpringMix){-1, 1, 0}, r->y, a->v);
  if (plan->damping) operator_add_columns(plan->damping_transposed, -half, a->width, a->width, r->y, a->v);
  friction_record_speed(a, 0);
  return status;
}
