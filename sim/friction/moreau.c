/* SPDX-License-Identifier: BSD-2-Clause */
/* The Moreau-Jean theta scheme, theta in [1/2, 1]:
 *
 *   M (v+ - v) + dt D v+ + dt A (theta x+ + (1-theta) x) + dt C (lambda - gamma(v)) = dt (f_theta + B u)
 *   x+ = x + dt (theta v+ + (1-theta) v), lambda in sgn(v+), f_theta = theta f+ + (1-theta) f
 *
 * With E = M + dt D + theta^2 dt^2 A each step is one friction problem,
 *
 *   E v+ + dt C lambda = (M - theta (1-theta) dt^2 A) v - dt A x + dt (f_theta + B u + C gamma(v)).
 *
 * A dof that sticks has v+ = 0 exactly and does not move at all. For a dof without mass, forces balance only at t_n +
 * theta dt. Its error at the end of one step becomes -(1-theta)/theta times that error in the next. So theta is 1 if a
 * dof has no mass: its position at a step's end then depends only on the forces there. */
#include "sim/friction/moreau.h"
#include "sim/core/scheme.h"
#include "sim/core/scheme_rows.h"
#include "sim/core/thresholds.h"
#include "sim/friction/moreau_start.h"
#include "sim/friction/record.h"
#include "sim/joint/springs.h"
#include "sim/law/friction_force.h"
#include "sim/operator/massless.h"

#include <math.h>

typedef struct MoreauParameters {
  FrictionParameters friction;
  double theta; /* weight of the end of a step, in [1/2, 1]; 0: the default */
} MoreauParameters;

static const SimChoice multipliers[] = {CHOICE_UNREGULARIZED, {0}};

/* Returns theta of the scheme, also before its default has been set in the parameters. */
static double theta_of(const SimProblem *p) {
  const MoreauParameters *own = p->parameters;
  return own->theta != 0 ? own->theta : massless_present(p) ? 1 : 0.5;
}

static double default_theta(const SimProblem *p, const SimBounds *bounds) {
  (void)bounds;
  return theta_of(p);
}

static int check_theta(const SimProblem *p, const SimReport *report) {
  double theta = theta_of(p);
  if (!(theta < 1) || !massless_present(p)) return 0;
  return sim_complain(report, "scheme.theta",
                      "%g (expected 1 with degrees of freedom without mass, which else swing from step to step)",
                      theta);
}

static const SimParameter parameters[] = {
    ROW_THETA(MoreauParameters, "0.5; 1 with degrees of freedom without mass", default_theta),
    ROW_MULTIPLIER(multipliers, SIM_UNREGULARIZED),
    ROW_R("2/(delta*step)", scheme_r_half),
    ROW_SOLVER,
    ROW_TOLERANCE,
    {0}};

/* Returns the matrix factor E. */
static OperatorSum step_matrix(const SimProblem *p, double factor) {
  double reach = theta_of(p) * p->step;
  return (OperatorSum){.term = {{OPERATOR_MASS, factor},
                                {OPERATOR_DAMPING, factor * p->step},
                                {OPERATOR_STIFFNESS, factor * (reach * reach)}}};
}

/* Returns E/2, because the bounds that use this matrix are formulated for the centred scheme. There dt/2 C lambda is
 * added to the operator times v, here dt C lambda to E v. */
static OperatorSum step_operator(const SimProblem *p) { return step_matrix(p, 0.5); }

static double rest_weight(const SimProblem *p) {
  double reach = theta_of(p) * p->step;
  return reach * reach;
}

double moreau_end_limit(double theta, double rate) { return theta * theta < 0.5 ? 2 / rate : INFINITY; }

static double end_limit(const SimProblem *p, double rate) { return moreau_end_limit(theta_of(p), rate); }

static bool rests(const SimProblem *p, int i) { return p->v0[i] == 0; }

/* Prepares the solver for t = 0, unless the start of each dof is computed separately (moreau_start.h). */
static SimStatus prepare_start(const SimModel *model, FormPlan *plan) {
  const SimProblem *p = &model->problem;
  bool alone = !plan->light && operator_is_diagonal(p, OPERATOR_MASS);
  plan->start = plan->light ? plan->matrix : plan->mass;
  plan->first.ops = NULL;
  return alone ? SIM_OK : form_prepare_first(model, plan, p->step, rests);
}

static SimStatus prepare(SimModel *model) {
  const SimProblem *p = &model->problem;
  const MoreauParameters *own = p->parameters;
  double dt = p->step, theta = own->theta;
  const StepForm form = {
      .matrix = step_matrix(p, 1),
      .inertia = {.term = {{OPERATOR_MASS, 1}, {OPERATOR_STIFFNESS, -(theta * (1 - theta) * dt * dt)}}},
      .damping = dt,
      .carry = 1,
      .pull = dt,
      .force = dt,
      .ahead = dt * theta,
      .behind = dt * (1 - theta),
      .theta = theta,
      .projection = own->friction.r,
      .fresh = 1,
      .watch = moreau_watch,
  };
  SimStatus status = form_prepare(model, form);
  return status == SIM_OK ? prepare_start(model, model->plan) : status;
}

static SimStatus equip(const SimModel *model, SimWorkspace *work) {
  const FormPlan *plan = model->plan;
  MoreauStops *stops = NULL;
  SimStatus status = form_equip(model, work);
  if (status != SIM_OK || !model->problem.stops.present) return status;
  status = moreau_stops_create(&thresholds_solver(work, 0, &plan->solver)->dense, &stops);
  work->own = stops;
  work->free_own = moreau_stops_destroy;
  return status;
}

static SimStatus start(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = thresholds_move(model, work, 0, model->problem.x0);
  const FormPlan *plan = model->plan;
  const FormLevels at = form_levels(model, work);
  double *load = at.b, *spring = at.y, *level = at.x_before, *damper = at.w;
  const double *f = load_start(p, work);
  operator_multiply(plan->stiffness, p->x0, spring);
  if (model->springs) springs_add_mean(model->springs, 0.5, 1, p->x0, p->x0, p->x0, spring);
  if (plan->damping) operator_multiply(plan->damping, p->v0, damper);
  for (int i = 0; i < p->count; i++) {
    load[i] = (f ? f[i] : 0) + work->control_force[i] - thresholds_bias(work, i) - spring[i];
    if (plan->damping) load[i] -= damper[i];
    level[i] = friction_level(p, i);
  }
  const MoreauStart begin = {.solver = plan->first.ops ? thresholds_solver(work, 1, &plan->first) : NULL,
                             .stops = work->own,
                             .level = level,
                             .load = load};
  if (begin.solver) friction_add_drop(p, 1, p->v0, load);
  SimStatus status = moreau_start(model, work, &begin);
  if (status != SIM_OK) return status;
  work->energy = (SimEnergy){0};
  if (work->sensitivity) friction_tangent_start(model, work);
  if (work->adjoint) friction_record_start(work);
  return thresholds_status(model, work);
}

#define MOREAU_TAKES                                                                                                   \
  (SIM_HAS(DENSE) | SIM_HAS(SPARSE) | SIM_HAS(RANKS) | SIM_HAS(MANY) | SIM_HAS(SIGNAL) | SIM_HAS(DAMPING) |            \
   SIM_HAS(SKEW) | SIM_HAS(MASSLESS) | SIM_HAS(VISCOUS) | SIM_HAS(BIAS) | SIM_HAS(COURSES) | SIM_HAS(RISE) |           \
   SIM_HAS(SURFACE) | SIM_HAS(DROP) | SIM_HAS(EXPONENT) | SIM_HAS(LAW) | SIM_HAS(TABLE) | SIM_HAS(GEARBOX) |           \
   SIM_HAS_STOPS | SIM_HAS_SPRINGS | SIM_HAS(FIXED_POINT))

const SimScheme sim_scheme_moreau = {
    .name = "moreau",
    .sentence = "the Moreau-Jean theta scheme: what sticks does not move by one bit; when in doubt, this one",
    .kind = SIM_FRICTION,
    .takes = MOREAU_TAKES,
    .energies = true,
    .together = TOGETHER(RISE_STOPS) | TOGETHER(MASSLESS_RISE) | TOGETHER(STOPS_SPRINGS) | TOGETHER(BIAS_GEARBOX) |
                TOGETHER(COURSES_GEARBOX) | TOGETHER(RISE_GEARBOX) | TOGETHER(MASSLESS_SPRINGS),
    .derivatives = MOREAU_TAKES,
    .derivatives_apart = TOGETHER(STOPS_SPRINGS) | TOGETHER(RISE_STOPS),
    .parameters = parameters,
    .parameters_size = sizeof(MoreauParameters),
    .check = check_theta,
    .lanes = LANES_FORM,
    .end_limit = end_limit,
    .rest_weight = rest_weight,
    .step_operator = step_operator,
    .prepare = prepare,
    .prepares_again = true,
    .release = form_release,
    .scratch_vectors = FORM_VELOCITIES,
    .equip = equip,
    .equip_sensitivity = form_equip_sensitivity,
    .equip_adjoint = form_equip_adjoint,
    .resume = load_resume,
    .start = start,
    .step = form_step,
};
