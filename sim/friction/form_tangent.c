/* SPDX-License-Identifier: BSD-2-Clause */
/* Derivatives along the steps of a StepForm. X, V, Y and W are the derivatives of x, v, y and w by a number z; q is the
 * factor of lambda in the step, and kept = 1 - fresh:
 *
 *   (E + stiffness) W = carry K Y - pull A X + force (C gamma'(v) V + B du)
 *                       - q (d lambda, times kept where the dof slips) + ..
 *
 * For the regularized law lambda belongs to the state: lambda+ = lambda + (fresh/kept) weight w for a dof that sticks,
 * and fresh sign(w) + kept lambda for a dof that slips. Springs with a law are in form_springs.h. */
#include "sim/core/thresholds.h"
#include "sim/friction/form_springs.h"
#include "sim/friction/moreau_stops.h"
#include "sim/friction/stops_columns.h"
#include "sim/friction/tangent.h"
#include "sim/operator/columns.h"

double form_rise(const FormPlan *plan) {
  const StepLaw *law = &plan->solver.law;
  return law->fresh / law->kept * law->projection_weight;
}

StepTerms form_terms(const SimModel *model, const SimWorkspace *work) {
  const StepForm *form = form_of(model);
  const FormLevels at = form_levels(model, work);
  return (StepTerms){.force = form->force,
                     .speed = form->differences ? work->v : at.y,
                     .lambda = work->lambda,
                     .gain = {at.y, at.w},
                     .weight = {form->carry, -1},
                     .damped = at.w,
                     .damping = -form->damping};
}

/* Adds to the right side the terms of the derivative of lambda^{n-1}. Since the law's weight is proportional to c_i,
 * also adds the terms of columns by c_i. */
static void take_lambda(const SimModel *model, const SimWorkspace *work, const double *w) {
  const FormPlan *plan = model->plan;
  const StepLaw *law = &thresholds_solver(work, 0, &plan->solver)->law;
  const SimSensitivity *s = work->sensitivity;
  FrictionTangent *t = s->own;
  double rise = form_rise(plan);
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

/* Computes the derivative of lambda^n from that of w, which is in s->v. */
static void move_lambda(const SimModel *model, const SimWorkspace *work, const double *w) {
  const FormPlan *plan = model->plan;
  const StepLaw *law = &thresholds_solver(work, 0, &plan->solver)->law;
  const SimSensitivity *s = work->sensitivity;
  FrictionTangent *t = s->own;
  double rise = form_rise(plan), kept = law->kept;
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

/* adds factor v to x */
static void advance(const SimSensitivity *s, double factor) {
  const FrictionTangent *t = s->own;
  for (int i = 0; i < s->count; i++)
    columns_add(t->shares.begun, factor, sensitivity_row(s, s->v, i), sensitivity_row(s, s->x, i));
}

/* Adds W, the derivative of w, which is in s->v, to the columns of x. For differences also updates the columns of x-
 * and of v. */
static void move(const StepForm *form, const SimSensitivity *s) {
  const FrictionTangent *t = s->own;
  int begun = t->shares.begun;
  if (!form->differences) {
    advance(s, form->ahead);
    return;
  }
  for (int i = 0; i < s->count; i++) {
    double *restrict now = sensitivity_row(s, s->x, i), *restrict after = sensitivity_row(s, t->after, i);
    double *restrict dw = sensitivity_row(s, s->v, i), rate = form->rate;
    COLUMNS_EACH(k, begun) {
      double next = after[k] - now[k] + dw[k];
      now[k] = after[k];
      after[k] = next;
      dw[k] *= rate;
    }
  }
}

void form_tangent_springs(const SimModel *model, const SimWorkspace *work, double factor, SpringMix mix,
                          const double *x) {
  const SimSensitivity *s = work->sensitivity;
  const FrictionTangent *t = s->own;
  const double *slopes = form_springs_mix(model, t->springs, mix, t->mixed);
  springs_add_columns(model->springs, slopes, -factor, t->shares.begun, s->width, x, t->right);
}

SimStatus form_tangent_solve(const SimModel *model, SimWorkspace *work, const FrictionSolver *solver, double factor,
                             double minus, double *w) {
  SimSensitivity *s = work->sensitivity;
  FrictionTangent *t = s->own;
  if (!model->springs)
    return friction_branches_solve(solver, &work->step, &t->branches, work->slip, t->shares.begun, s->width, t->right,
                                   w);
  const double *slopes = form_springs_mix(model, t->springs, (SpringMix){minus, 1, 0}, t->mixed);
  return spring_step_columns(model->springs, slopes, factor, solver, &work->step, &t->branches, work->slip,
                             t->shares.begun, s->width, t->right, w, t->mixed + 2 * s->count);
}

/* For differences: adds the derivatives of spring forces by x- and x to the right side, and computes Y, the derivative
 * of y, in s->x. */
static void enter(const SimModel *model, const SimWorkspace *work) {
  const SimSensitivity *s = work->sensitivity;
  const FrictionTangent *t = s->own;
  double force = form_of(model)->force;
  int begun = t->shares.begun;
  if (model->springs) form_tangent_springs(model, work, force, (SpringMix){1, 1, 0}, s->x);
  if (model->springs) form_tangent_springs(model, work, force, (SpringMix){0, 0, 1}, t->after);
  for (int i = 0; i < s->count; i++) {
    double *restrict now = sensitivity_row(s, s->x, i);
    const double *restrict after = sensitivity_row(s, t->after, i);
    COLUMNS_EACH(k, begun) now[k] = after[k] - now[k];
  }
}

/* For velocities: adds the derivatives of spring forces by x to the right side, and replaces the derivative X of x by X
 * + behind Y. */
static void leave(const SimModel *model, const SimWorkspace *work) {
  const SimSensitivity *s = work->sensitivity;
  const StepForm *form = form_of(model);
  if (model->springs) form_tangent_springs(model, work, form->force, (SpringMix){1, 0, 0}, s->x);
  if (form->behind != 0) advance(s, form->behind);
  if (model->springs) form_tangent_springs(model, work, form->force, (SpringMix){0, 1, 0}, s->x);
}

/* Removes the stops of dofs that a stop holds from the record, since friction did not bring these dofs to rest. Returns
 * whether stops act in this step. */
static bool end_stops(SimWorkspace *work) {
  const StopsTrace *trace = moreau_stops_trace(work->own);
  SimSensitivity *s = work->sensitivity;
  for (int i = 0; i < s->count && trace->solves; i++)
    if (stops_trace_holds(trace, s->count, i)) sensitivity_go(s, i);
  s->smooth = s->smooth && trace->smooth;
  return trace->solves > 0;
}

SimStatus form_tangent_step(const SimModel *model, SimWorkspace *work, long n) {
  const FormPlan *plan = model->plan;
  const StepForm *form = &plan->form;
  const FormLevels at = form_levels(model, work);
  SimSensitivity *s = work->sensitivity;
  FrictionTangent *t = s->own;
  const double *x = form->differences ? t->after : s->x, *y = form->differences ? s->x : s->v;
  const StepTerms terms = form_terms(model, work);
  step_stops_forward(&t->past, model, work, n, terms.speed);
  friction_tangent_right(model, work, n, &terms, x);
  if (model->springs) form_springs_find(model, work, t->springs);
  if (form->differences) enter(model, work);
  form_add_carry(plan, t->shares.begun, s->width, y, t->right);
  operator_add_columns(plan->pull, -1, t->shares.begun, s->width, x, t->right);
  if (work->own && end_stops(work)) return stops_columns_step(model, work, &terms);
  if (!form->differences) leave(model, work);
  if (t->lambda) take_lambda(model, work, at.w);
  /* the creep of sticking dofs depends on the threshold, so the matrix of sticking and sliding dofs is factored
   * again */
  if (t->lambda && work->thresholds) t->branches.known = false;
  SimStatus status =
      form_tangent_solve(model, work, thresholds_solver(work, 0, &plan->solver), form->force * form->ahead, 0, s->v);
  if (t->lambda) move_lambda(model, work, at.w);
  move(form, s);
  return status;
}
