/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/splitting/elastic_step.h"

#include "sim/operator/dense.h"
#include "sim/operator/massless.h"
#include "sim/splitting/parameters.h"
#include "sim/splitting/trace.h"

#include <math.h>
#include <stdlib.h>

/* Subtracts alpha tau^2 S from K (elastic_step.h). S is the stiffness by which A_MM decreases if dofs without mass
 * follow the others without friction: A_MM in K becomes A_MM - S. */
static SimStatus let_follow(const SimProblem *p, double reach, double *inertia, double *room) {
  SimStatus status = massless_follow(p, room);
  for (long i = 0; i < (long)p->d * p->d && status == SIM_OK; i++) inertia[i] -= reach * room[i];
  return status;
}

static SimStatus init_difference(ElasticStep *step, const SimProblem *p, const double *light) {
  long square = (long)p->d * p->d;
  double *damped = step->room, reach = splitting_parameters(p)->alpha * step->tau * step->tau;
  step->inertia = step->room + square;
  step->first = step->inertia + square;
  step->inverse = step->first + square;
  for (long i = 0; i < square; i++) step->inertia[i] = p->system.mass[i] + reach * p->system.stiffness[i];
  if (light && let_follow(p, reach, step->inertia, damped) != SIM_OK) return SIM_BAD_PROBLEM;
  for (long i = 0; i < square; i++) {
    damped[i] = step->inertia[i] + step->tau / 2 * p->system.damping[i];
    step->damped = step->damped || p->system.damping[i] != 0;
  }
  SimStatus status = massless_invert(p->d, light, step->inertia, step->first);
  return status == SIM_OK ? massless_invert(p->d, light, damped, step->inverse) : status;
}

static SimStatus init_exact(ElasticStep *step, const SimProblem *p) {
  int d = p->d;
  double *squares = step->room + 2 * (long)d * d;
  step->modes = step->room;
  step->project = step->modes + (long)d * d;
  step->turn = squares + d;
  step->lag = step->turn + d;
  step->kick = step->lag + d;
  SimStatus status = dense_generalised_modes(d, p->system.stiffness, p->system.mass, squares, step->modes);
  if (status != SIM_OK) return status;
  for (int k = 0; k < d; k++) {
    double omega = sqrt(fmax(squares[k], 0)), angle = omega * step->tau, half = sin(angle / 2);
    dense_multiply(d, p->system.mass, step->modes + k * d, step->project + k * d);
    step->turn[k] = -2 * half * half;
    step->lag[k] = omega > 0 ? sin(angle) / omega - step->tau : 0;
    step->kick[k] = -omega * sin(angle);
  }
  return SIM_OK;
}

SimStatus elastic_step_init(ElasticStep *step, const SimProblem *p, const double *light) {
  size_t d = (size_t)p->d;
  const SplittingParameters *own = p->parameters;
  int substeps = own->elastic ? 0 : own->elastic_substeps;
  *step = (ElasticStep){.d = p->d, .substeps = substeps, .tau = substeps ? p->step / substeps : p->step};
  step->room = calloc(4 * d * d + 4 * d, sizeof(double));
  if (!step->room) return SIM_NO_MEMORY;
  return substeps ? init_difference(step, p, light) : init_exact(step, p);
}

void elastic_step_clear(ElasticStep *step) { free(step->room); }

/* Returns `excess`, the energy that the scheme conserves minus the true energy, in J; see run_difference. */
static double excess(const ElasticStep *step, const SimProblem *p, const double *v, const double *a) {
  int d = step->d;
  double sum = splitting_parameters(p)->alpha / 2 * dense_form(d, v, p->system.stiffness, v) -
               dense_form(d, a, step->inertia, a) / 8;
  if (step->damped) sum -= dense_form(d, a, p->system.damping, v) / 4;
  return step->tau * step->tau * sum;
}

/* The three-level scheme keeps E^{q+1/2} - E^{q-1/2} = -tau v'D v, with v^q = (X^{q+1} - X^{q-1})/(2 tau) and E^{q+1/2}
 * as in the centred scheme. The mean of E^{q-1/2} and E^{q+1/2} is, exactly,
 *
 *   (|v|^2_M + |X|^2_A)/2 + excess, excess = tau^2 (alpha/2 |v|^2_A - |a|^2_K / 8 - a'D v / 4).
 *
 * So over the step: true energy gained = -(loss by D, trapezoidal) - (excess at the end - excess at the start). */
static inline void run_difference(int d, const ElasticStep *step, const SimModel *model, SimWorkspace *work,
                                  double *scratch) {
  const SimProblem *p = &model->problem;
  double tau = step->tau, lost = 0, *h = work->v, *a = scratch, *v = scratch + 2 * d;
  const ElasticRows at = {lane_rows(work->x), lane_rows(h), lane_rows(a), lane_rows(scratch + d)};
  elastic_accelerate(d, step, p, step->first, at);
  if (splitting_keeps(work)) splitting_keep_acceleration(model, work, h, 0, a);
  if (work->watched) {
    work->energy.numerical -= excess(step, p, h, a);
    if (step->damped) lost = dense_form(d, h, p->system.damping, h) / 2;
  }
  elastic_kick(d, tau / 2, at);
  for (int q = 1; q <= step->substeps; q++) {
    elastic_drift(d, step, p, at);
    if (splitting_keeps(work)) splitting_keep_acceleration(model, work, h, tau / 2, a);
    if (work->watched && step->damped) {
      for (int i = 0; i < d; i++) v[i] = h[i] + tau / 2 * a[i];
      lost += dense_form(d, v, p->system.damping, v) / (q == step->substeps ? 2 : 1);
    }
    elastic_kick(d, q == step->substeps ? tau / 2 : tau, at);
  }
  if (!work->watched) return;
  work->energy.dissipated += tau * lost;
  work->energy.numerical += excess(step, p, work->v, a);
}

static inline void run(int d, const ElasticStep *step, const SimModel *model, SimWorkspace *work, double *scratch) {
  const ElasticRows at = {lane_rows(work->x), lane_rows(work->v), lane_rows(scratch), lane_rows(scratch + d)};
  if (step->substeps)
    run_difference(d, step, model, work, scratch);
  else
    elastic_exact(d, step, at);
}

void elastic_step_run(const ElasticStep *step, const SimModel *model, SimWorkspace *work, double *scratch) {
#define RUN(d) run(d, step, model, work, scratch)
  DENSE_SIZED(step->d, RUN)
#undef RUN
}
