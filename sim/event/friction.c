/* The scheme `event` of SIM_FRICTION. */
#include "sim/core/model.h"
#include "sim/event/scheme.h"
#include "sim/operator/dense.h"

#include <stdlib.h>

static OperatorSum step_operator(const SimProblem *p) {
  (void)p;
  return operator_alone(OPERATOR_MASS);
}

/* No step solves with them. */
static double rest_weight(const SimProblem *p) {
  (void)p;
  return 0;
}

static SimStatus prepare(SimModel *model) {
  const SimProblem *p = &model->problem;
  const SimSystem *q = &p->system;
  EventSystem *plan = model->plan = calloc(1, sizeof *plan);
  if (!plan) return SIM_NO_MEMORY;
  *plan = event_system(p);
  plan->laws = model->springs;
  plan->mass = q->mass;
  plan->stiffness = q->stiffness;
  plan->damping = operator_damped(p) ? q->damping : NULL;
  plan->beta = q->stribeck_beta;
  plan->epsilon = q->stribeck_epsilon;
  plan->bias = p->by_direction && !p->thresholds ? p->friction_bias : NULL;
  plan->law = q->stribeck;
  plan->table = &q->table;
  plan->bell = q->stribeck_exponent == 2;
  plan->stops = p->stops.present ? &p->stops : NULL;
  plan->mass_is_diagonal = dense_is_diagonal(p->d, q->mass);
  return SIM_OK;
}

static void release(SimModel *model) { free(model->plan); }

const SimScheme sim_scheme_event_friction = {
    EVENT_SCHEME,
    .kind = SIM_FRICTION,
    .dense = true,
    .rest_weight = rest_weight,
    .stops = true,
    .step_operator = step_operator,
    .prepare = prepare,
    .release = release,
    .start = event_start,
    .step = event_step,
    .leap = event_step,
    .equip_sensitivity = event_equip_sensitivity,
    .equip_adjoint = event_equip_adjoint,
};
