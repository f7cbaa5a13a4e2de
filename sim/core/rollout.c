/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/core/rollout.h"

#include "sim/base/argument.h"
#include "sim/core/balance.h"
#include "sim/core/interrupt.h"
#include "sim/core/model.h"
#include "sim/core/scheme.h"
#include "sim/core/signal_mix.h"
#include "sim/core/surface_model.h"
#include "sim/joint/outside.h"
#include "sim/joint/threshold.h"
#include "sim/law/friction_force.h"

#include <math.h>

int stiction_model_controls(const SimModel *model) { return model ? stiction_problem_variables(&model->problem) : 0; }

/* Whether the residual of an examined motion is within its limit; false if the residual is NAN. */
static bool obeys(const SimWorkspace *work) { return work->residual.largest <= work->residual_most; }

/* Calls the observer at t_n. Returns SIM_OK, or SIM_ENERGY_OPEN if the energies up to t_n do not close. */
static SimStatus show(const SimModel *model, SimWorkspace *work, const SimObserver *observer, long n) {
  const SimProblem *p = &model->problem;
  if (!observer) return SIM_OK;
  signal_show(p, work, n);
  if (model->problem.ops->publish) model->problem.ops->publish(model, work, n);
  if (!p->scheme->energies) work->energy = (SimEnergy){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  SimStep step = {.n = n,
                  .t = (double)n * p->step,
                  .x = work->x,
                  .v = work->v,
                  .slide = work->v,
                  .lambda = work->lambda,
                  .reaction = work->reaction,
                  .u = work->u,
                  .slip = work->slip,
                  .extra = work->extra,
                  .contact = work->contact,
                  .energy = &work->energy};
  if (model->surface) {
    double *x = work->surface + SHOWN_X * p->count, *v = work->surface + SHOWN_V * p->count;
    surface_show(model, surface_time(p, n), work->x, work->v, x, v);
    step.x = x;
    step.v = v;
  }
  if (work->shown_lambda) {
    for (int i = 0; i < p->count; i++) {
      double friction, bias;
      threshold_of(p, i, surface_time(p, n), step.x, &friction, &bias);
      work->shown_lambda[i] = friction_shown_lambda(friction + gearbox_level(p, i), bias, work->lambda[i]);
    }
    step.lambda = work->shown_lambda;
  }
  bool closes = balance_take(model, work, step.t, step.x, step.v);
  observer->step(observer->context, &step);
  return closes ? SIM_OK : SIM_ENERGY_OPEN;
}

static bool is_finite(const SimModel *model, const SimWorkspace *work) {
  double sum = 0;
  for (int i = 0; i < model->problem.count; i++) sum += fabs(work->x[i]) + fabs(work->v[i]);
  sim_group_sum(model->problem.group, &sum, 1);
  return isfinite(sum);
}

/* Returns where the motion ceased to be finite (SimOverflow). Collective. */
static SimOverflow find_overflow(const SimModel *model, const SimWorkspace *work) {
  const SimProblem *p = &model->problem;
  int own = -1, dof;
  double most = -1, largest, index, state[2] = {0};
  for (int i = 0; i < p->count; i++) {
    double x = fabs(work->x[i]), v = fabs(work->v[i]), size = isfinite(x) && isfinite(v) ? fmax(x, v) : INFINITY;
    if (!(size > most)) continue;
    most = size;
    own = i;
  }
  largest = most;
  sim_group_max(p->group, &largest, 1);
  index = own >= 0 && most == largest ? -(double)(p->first + own) : -INFINITY;
  sim_group_max(p->group, &index, 1);
  dof = (int)-index;
  if (own >= 0 && dof == p->first + own) {
    state[0] = work->x[own];
    state[1] = work->v[own];
  }
  sim_group_sum(p->group, state, 2);
  bool stepwise = !p->scheme->leap || work->observer;
  return (SimOverflow){.dof = largest > 0 ? dof : -1,
                       .x = state[0],
                       .v = state[1],
                       .time = stepwise ? fmin((double)(work->n + 1), (double)p->steps) * p->step : NAN};
}

SimStatus rollout_start(const SimModel *model, SimWorkspace *work, const double *control, bool watched) {
  signal_start(model, work, control);
  work->watched = watched;
  work->tally = (StepTally){0};
  work->n = 0;
  interrupt_start(model, work);
  balance_start(model, work);
  work->status = interrupt_look(model, work);
  if (work->status == SIM_OK) work->status = model->problem.scheme->start(model, work);
  return work->status;
}

SimStatus sim_rollout_begin(const SimModel *model, SimWorkspace *work, const double *control,
                            const SimObserver *observer) {
  ARGUMENT_THERE(model);
  ARGUMENT(work && work->model == model, "work", "is NULL, or another model's");
  work->observer = observer;
  SimStatus status = rollout_start(model, work, control, observer != NULL);
  if (status == SIM_OK) status = show(model, work, observer, 0);
  return work->status = status;
}

/* Makes the steps up to number `until`, or up to the first one that fails. Returns the status of the last step. */
static SimStatus go(const SimModel *model, SimWorkspace *work, const SimObserver *observer, long until) {
  const SimProblem *p = &model->problem;
  while (work->n < until) {
    long n = work->n + 1;
    if (p->signal != SIM_CONSTANT) signal_force(model, work, n);
    SimStatus status = p->scheme->step(model, work, n);
    /* a state that is not finite stays so, so without an observer it is sufficient to check it at the end of the
     * rollout */
    if (status == SIM_OK && observer && !is_finite(model, work)) status = SIM_NON_FINITE;
    if (status != SIM_OK) return status;
    work->n = n;
    status = show(model, work, observer, n);
    if (!obeys(work)) status = SIM_RESIDUAL_LARGE;
    if (status != SIM_OK) return status;
  }
  return SIM_OK;
}

SimStatus sim_rollout_run_to(const SimModel *model, SimWorkspace *work, const SimObserver *observer, long until) {
  ARGUMENT_THERE(model);
  ARGUMENT(work && work->model == model, "work", "is NULL, or another model's");
  ARGUMENT(until <= model->problem.steps, "until", "is beyond the last step");
  const SimProblem *p = &model->problem;
  SimStatus status = work->status;
  work->observer = observer;
  if (p->scheme->leap && !observer && work->n < until && status == SIM_OK) {
    status = p->scheme->leap(model, work, until);
    if (status == SIM_OK) work->n = until;
    if (status == SIM_OK && !obeys(work)) status = SIM_RESIDUAL_LARGE;
    return work->status = status;
  }
  long stride = interrupt_stride(p->d);
  while (work->n < until && status == SIM_OK) {
    status = go(model, work, observer, until - work->n < stride ? until : work->n + stride);
    if (status == SIM_OK) status = interrupt_look(model, work);
  }
  return work->status = status;
}

SimStatus sim_rollout_end(const SimModel *model, const SimWorkspace *work, SimFinal *final) {
  ARGUMENT_THERE(model);
  ARGUMENT(work && work->model == model, "work", "is NULL, or another model's");
  ARGUMENT(final && final->x && final->v, "final", "is NULL, or has no room for x or v");
  SimStatus status = work->status;
  for (int i = 0; i < model->problem.count; i++) {
    final->x[i] = work->x[i];
    final->v[i] = work->v[i];
  }
  if (model->surface) surface_show(model, surface_time(&model->problem, work->n), work->x, work->v, final->x, final->v);
  if (status == SIM_OK && !is_finite(model, work)) status = SIM_NON_FINITE;
  final->iterations = work->tally.iterations;
  final->residual = work->tally.residual;
  final->grazes = work->tally.grazes;
  final->impacts = work->tally.impacts;
  final->settled = work->tally.settled;
  final->closure = balance_closure(work);
  final->examined = work->residual;
  final->overflow = status == SIM_NON_FINITE ? find_overflow(model, work) : (SimOverflow){0};
  final->outside = (SimOutside){0};
  if (status == SIM_OUT_OF_RANGE) final->outside = outside_find(&model->problem, final->x);
  final->outside.time = (double)(work->n + 1) * model->problem.step;
  final->status = status;
  return status;
}

long sim_rollout_position(const SimWorkspace *work) { return work ? work->n : 0; }

SimStatus stiction_rollout(const SimModel *model, SimWorkspace *work, const double *control,
                           const SimObserver *observer, SimFinal *final) {
  ARGUMENT_THERE(model);
  ARGUMENT(work && work->model == model, "work", "is NULL, or another model's");
  ARGUMENT(final && final->x && final->v, "final", "is NULL, or has no room for x or v");
  sim_rollout_begin(model, work, control, observer);
  sim_rollout_run_to(model, work, observer, model->problem.steps);
  return sim_rollout_end(model, work, final);
}
