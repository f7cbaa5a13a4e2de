/* SPDX-License-Identifier: BSD-2-Clause */
/* The scheme `event` for friction models (SIM_FRICTION). */
#include "sim/core/model.h"
#include "sim/event/drop.h"
#include "sim/event/field.h"
#include "sim/event/inverse.h"
#include "sim/event/scheme.h"
#include "sim/internal.h"
#include "sim/law/friction_force.h"
#include "sim/operator/dense.h"
#include "sim/operator/massless.h"

#include <math.h>
#include <stdlib.h>

static OperatorSum step_operator(const SimProblem *p) {
  (void)p;
  return operator_alone(OPERATOR_MASS);
}

/* Returns 0: this scheme has no steps, and so no matrix of a step in which spring slopes would have a weight. */
static double rest_weight(const SimProblem *p) {
  (void)p;
  return 0;
}

/* Implements SimFrictionLaw.force: returns friction at a speed relative to friction at speed 0, (C_e - drop)/C_e, and
 * its slope (sim/law/friction_force.h). */
static double friction_of(void *context, int i, double speed, double *slope) {
  const SimProblem *p = context;
  double level = friction_level(p, i);
  *slope = level > 0 ? -friction_drop_slope(p, i, speed) / level : 0;
  return level > 0 ? 1 - friction_drop(p, i, speed) / level : 1;
}

/* Replaces a law without a Taylor series, or a law combined with that of a gear box, by a single table of cubics that
 * equals the drop of friction to 1e-9 of C_e, the friction at speed 0. The thresholds of the gear box are added to c;
 * its load remains a force. */
static SimStatus tabulate_drop(SimProblem *p) {
  const SimSystem *q = &p->system;
  const SimGearbox *g = &q->gearbox;
  SimProblem own = *p;
  own.by_direction = false; /* gamma does not depend on the direction */
  double most = 0, where;
  for (int i = 0; i < p->d; i++) {
    if (q->stribeck == SIM_STRIBECK_TABLE)
      most = fmax(most, friction_curve(&q->table, i).rows[(q->table.points - 1) * SIM_TABLE_ROW + SIM_TABLE_SPEED]);
    else if (q->stribeck != SIM_STRIBECK_NONE)
      most = fmax(most, friction_series_end(q->stribeck, q->stribeck_exponent, q->stribeck_epsilon[i]));
    if (g->present && g->delta[i] != 0)
      most = fmax(most, friction_series_end(g->law, g->exponent, g->epsilon[i] / fabs(g->delta[i])));
  }
  p->system.table.rows = NULL; /* `own` still has the old rows, from which the new ones are computed */
  p->system.stribeck_exponent = 0;
  SimStatus status = stiction_problem_set_friction_law(
      p, p->d, &(SimFrictionLaw){.context = &own, .force = friction_of}, most, &where);
  free(own.system.table.rows);
  for (int i = 0; i < p->d && g->present; i++) {
    p->friction[i] = friction_level(&own, i);
    g->a[i] = g->b[i] = (g->a[i] + g->b[i]) / 2;
  }
  return status;
}

/* Creates the rows of the transpose of an unsymmetric D, for adjoint sweeps. */
static SimStatus transpose(const SimProblem *p, EventRows *rows) {
  double *transposed = malloc((size_t)p->d * (size_t)p->d * sizeof *transposed);
  if (!transposed) return SIM_NO_MEMORY;
  dense_transpose(p->d, p->system.damping, transposed);
  SimStatus status = rows_of_dense(p->d, transposed, false, rows);
  free(transposed);
  return status;
}

/* Finds the dofs without mass, and the matrix H for the decision which dofs slide (decision.h). If all dofs have mass,
 * H is M. */
static SimStatus take_form(const SimProblem *p, EventSystem *plan) {
  size_t d = (size_t)p->d, square = d * d;
  plan->massless = massless_count(p);
  plan->form = plan->mass;
  if (plan->massless == 0) return SIM_OK;
  plan->field = &event_field_massless;
  double *form = calloc(square, sizeof *form);
  plan->form = (EventRows){0};
  plan->light = calloc(d, sizeof *plan->light);
  SimStatus status = form && plan->light ? SIM_OK : SIM_NO_MEMORY;
  if (status == SIM_OK) {
    massless_part(p, p->system.stiffness, true, 0, form);
    for (size_t i = 0; i < square; i++) form[i] += p->system.mass[i];
    for (int i = 0; i < p->d; i++) plan->light[i] = massless_dof(p, i);
    status = rows_of_dense(p->d, form, inverse_wants_all(p->d, form), &plan->form);
  }
  free(form);
  return status;
}

/* Creates the rows (rows.h) of M, A and D, and data that depend on them. */
static SimStatus fill(const SimProblem *p, EventSystem *plan) {
  const SimSystem *q = &p->system;
  SimStatus status = rows_of_dense(p->d, q->mass, inverse_wants_all(p->d, q->mass), &plan->mass);
  if (status == SIM_OK) status = rows_of_dense(p->d, q->stiffness, false, &plan->stiffness);
  if (status == SIM_OK) status = rows_of_dense(p->d, q->damping, false, &plan->damping);
  plan->damping_transposed = plan->damping;
  if (status == SIM_OK) status = take_form(p, plan);
  if (status != SIM_OK) return status;
  inverse_choose(plan);
  plan->damped = operator_damped(p);
  return sim_problem_features(p) & SIM_HAS(SKEW) ? transpose(p, &plan->damping_transposed) : SIM_OK;
}

static SimStatus prepare(SimModel *model) {
  SimProblem *p = &model->problem;
  const SimSystem *q = &p->system;
  EventSystem *plan = model->plan = calloc(1, sizeof *plan);
  if (!plan) return SIM_NO_MEMORY;
  bool drops = q->stribeck != SIM_STRIBECK_NONE,
       no_series = drops && !friction_series(q->stribeck, q->stribeck_exponent);
  if (no_series || q->gearbox.present) {
    SimStatus status = tabulate_drop(p);
    if (status != SIM_OK) return status;
  }
  *plan = event_system(p);
  plan->laws = model->springs;
  plan->beta = q->stribeck_beta;
  plan->epsilon = q->stribeck_epsilon;
  plan->bias = p->by_direction && !rise_varies(p) ? p->friction_bias : NULL;
  plan->series = friction_series(q->stribeck, q->stribeck_exponent);
  plan->table = &q->table;
  plan->stops = p->stops.present ? &p->stops : NULL;
  return fill(p, plan);
}

/* Refuses dampers and stops at dofs without mass. The forces on such a dof are in balance, so its velocity follows from
 * the rate of the load, and this scheme cannot include forces that depend on the velocity. */
static int check_massless(const SimProblem *p, const SimReport *report) {
  return massless_refuse_damping(p, report) + massless_refuse_ends(p, report);
}

#define EVENT_TAKES                                                                                                    \
  (SIM_HAS(DENSE) | SIM_HAS(SPARSE) | SIM_HAS(MANY) | SIM_HAS(SIGNAL) | SIM_HAS(DAMPING) | SIM_HAS(SKEW) |             \
   SIM_HAS(MASSLESS) | SIM_HAS(VISCOUS) | SIM_HAS(BIAS) | SIM_HAS(COURSES) | SIM_HAS(RISE) | SIM_HAS(SURFACE) |        \
   SIM_HAS(DROP) | SIM_HAS(EXPONENT) | SIM_HAS(TABLE) | SIM_HAS(GEARBOX) | SIM_HAS_STOPS | SIM_HAS_SPRINGS)

const SimScheme sim_scheme_event_friction = {
    EVENT_SCHEME,
    .kind = SIM_FRICTION,
    .entries = true,
    .takes = EVENT_TAKES,
    .together = TOGETHER(RISE_STOPS) | TOGETHER(STOPS_SPRINGS),
    .derivatives = EVENT_TAKES & ~SIM_HAS(MASSLESS),
    .check = check_massless,
    .rest_weight = rest_weight,
    .step_operator = step_operator,
    .prepare = prepare,
};
