/* SPDX-License-Identifier: BSD-2-Clause */
/* The Moreau-Jean theta scheme of mechanisms, linearly implicit, theta in [1/2, 1]. With h = r - Q - f - B u for q'' =
 * 0, and with M, h, c and the derivatives of h at q_m = q + theta dt v, v, t_theta = t + theta dt:
 *
 *   M (v+ - v) + dt (h + dh/dv (v+ - v) + dh/dq (q_theta - q_m)) + dt C lambda = 0, lambda in sgn(v+)
 *   q+ = q + dt (theta v+ + (1-theta) v), q_theta = theta q+ + (1-theta) q
 *
 * Where v_i = 0, c_i is the mean of the thresholds at rest in both directions, and half their difference is added to h_i
 * (mechanism_motion_rest). So each step is one friction problem, E v+ + dt C lambda = E v - dt h, with E = M + dt dh/dv
 * + theta^2 dt^2 dh/dq. For linear equations these are the steps of sim/friction/moreau.c. */
#include "sim/friction/moreau.h"
#include "sim/core/scheme.h"
#include "sim/friction/moreau_start.h"
#include "sim/joint/stops.h"
#include "sim/mechanism/steps_derivatives.h"
#include "sim/operator/dense.h"
#include "sim/parameter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct MoreauParameters {
  double theta; /* weight of the end of a step, in [1/2, 1] */
} MoreauParameters;

static double default_theta(const SimProblem *p, const SimBounds *bounds) {
  (void)p;
  (void)bounds;
  return 0.5;
}

static const SimParameter parameters[] = {ROW_THETA(MoreauParameters, "0.5", default_theta), {0}};

/* Vectors [d] in work->scratch: the right side of a step, the state (q, v) before it, and the forces Q + f + B u. */
enum { LEVEL_B, LEVEL_Q, LEVEL_V, LEVEL_FORCE, LEVELS };

static double *level_of(const SimModel *model, const SimWorkspace *work, int level) {
  return work->scratch + level * model->problem.d;
}

static double theta_of(const SimModel *model) {
  const MoreauParameters *own = model->problem.parameters;
  return own->theta;
}

/* While a problem is checked, theta may still be 0, which stands for the default 1/2; both give the same limit. */
static double end_limit(const SimProblem *p, double rate) {
  const MoreauParameters *own = p->parameters;
  return moreau_end_limit(own->theta, rate);
}

static SimStatus prepare(SimModel *model) {
  Load *load = model->plan = calloc(1, sizeof *load);
  return load ? load_init(load, &model->problem, 1, theta_of(model)) : SIM_NO_MEMORY;
}

static void release(SimModel *model) {
  if (model->plan) load_clear(model->plan);
  free(model->plan);
}

static void free_steps(void *own) {
  MechanismSteps *steps = own;
  expansion_columns_destroy(steps->columns);
  mechanism_motion_destroy(steps->motion);
  dense_solver_clear(&steps->solver.dense);
  moreau_stops_destroy(steps->stops);
  free(steps->by_q);
  free(steps);
}

static SimStatus equip(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = &model->problem;
  size_t d = (size_t)p->d;
  const char *why;
  MechanismSteps *steps = work->own = calloc(1, sizeof *steps);
  work->free_own = free_steps;
  if (!steps) return SIM_NO_MEMORY;
  SimStatus status = load_equip(p, work);
  if (status == SIM_OK) status = mechanism_motion_create(p, &steps->motion, &why);
  if (status == SIM_OK) status = dense_solver_init(&steps->solver.dense, p->d);
  if (status == SIM_OK) status = step_scratch_init(&work->step.dense, p->d);
  if (status == SIM_OK && p->stops.present) status = moreau_stops_create(&steps->solver.dense, &steps->stops);
  if (status != SIM_OK) return status;
  steps->solver.ops = &friction_dense;
  steps->columns = expansion_columns_create(steps->motion->expansion);
  steps->by_q = malloc((3 * d * d + d) * sizeof *steps->by_q);
  for (int k = 0; k < 2; k++) work->step.spare[k] = calloc(d, sizeof(double));
  if (!steps->columns || !steps->by_q || !work->step.spare[0] || !work->step.spare[1]) return SIM_NO_MEMORY;
  steps->by_v = steps->by_q + d * d;
  steps->symmetric = steps->by_v + d * d;
  steps->bias = steps->symmetric + d * d;
  return SIM_OK;
}

/* Computes r, c and M (order 0 of the series) at time t, with the forces f + B u. The sign of each kink is that of its
 * switching function's value. */
static SimStatus look_at(const SimModel *model, const MechanismSteps *steps, double t, const double *q, const double *v,
                         const double *force) {
  MechanismMotion *motion = steps->motion;
  for (int i = 0; i < model->problem.d; i++) expansion_push(motion->expansion, i, 0, force[i]);
  for (int k = 0; k < motion->n_kinks; k++) motion->expansion->series->signs[k] = 0;
  return mechanism_motion_at(&model->problem, motion, t, q, v, true) ? SIM_OK : SIM_NON_FINITE;
}

/* Returns the load of coordinate i with the velocity v at the state of the last look_at, and sets its threshold and its
 * bias. Sets *status to SIM_OUT_OF_RANGE if the threshold is negative beyond rounding. */
static double load_of(const SimModel *model, const MechanismSteps *steps, int i, double v, double *threshold,
                      SimStatus *status) {
  static const double ROUND_OFF = 1e-10;
  const Expansion *expansion = steps->motion->expansion;
  double r = expansion_output(expansion, i, 0), load = -r, c = expansion_output(expansion, model->problem.d + i, 0);
  if (v == 0) mechanism_motion_rest(steps->motion, i, 0, &load, &c);
  if (c < -ROUND_OFF * fabs(r)) *status = SIM_OUT_OF_RANGE;
  steps->bias[i] = -r - load;
  *threshold = fmax(c, 0);
  return load;
}

/* Computes the multiplier lambda at t = 0, after look_at for the initial state. */
static SimStatus start_steps(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = &model->problem;
  MechanismSteps *steps = work->own;
  const Expansion *expansion = steps->motion->expansion;
  DenseSolver *solver = &steps->solver.dense;
  double *load = level_of(model, work, LEVEL_B), *level = level_of(model, work, LEVEL_Q);
  SimStatus status = SIM_OK;
  memcpy(solver->matrix, expansion->mass, (size_t)p->d * (size_t)p->d * sizeof *solver->matrix);
  for (int i = 0; i < p->d; i++) {
    load[i] = load_of(model, steps, i, p->v0[i], &level[i], &status);
    solver->threshold[i] = p->v0[i] == 0 ? p->step * level[i] : 0;
    solver->projection_weight[i] = solver->threshold[i] > 0;
  }
  if (status == SIM_OK) status = dense_solver_factor(solver);
  const MoreauStart begin = {
      .solver = solver->diagonal ? NULL : &steps->solver, .stops = steps->stops, .level = level, .load = load};
  work->step.dense.factored = NULL;
  return status == SIM_OK ? moreau_start(model, work, &begin) : status;
}

static SimStatus start(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = &model->problem;
  double *force = level_of(model, work, LEVEL_FORCE);
  const double *f = load_start(p, work);
  for (int i = 0; i < p->d; i++) force[i] = (f ? f[i] : 0) + work->control_force[i];
  SimStatus status = look_at(model, work->own, 0, p->x0, p->v0, force);
  if (status == SIM_OK) status = start_steps(model, work);
  work->energy = (SimEnergy){0};
  if (status == SIM_OK) steps_begin(work);
  return status;
}

/* Whether the symmetric part of E is positive definite, so that the friction problem has one solution. */
static bool is_positive(const MechanismSteps *steps) {
  const DenseSolver *solver = &steps->solver.dense;
  int d = solver->d;
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++)
      steps->symmetric[i * d + j] = (solver->matrix[i * d + j] + solver->matrix[j * d + i]) / 2;
  return dense_factor(d, steps->symmetric) == 0;
}

/* Computes E, dt C and the right side of a step from v, after look_at at its middle q_m. */
static SimStatus assemble(const SimModel *model, SimWorkspace *work, MechanismSteps *steps, const double *v) {
  const Expansion *expansion = steps->motion->expansion;
  DenseSolver *solver = &steps->solver.dense;
  double dt = model->problem.step, reach = theta_of(model) * dt, *b = level_of(model, work, LEVEL_B);
  int d = solver->d;
  SimStatus status = SIM_OK;
  expansion_columns_loads(steps->columns, steps->by_q, steps->by_v);
  for (int k = 0; k < d * d; k++)
    solver->matrix[k] = expansion->mass[k] + dt * steps->by_v[k] + reach * reach * steps->by_q[k];
  for (int i = 0; i < d; i++) {
    double load = load_of(model, steps, i, v[i], &solver->threshold[i], &status);
    solver->threshold[i] *= dt;
    solver->projection_weight[i] = solver->threshold[i] > 0;
    b[i] = dense_dot(d, solver->matrix + i * d, v) + dt * load;
    if (!isfinite(b[i])) return SIM_NON_FINITE;
  }
  if (status != SIM_OK) return status;
  work->step.dense.factored = NULL; /* the matrix E has changed, so its old factors are not valid */
  if (!is_positive(steps)) return SIM_NOT_CONVERGED;
  status = dense_solver_factor(solver);
  return status == SIM_BAD_PROBLEM ? SIM_NOT_CONVERGED : status;
}

/* Computes v+, lambda, the directions of slip and q+ at the end of a step from q and v at its start. */
static SimStatus solve(const SimModel *model, SimWorkspace *work, MechanismSteps *steps, const double *q,
                       const double *v) {
  double dt = model->problem.step, theta = theta_of(model);
  const StopsStep at = {.solver = &steps->solver.dense,
                        .varies = true,
                        .theta = theta,
                        .ahead = theta * dt,
                        .behind = (1 - theta) * dt,
                        .b = level_of(model, work, LEVEL_B),
                        .x = q,
                        .v = v};
  SimStatus status =
      friction_solve(&steps->solver, &work->step, at.b, NULL, work->v, work->lambda, work->slip, &work->tally);
  for (int i = 0; i < model->problem.d; i++) work->x[i] = q[i] + (at.ahead * work->v[i] + at.behind * v[i]);
  if (!steps->stops || status != SIM_OK) return status;
  status = moreau_stops_step(steps->stops, model, work, &at);
  if (status == SIM_OK) moreau_stops_count(steps->stops, model, work);
  return status;
}

/* Returns the energy E of the mechanism and of elastic stops, in J. */
static double stored(const SimModel *model, const MechanismSteps *steps, double t, const double *q, const double *v) {
  const SimProblem *p = &model->problem;
  mechanism_motion_measure(p, steps->motion, steps->motion->energies, t, q, v);
  double sum = steps->motion->measured[ENERGY_VALUE];
  for (int i = 0; i < p->d && p->stops.present; i++) sum += stops_stored(&p->stops, i, q[i]);
  return sum;
}

/* Computes the energies of the solved step n, which began at q. The work of forces and of viscous friction in Q is
 * computed from their values at the step's end. The stored energy E is computed at both ends of a step only, so
 * `numerical` is the change of E that the other terms do not explain. power: -dL/dt in the step, in W. */
static SimStatus watch(const SimModel *model, SimWorkspace *work, long n, const double *q, double power) {
  const SimProblem *p = &model->problem;
  const MechanismSteps *steps = work->own;
  const Expansion *expansion = steps->motion->expansion;
  SimEnergy *energy = &work->energy;
  const double *force = level_of(model, work, LEVEL_FORCE);
  double dt = p->step, t = (double)n * dt;
  energy->work += dt * power;
  for (int i = 0; i < p->d; i++)
    energy->dissipated += work->v[i] * (steps->solver.dense.threshold[i] * work->lambda[i] + dt * steps->bias[i]);
  for (int i = 0; i < p->d && steps->stops; i++)
    if (stops_rigid(&p->stops, i)) energy->impacts += moreau_stops_loss(steps->stops, model, work, i);
  SimStatus status = look_at(model, steps, t, work->x, work->v, force);
  for (int i = 0; i < p->d; i++)
    energy->work += (work->x[i] - q[i]) * (force[i] + expansion_output(expansion, 2 * p->d + i, 0));
  energy->stored = stored(model, steps, t, work->x, work->v) - stored(model, steps, 0, p->x0, p->v0);
  energy->numerical = energy->work - energy->stored - energy->dissipated - energy->impacts;
  return status;
}

static SimStatus step(const SimModel *model, SimWorkspace *work, long n) {
  const SimProblem *p = &model->problem;
  MechanismSteps *steps = work->own;
  double *q = level_of(model, work, LEVEL_Q), *v = level_of(model, work, LEVEL_V), *middle = work->step.spare[0],
         *force = level_of(model, work, LEVEL_FORCE), reach = theta_of(model) * p->step;
  const StepForce f = load_step(model->plan, p, work, n, level_of(model, work, LEVEL_B));
  memcpy(q, work->x, (size_t)p->d * sizeof *q);
  memcpy(v, work->v, (size_t)p->d * sizeof *v);
  for (int i = 0; i < p->d; i++) {
    force[i] = step_force(&f, i) + work->control_force[i];
    middle[i] = q[i] + reach * v[i];
  }
  double t = (double)(n - 1) * p->step + reach;
  SimStatus status = look_at(model, steps, t, middle, v, force);
  double power = expansion_output(steps->motion->expansion, 3 * p->d, 0);
  if (status == SIM_OK) status = assemble(model, work, steps, v);
  if (status == SIM_OK) status = solve(model, work, steps, q, v);
  const SolvedStep solved = {.steps = steps, .t = t, .theta = theta_of(model), .middle = middle, .v = v};
  if (status == SIM_OK) status = steps_advance(model, work, n, &solved);
  if (status == SIM_OK && work->watched) status = watch(model, work, n, q, power);
  return status;
}

#define MOREAU_TAKES (SIM_HAS(DENSE) | SIM_HAS(SIGNAL) | SIM_HAS_STOPS)

const SimScheme sim_scheme_moreau_mechanism = {
    .name = "moreau",
    .sentence = "the Moreau-Jean theta scheme, linearly implicit: for stiff mechanisms and those with elastic stops",
    .kind = SIM_MECHANISM,
    .takes = MOREAU_TAKES,
    .derivatives = MOREAU_TAKES,
    .energies = true,
    .parameters = parameters,
    .parameters_size = sizeof(MoreauParameters),
    .prepare = prepare,
    .release = release,
    .scratch_vectors = LEVELS,
    .equip = equip,
    .equip_sensitivity = steps_equip_sensitivity,
    .equip_adjoint = steps_equip_adjoint,
    .resume = load_resume,
    .start = start,
    .step = step,
    .end_limit = end_limit,
};
