/* SPDX-License-Identifier: BSD-2-Clause */
/* One step of a scheme that is described by a StepForm. */
#include "sim/core/surface_model.h"
#include "sim/core/thresholds.h"
#include "sim/friction/form_rows.h"
#include "sim/friction/form_springs.h"
#include "sim/friction/moreau_stops.h"
#include "sim/friction/record.h"
#include "sim/joint/stops.h"
#include "sim/law/friction_force.h"
#include "sim/operator/dense.h"
#include "sim/operator/massless.h"

#include <string.h>

#define ENTER(d) LANE_UNROLL for (int i = 0; i < (d); i++) form_enter(differences, rows, 0, i, NULL)
#define MOVE(d)  LANE_UNROLL for (int i = 0; i < (d); i++) form_move(differences, form, rows, 0, i, NULL)

LANE_INLINE FormRows rows_of(FormLevels at, double *v) {
  return (FormRows){lane_rows(at.base), lane_rows(at.x), lane_rows(at.y), lane_rows(at.w), lane_rows(v)};
}

LANE_INLINE void enter(bool differences, const SimModel *model, const SimWorkspace *work, FormLevels at) {
  int count = model->problem.count;
  const FormRows rows = rows_of(at, NULL);
  DENSE_SIZED(count, ENTER)
  if (!differences && (work->watched || work->own || model->springs))
    memcpy(at.x_before, at.x, (size_t)count * sizeof *at.x);
}

LANE_INLINE void move(bool differences, const SimModel *model, const SimWorkspace *work, FormLevels at) {
  const StepForm *form = form_of(model);
  const FormRows rows = rows_of(at, work->v);
  DENSE_SIZED(model->problem.count, MOVE)
}

/* Computes v+, lambda, slip and x+ of a step with right side b: first by friction alone, then with the stops. */
static SimStatus solve_with_stops(const SimModel *model, SimWorkspace *work, const double *right, double *w,
                                  StepTally *tally) {
  const FormPlan *plan = model->plan;
  const FormLevels at = form_levels(model, work);
  SimStatus status = friction_solve(thresholds_solver(work, 0, &plan->solver), &work->step, right, NULL, w,
                                    work->lambda, work->slip, tally);
  memcpy(at.x, at.x_before, (size_t)model->problem.count * sizeof *at.x);
  move(false, model, work, at);
  const StopsStep step = {.solver = &thresholds_solver(work, 0, &plan->solver)->dense,
                          .varies = work->thresholds,
                          .theta = plan->form.theta,
                          .ahead = plan->form.ahead,
                          .behind = plan->form.behind,
                          .b = right,
                          .x = at.x_before,
                          .v = at.y};
  return status == SIM_OK ? moreau_stops_step(work->own, model, work, &step) : status;
}

LANE_INLINE SimStatus solve(bool differences, const SimModel *model, SimWorkspace *work, long n, FormLevels at) {
  const FormPlan *plan = model->plan;
  const FrictionSolver *solver = thresholds_solver(work, 0, &plan->solver);
  if (model->springs || (work->reaction && !work->own))
    return form_springs_solve(model, work, n, work->own ? solve_with_stops : NULL);
  if (work->own) return solve_with_stops(model, work, at.b, at.w, &work->tally);
  return friction_solve(solver, &work->step, at.b, differences ? at.base : NULL, at.w, work->lambda, work->slip,
                        &work->tally);
}

SimStatus form_solve(const SimModel *model, SimWorkspace *work, long n) {
  return form_of(model)->differences ? solve(true, model, work, n, form_levels(model, work))
                                     : solve(false, model, work, n, form_levels(model, work));
}

void form_friction(const SimProblem *p, const double *lambda, const double *v, double *friction) {
  for (int i = 0; i < p->count; i++) friction[i] = friction_resistance(p, i, v[i], lambda[i]);
}

/* Solves a step like `solve`, but with position-dependent thresholds of dofs without mass at the step's end. Solves
 * repeatedly until these thresholds no longer change. */
LANE_INLINE SimStatus solve_ahead(bool differences, const SimModel *model, SimWorkspace *work, long n, FormLevels at) {
  const FormPlan *plan = model->plan;
  const SimProblem *p = &model->problem;
  const FormRows rows = rows_of(at, work->v);
  SimStatus status = solve(differences, model, work, n, at);
  bool still = !plan->light || !p->rise.pieces;
  for (int round = 0; status == SIM_OK && !still; round++) {
    double *end = work->step.spare[0], t = form_time(differences, p, differences ? n + 1 : n);
    for (int i = 0; i < p->count; i++)
      end[i] = differences ? at.base[i] + at.w[i] : work->own ? at.x[i] : form_place(&plan->form, rows, 0, i);
    thresholds_follow(work->thresholds, plan->light + p->first, t, end, round, &still);
    if (round == THRESHOLD_ROUNDS) return SIM_NOT_CONVERGED;
    if (!still) status = solve(differences, model, work, n, at);
  }
  return status;
}

/* For differences with moving surfaces: the equations of dofs without mass hold at t_{n+1}, with the surfaces'
 * displacements W+ of that time. Subtracts pull A (W+ - W) from `right` in their rows. */
static void look_ahead(const SimModel *model, SimWorkspace *work, long n, double *right) {
  const FormPlan *plan = model->plan;
  const SimProblem *p = &model->problem;
  double *now = work->surface + SHOWN_X * p->count, *way = work->surface + SHOWN_V * p->count,
         *pull = work->step.spare[0];
  surface_at(p, (double)n * p->step, now, NULL);
  surface_at(p, (double)(n + 1) * p->step, way, NULL);
  for (int i = 0; i < p->count; i++) way[i] -= now[i];
  operator_multiply(plan->pull, way, pull);
  for (int i = 0; i < p->count; i++)
    if (form_light(plan, p, i)) right[i] -= pull[i];
}

/* Sets dofs without mass to rest if their load equals their threshold up to rounding error. */
static void rest_light(const SimModel *model, SimWorkspace *work, const StepForce *f, FormLevels at) {
  const FormPlan *plan = model->plan;
  const SimProblem *p = thresholds_now(model, work);
  for (int i = 0; i < p->count; i++) {
    double level = friction_level(p, i), forces = fabs(step_force(f, i)) + fabs(work->control_force[i]) + level;
    if (!form_light(plan, p, i) || !(level > 0) || work->slip[i] == 0) continue;
    if (!massless_rests(plan->form.ahead * at.w[i], at.x[i], plan->light[p->first + i], forces)) continue;
    at.w[i] = 0;
    work->slip[i] = 0;
  }
}

LANE_INLINE SimStatus step(bool differences, const SimModel *model, SimWorkspace *work, long n) {
  const FormPlan *plan = model->plan;
  const StepForm *form = &plan->form;
  const FormLevels at = form_levels_of(differences, model, work);
  const SimProblem *p = thresholds_move(model, work, form_time(differences, &model->problem, n), at.x);
  double began = friction_clock(&work->step);
  const StepForce f = load_step(&plan->load, p, work, n, at.b);
  if (friction_drops(p)) friction_add_drop(p, form->force, work->v, at.b);
  for (int i = 0; i < p->count && work->thresholds; i++) at.b[i] -= form->force * p->friction_bias[i];
  enter(differences, model, work, at);
  form_combine(plan, f.load, at.y, at.x, at.b);
  if (differences && plan->light && model->surface) look_ahead(model, work, n, at.b);
  for (int i = 0; i < p->count && work->reaction && !work->own; i++)
    work->reaction[i] = stops_push(&p->stops, i, at.x[i]);
  SimStatus status = solve_ahead(differences, model, work, n, at);
  if (plan->light && !work->own) rest_light(model, work, &f, at);
  if (status == SIM_OK) status = thresholds_status(model, work);
  if (work->sensitivity && status == SIM_OK) status = form_tangent_step(model, work, n);
  if (work->adjoint && status == SIM_OK) status = form_record_step(model, work, n);
  if (work->watched && differences) form_friction(p, work->lambda, work->v, at.b);
  if (!work->own) move(differences, model, work, at);
  if (work->own && status == SIM_OK) moreau_stops_count(work->own, model, work);
  if (work->watched && form->watch) form->watch(model, work, &f, n);
  if (work->step.profile) work->step.profile->steps += friction_clock(&work->step) - began;
  return status;
}

/* Two calls with a constant argument, so that the compiler specialises `step` for each group of schemes. */
SimStatus form_step(const SimModel *model, SimWorkspace *work, long n) {
  return form_of(model)->differences ? step(true, model, work, n) : step(false, model, work, n);
}
