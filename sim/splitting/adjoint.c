/* SPDX-License-Identifier: BSD-2-Clause */
/* Adjoint of the schemes lie and strang (tangent.c). J is the number that is differentiated (sim/core/adjoint.h).
 * The sweep applies the transposed map of each part of a step, backward, to dJ/dx and dJ/dv, which are stored in x
 * and v. */
#include "sim/splitting/derivatives.h"

#include "sim/joint/rise.h"
#include "sim/operator/columns.h"

#include <math.h>
#include <string.h>

static SplittingDerivatives *own_of(const SimAdjoint *a) { return a->own; }

/* Adds factor values_i y_i to the derivative of J by the number `on` (c_i, M_ii, ..) of each dof i. values [d], y
 * [d][width]. */
static void collect(SimAdjoint *a, SimDependence on, double factor, const double *values, double *y) {
  for (int i = 0; i < a->model->problem.d && a->sum[on]; i++)
    columns_add(a->width, factor * values[i], adjoint_row(a, y, i), adjoint_row(a, a->sum[on], i));
}

/* Sweeps back over a friction substep of length tau, or over a balance of dofs without mass: adds those terms that are
 * not in its linear map, which are derivatives by v through gamma, by positions, by the control and by quantities of
 * the model. y [d][width]: derivative of J by the substep's right side. */
static void leave_terms(SimAdjoint *a, const FrictionTrace *f, double tau, SignalMix mix, double *y) {
  const SplittingTrace *t = &own_of(a)->trace;
  const SimProblem *p = &a->model->problem;
  for (int i = 0; i < p->d; i++) {
    const double *row = adjoint_row(a, y, i);
    if (f->slope) columns_add(a->width, f->slope[i], row, adjoint_row(a, a->v, i));
    if (f->table) step_table_back(a, i, f->table[i], row);
    if (f->rise) rise_add_transposed(p, i, f->rise[i], a->width, a->width, row, a->x);
  }
  adjoint_push(a, mix, tau, y);
  for (int j = 0; j < t->wanted; j++) collect(a, t->on[j], 1, f->terms + j * p->d, y);
}

static SimStatus leave_friction(SimAdjoint *a, int k, double tau, SignalMix mix) {
  SplittingDerivatives *own = own_of(a);
  const SimProblem *p = &a->model->problem;
  const SplittingPlan *plan = a->model->plan;
  const FrictionTrace f = splitting_friction(&own->trace, k);
  double *y = own->maps.change;
  memcpy(own->maps.right, a->v, adjoint_size(a) * sizeof *a->v);
  massless_step_clear_light(&plan->massless, a->model->problem.d, a->width, own->maps.right);
  SimStatus status = splitting_solve_friction(&own->maps, &f, a->width, a->width, y);
  columns_multiply(p->d, p->system.mass, a->width, a->width, y, own->maps.spare);
  for (int i = 0; i < p->d; i++)
    if (!massless_step_has(&plan->massless, i))
      memcpy(adjoint_row(a, a->v, i), adjoint_row(a, own->maps.spare, i), (size_t)a->width * sizeof *a->v);
  leave_terms(a, &f, tau, mix, y);
  return status;
}

static SimStatus leave_massless(SimAdjoint *a, int q, SignalMix mix) {
  SplittingDerivatives *own = own_of(a);
  SplittingMaps *m = &own->maps;
  const SimProblem *p = &a->model->problem;
  const MasslessStep *step = &((const SplittingPlan *)a->model->plan)->massless;
  const FrictionTrace f = splitting_balance(&own->trace, q);
  memset(m->right, 0, adjoint_size(a) * sizeof *m->right);
  for (int i = 0; i < p->d; i++) {
    columns_add(a->width, step->tau / p->step, adjoint_row(a, m->mean, i), adjoint_row(a, m->right, i));
    columns_add(a->width, step->tau, adjoint_row(a, a->x, i), adjoint_row(a, m->right, i));
  }
  massless_step_clear_heavy(step, p->d, a->width, m->right);
  SimStatus status = splitting_solve_massless(m, &f, a->width, a->width, m->change);
  columns_multiply_add(p->d, -step->tau, p->system.stiffness, a->width, a->width, m->change, a->x);
  leave_terms(a, &f, step->tau, mix, m->change);
  return status;
}

static void leave_kick(SimAdjoint *a, int q, double reach) {
  SplittingDerivatives *own = own_of(a);
  const ElasticStep *step = &((const SplittingPlan *)a->model->plan)->elastic;
  const ElasticTrace at = splitting_elastic(&own->trace, q);
  int d = a->model->problem.d;
  double *force = own->maps.right;
  memset(force, 0, adjoint_size(a) * sizeof *force);
  columns_multiply_add(d, -reach, q ? own->maps.inverse : step->first, a->width, a->width, a->v, force);
  if (at.a) collect(a, SIM_ON_MASS, 1, at.a, force);
  if (at.v) collect(a, SIM_ON_DAMPING, 1, at.v, force);
  splitting_add_force(&own->maps, &at, a->width, a->width, force, a->x);
  if (step->damped) columns_multiply_add(d, 1, own->maps.damping, a->width, a->width, force, a->v);
}

static SimStatus leave_strike(SimAdjoint *a, int q) {
  SplittingDerivatives *own = own_of(a);
  const ElasticTrace at = splitting_elastic(&own->trace, q);
  if (!at.moved || !*at.struck) return SIM_OK;
  SplittingMaps *m = &own->maps;
  const double *mass = a->model->problem.system.mass;
  int d = a->model->problem.d;
  SimStatus status = splitting_solve_free(m, &at, a->width, a->width, a->v, m->right);
  collect(a, SIM_ON_MASS, -1, at.change, m->right);
  columns_multiply(d, mass, a->width, a->width, m->right, m->change);
  splitting_move_struck(&at, d, a->width, a->width, a->x);
  for (int i = 0; i < d; i++) {
    double *v = adjoint_row(a, a->v, i), *other = adjoint_row(a, m->change, i);
    if (isnan(at.turned[i])) continue;
    COLUMNS_EACH(k, a->width) v[k] = at.turned[i] * v[k] - (at.turned[i] - 1) * other[k];
  }
  return status;
}

static SimStatus leave_differences(SimAdjoint *a, const SplittingPlan *plan, SignalMix mix) {
  const ElasticStep *step = &plan->elastic;
  SimStatus status = SIM_OK;
  for (int q = step->substeps; q >= 1 && status == SIM_OK; q--) {
    leave_kick(a, q, q == step->substeps ? step->tau / 2 : step->tau);
    if (plan->massless.light) status = leave_massless(a, q, mix);
    if (status == SIM_OK) status = leave_strike(a, q);
    for (int i = 0; i < a->model->problem.d; i++)
      if (!massless_step_has(&plan->massless, i))
        columns_add(a->width, step->tau, adjoint_row(a, a->x, i), adjoint_row(a, a->v, i));
  }
  leave_kick(a, 0, step->tau / 2);
  return status;
}

static SimStatus leave_step(SimAdjoint *a, long n) {
  const SplittingPlan *plan = a->model->plan;
  SplittingDerivatives *own = own_of(a);
  const SignalMix mix = adjoint_mix(a, n);
  splitting_trace_turn(&own->trace, n - 1);
  if (plan->massless.light) memcpy(own->maps.mean, a->v, adjoint_size(a) * sizeof *a->v);
  massless_step_clear_light(&plan->massless, a->model->problem.d, a->width, a->v);
  SimStatus status = plan->elastic.substeps ? leave_strike(a, 0) : SIM_OK;
  for (int k = own->trace.substeps - 1; k >= 0 && status == SIM_OK; k--) {
    if (k == plan->substeps - 1 && plan->elastic.substeps) status = leave_differences(a, plan, mix);
    if (k == plan->substeps - 1 && !plan->elastic.substeps)
      splitting_move_exactly(&own->maps, a->width, a->width, a->x, a->v);
    if (status == SIM_OK) status = leave_friction(a, k, plan->friction.tau, mix);
  }
  step_stops_back(&own->stops, a, n);
  return status;
}

SimStatus splitting_sweep(SimAdjoint *a) { return adjoint_back(a, leave_step); }
