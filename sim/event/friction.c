/* The scheme `event` of SIM_FRICTION. */
#include "sim/core/model.h"
#include "sim/event/law_series.h"
#include "sim/event/scheme.h"
#include "sim/law/friction_force.h"
#include "sim/operator/dense.h"
#include "sim/own_law.h"

#include <math.h>
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

/* F/c = 1 - gamma at a speed, as a SimFrictionLaw has it. */
static double friction_of(void *context, int column, double speed, double *slope) {
  const SimProblem *p = context;
  double c = friction_threshold(p, column, speed);
  if (!(c > 0)) return *slope = 0, 1;
  *slope = -friction_drop_slope(p, column, speed) / c;
  return 1 - friction_gamma_of(p, column, speed);
}

/* An exponent whose powers of the speed have no series: the law becomes a table of cubics, which are it to 1e-9 of the threshold. Beyond exp(-37) it has
 * fallen, to round-off. */
static SimStatus tabulate_law(SimProblem *p) {
  static const double FALLEN = 37;
  SimProblem own = *p;
  double most = 0, where;
  own.system.gearbox.present = false;
  for (int i = 0; i < p->d; i++)
    most = fmax(most, p->system.stribeck_epsilon[i] * pow(FALLEN, 1 / p->system.stribeck_exponent));
  p->system.stribeck_exponent = 0;
  return sim_problem_set_friction_law(p, p->d, &(SimFrictionLaw){.context = &own, .force = friction_of}, most, &where);
}

static SimStatus prepare(SimModel *model) {
  SimProblem *p = &model->problem;
  const SimSystem *q = &p->system;
  EventSystem *plan = model->plan = calloc(1, sizeof *plan);
  if (!plan) return SIM_NO_MEMORY;
  if (q->stribeck == SIM_STRIBECK_EXPONENTIAL && !law_series(q->stribeck, q->stribeck_exponent)) {
    SimStatus status = tabulate_law(p);
    if (status != SIM_OK) return status;
  }
  *plan = event_system(p);
  plan->laws = model->springs;
  plan->mass = q->mass;
  plan->stiffness = q->stiffness;
  plan->damping = operator_damped(p) ? q->damping : NULL;
  plan->beta = q->stribeck_beta;
  plan->epsilon = q->stribeck_epsilon;
  plan->bias = p->by_direction && !p->thresholds ? p->friction_bias : NULL;
  plan->series = law_series(q->stribeck, q->stribeck_exponent);
  plan->table = &q->table;
  plan->stops = p->stops.present ? &p->stops : NULL;
  plan->mass_is_diagonal = dense_is_diagonal(p->d, q->mass);
  return SIM_OK;
}

static void release(SimModel *model) { free(model->plan); }

static bool has_law(SimStribeck law, double exponent) { return law_series(law, exponent) != NULL; }

enum {
  EVENT_TAKES = SIM_HAS_DENSE | SIM_HAS_SPARSE | SIM_HAS_SIGNAL | SIM_HAS_DAMPING | SIM_HAS_VISCOUS | SIM_HAS_BIAS |
                SIM_HAS_COURSES | SIM_HAS_SURFACE | SIM_HAS_DROP | SIM_HAS_EXPONENT | SIM_HAS_TABLE | SIM_HAS_STOPS |
                SIM_HAS_SPRINGS
};

const SimScheme sim_scheme_event_friction = {
    EVENT_SCHEME,
    .kind = SIM_FRICTION,
    .entries = true,
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
