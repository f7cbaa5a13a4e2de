/* The scheme `event` of SIM_FRICTION. */
#include "sim/core/model.h"
#include "sim/event/law_series.h"
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

/* Of a D that is not symmetric: the way back has its transpose. */
static SimStatus transpose(EventSystem *plan) {
  double *transposed = malloc((size_t)plan->d * (size_t)plan->d * sizeof *transposed);
  if (!transposed) return SIM_NO_MEMORY;
  dense_transpose(plan->d, plan->damping, transposed);
  plan->damping_transposed = transposed;
  return SIM_OK;
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
  plan->damping = plan->damping_transposed = operator_damped(p) ? q->damping : NULL;
  plan->beta = q->stribeck_beta;
  plan->epsilon = q->stribeck_epsilon;
  plan->bias = p->by_direction && !p->thresholds ? p->friction_bias : NULL;
  plan->series = law_series(q->stribeck, q->stribeck_exponent);
  plan->table = &q->table;
  plan->stops = p->stops.present ? &p->stops : NULL;
  plan->mass_is_diagonal = dense_is_diagonal(p->d, q->mass);
  return sim_problem_features(p) & SIM_HAS_SKEW ? transpose(plan) : SIM_OK;
}

static void release(SimModel *model) {
  EventSystem *plan = model->plan;
  if (plan && plan->damping_transposed != plan->damping) free((void *)plan->damping_transposed);
  free(plan);
}

static bool has_law(SimStribeck law, double exponent) { return law_series(law, exponent) != NULL; }

enum {
  EVENT_TAKES = SIM_HAS_DENSE | SIM_HAS_SIGNAL | SIM_HAS_DAMPING | SIM_HAS_SKEW | SIM_HAS_VISCOUS | SIM_HAS_BIAS |
                SIM_HAS_COURSES | SIM_HAS_SURFACE | SIM_HAS_DROP | SIM_HAS_TABLE | SIM_HAS_STOPS | SIM_HAS_SPRINGS
};

const SimScheme sim_scheme_event_friction = {
    EVENT_SCHEME,
    .kind = SIM_FRICTION,
    .takes = EVENT_TAKES | SIM_HAS_ENERGY,
    .together = TOGETHER_STOPS_SPRINGS,
    .derivatives = EVENT_TAKES,
    .has_law = has_law,
    .rest_weight = rest_weight,
    .step_operator = step_operator,
    .prepare = prepare,
    .release = release,
    .start = event_start,
    .step = event_step,
    .leap = event_step,
    .equip_sensitivity = event_equip_sensitivity,
    .equip_adjoint = event_equip_adjoint,
};
