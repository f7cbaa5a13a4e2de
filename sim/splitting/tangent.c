/* SPDX-License-Identifier: BSD-2-Clause */
/* Derivatives X = dx/dz and V = dv/dz by a number z along a step of the schemes lie and strang. tau is the length of a
 * substep, and K the matrix of an elastic substep (elastic_step.h). W and a are the derivatives of the velocity after a
 * friction substep, and of the acceleration; `stiffness` and `slopes` are those of friction and of springs with a law:
 *
 *   friction      (M + stiffness) W = (M + tau C gamma'(V)) V + tau B du + .., W_i = 0 for dofs that stick
 *   acceleration  (K + tau/2 D) a = -((A + slopes) X + D V + ..)
 *   rigid stops   X_i moved_i, V_i turned_i (ElasticTrace) for dofs with an impulse p_i, else M (V+ - V) = p */
#include "sim/splitting/derivatives.h"

#include "sim/joint/rise.h"
#include "sim/operator/columns.h"

#include <math.h>
#include <string.h>

static SplittingDerivatives *own_of(const SimSensitivity *s) { return s->own; }

static void clear(const SimSensitivity *s, double *block) {
  memset(block, 0, (size_t)s->count * (size_t)s->width * sizeof *block);
}

/* Adds factor values_i to entry i of `block`, in each column that differentiates by the number `on` (c_i, M_ii, ..) of
 * dof i. values [d]. */
static void add_numbers(const SimSensitivity *s, SimDependence on, double factor, const double *values, double *block) {
  for (int k = 0; k < s->n; k++)
    if (s->columns[k].on == on)
      sensitivity_row(s, block, s->columns[k].entry)[k] += factor * values[s->columns[k].entry];
}

/* Adds to the right side of a friction substep of length tau, or of a balance of dofs without mass, those terms that
 * are not in its linear map: derivatives by v through gamma, by positions, by the control and by quantities of the
 * model. */
static void add_terms(const SimSensitivity *s, const FrictionTrace *f, double tau, double *right) {
  SplittingDerivatives *own = own_of(s);
  const SplittingTrace *t = &own->trace;
  const SimProblem *p = &own->maps.model->problem;
  int n = own->shares.begun;
  for (int i = 0; i < p->d; i++) {
    double *row = sensitivity_row(s, right, i);
    if (f->slope) columns_add(n, f->slope[i], sensitivity_row(s, s->v, i), row);
    if (f->rise) rise_add_row(p, i, f->rise[i], n, s->width, s->x, row);
    if (f->table) step_table_add(p, s, i, f->table[i], row);
    step_shares_add(&own->shares, p, i, tau, row);
  }
  for (int j = 0; j < t->wanted; j++) add_numbers(s, t->on[j], 1, f->terms + j * p->d, right);
}

static SimStatus move_friction(const SimSensitivity *s, int k, double tau) {
  SplittingDerivatives *own = own_of(s);
  const SimProblem *p = &own->maps.model->problem;
  const SplittingPlan *plan = own->maps.model->plan;
  const FrictionTrace f = splitting_friction(&own->trace, k);
  int n = own->shares.begun;
  double *right = own->maps.right;
  columns_multiply(p->d, p->system.mass, n, s->width, s->v, right);
  add_terms(s, &f, tau, right);
  massless_step_clear_light(&plan->massless, p->d, s->width, right);
  SimStatus status = splitting_solve_friction(&own->maps, &f, n, s->width, own->maps.spare);
  for (int i = 0; i < p->d; i++)
    if (!massless_step_has(&plan->massless, i))
      memcpy(sensitivity_row(s, s->v, i), sensitivity_row(s, own->maps.spare, i), (size_t)n * sizeof *s->v);
  return status;
}

/* Advances the columns over the balance of dofs without mass in substep q (massless_step.h): E W = -tau A X + ..; tau W
 * is added to X, and V becomes the mean of W. */
static SimStatus move_massless(const SimSensitivity *s, int q) {
  SplittingDerivatives *own = own_of(s);
  SplittingMaps *m = &own->maps;
  const SimProblem *p = &m->model->problem;
  const MasslessStep *step = &((const SplittingPlan *)m->model->plan)->massless;
  const FrictionTrace f = splitting_balance(&own->trace, q);
  int n = own->shares.begun;
  clear(s, m->right);
  columns_multiply_add(p->d, -step->tau, p->system.stiffness, n, s->width, s->x, m->right);
  add_terms(s, &f, step->tau, m->right);
  massless_step_clear_heavy(step, p->d, s->width, m->right);
  SimStatus status = splitting_solve_massless(m, &f, n, s->width, m->spare);
  for (int i = 0; i < p->d; i++) {
    const double *w = sensitivity_row(s, m->spare, i);
    if (!massless_step_has(step, i)) continue;
    columns_add(n, step->tau / p->step, w, sensitivity_row(s, m->mean, i));
    columns_add(n, step->tau, w, sensitivity_row(s, s->x, i));
  }
  return status;
}

/* Adds the derivative of the acceleration, times the time `reach`, to V, the derivative of the velocity. */
static void kick(const SimSensitivity *s, int q, double reach) {
  SplittingDerivatives *own = own_of(s);
  const ElasticStep *step = &((const SplittingPlan *)own->maps.model->plan)->elastic;
  const ElasticTrace at = splitting_elastic(&own->trace, q);
  int n = own->shares.begun, d = s->count;
  double *force = own->maps.right;
  if (step->damped)
    columns_multiply(d, own->maps.damping, n, s->width, s->v, force);
  else
    clear(s, force);
  splitting_add_force(&own->maps, &at, n, s->width, s->x, force);
  if (at.a) add_numbers(s, SIM_ON_MASS, 1, at.a, force);
  if (at.v) add_numbers(s, SIM_ON_DAMPING, 1, at.v, force);
  columns_multiply_add(d, -reach, q ? own->maps.inverse : step->first, n, s->width, force, s->v);
}

static SimStatus strike(const SimSensitivity *s, int q) {
  SplittingDerivatives *own = own_of(s);
  const ElasticTrace at = splitting_elastic(&own->trace, q);
  if (!at.moved || !*at.struck) return SIM_OK;
  SplittingMaps *m = &own->maps;
  const double *mass = m->model->problem.system.mass;
  int n = own->shares.begun, d = s->count;
  clear(s, m->change);
  splitting_move_struck(&at, d, n, s->width, s->x);
  for (int i = 0; i < d; i++)
    if (!isnan(at.turned[i]))
      columns_add(n, at.turned[i] - 1, sensitivity_row(s, s->v, i), sensitivity_row(s, m->change, i));
  clear(s, m->right);
  columns_multiply_add(d, -1, mass, n, s->width, m->change, m->right);
  add_numbers(s, SIM_ON_MASS, -1, at.change, m->right);
  SimStatus status = splitting_solve_free(m, &at, n, s->width, m->right, m->spare);
  for (int i = 0; i < d; i++) {
    columns_add(n, 1, sensitivity_row(s, m->change, i), sensitivity_row(s, s->v, i));
    columns_add(n, 1, sensitivity_row(s, m->spare, i), sensitivity_row(s, s->v, i));
  }
  return status;
}

static SimStatus move_by_differences(const SimSensitivity *s, const SplittingPlan *plan) {
  const ElasticStep *step = &plan->elastic;
  int n = own_of(s)->shares.begun;
  SimStatus status = SIM_OK;
  if (plan->massless.light) clear(s, own_of(s)->maps.mean);
  kick(s, 0, step->tau / 2);
  for (int q = 1; q <= step->substeps && status == SIM_OK; q++) {
    for (int i = 0; i < s->count; i++)
      if (!massless_step_has(&plan->massless, i))
        columns_add(n, step->tau, sensitivity_row(s, s->v, i), sensitivity_row(s, s->x, i));
    status = strike(s, q);
    if (status == SIM_OK && plan->massless.light) status = move_massless(s, q);
    kick(s, q, q == step->substeps ? step->tau / 2 : step->tau);
  }
  return status;
}

SimStatus splitting_tangent(const SimModel *model, const SimSensitivity *s, long n) {
  const SplittingPlan *plan = model->plan;
  SplittingDerivatives *own = own_of(s);
  SimStatus status = SIM_OK;
  step_shares_find(&own->shares, &model->problem, s, n);
  for (int k = 0; k < own->trace.substeps && status == SIM_OK; k++) {
    status = move_friction(s, k, plan->friction.tau);
    if (k != plan->substeps - 1 || status != SIM_OK) continue;
    if (plan->elastic.substeps)
      status = move_by_differences(s, plan);
    else
      splitting_move_exactly(&own->maps, own->shares.begun, s->width, s->x, s->v);
  }
  for (int i = 0; i < s->count; i++)
    if (massless_step_has(&plan->massless, i))
      memcpy(sensitivity_row(s, s->v, i), sensitivity_row(s, own->maps.mean, i), (size_t)s->width * sizeof *s->v);
  return status == SIM_OK && plan->elastic.substeps ? strike(s, 0) : status;
}
