/* The Moreau-Jean theta scheme, theta in [1/2, 1]:
 *
 *   M (v+ - v) + dt D v+ + dt A (theta x+ + (1-theta) x) + dt C (lambda - gamma(v)) = dt (f_theta + B u)
 *   x+ = x + dt (theta v+ + (1-theta) v),   lambda in sgn(v+),   f_theta = theta f+ + (1-theta) f
 *
 * that is, with E = M + dt D + theta^2 dt^2 A and one friction problem per step,
 *
 *   E v+ + dt C lambda = (M - theta (1-theta) dt^2 A) v - dt A x + dt (f_theta + B u + C gamma(v)).
 *
 * A dof that sticks has v+ = 0 exactly and then does not move at all. */
#include "sim/core/scheme.h"
#include "sim/core/scheme_rows.h"
#include "sim/core/springs.h"
#include "sim/core/stops.h"
#include "sim/core/surface.h"
#include "sim/core/threshold.h"
#include "sim/friction/moreau_step.h"
#include "sim/friction/moreau_stops.h"
#include "sim/friction/record.h"
#include "sim/friction/spring_step.h"
#include "sim/law/friction_force.h"
#include "sim/operator/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_VECTORS = 3 };

/* Views into the workspace's scratch, [count] each. */
typedef struct Levels {
  double *b;
  double *x_before, *v_before; /* the state one step back; x where the energies are wanted */
} Levels;

static Levels levels(const SimModel *model, const SimWorkspace *work) {
  size_t d = (size_t)model->problem.count;
  double *s = work->scratch;
  return (Levels){s, s + d, s + 2 * d};
}

typedef struct MoreauParameters {
  FrictionParameters friction;
  double theta; /* in [1/2, 1] */
} MoreauParameters;

static const SimChoice multipliers[] = {CHOICE_UNREGULARIZED, {0}};

static const SimParameter parameters[] = {
    SIM_ROW(MoreauParameters, theta, .forms = SIM_FORM_NUMBER, SIM_FROM_TO(0.5, 1), .preset = 0.5,
            .sentence = "weight of a step's end: 1/2 may gain or lose energy, more than that loses it"),
    ROW_MULTIPLIER(multipliers, SIM_UNREGULARIZED),
    ROW_R("2/(delta*step)", scheme_r_half),
    ROW_SOLVER,
    ROW_TOLERANCE,
    {0}};

/* factor E */
static OperatorSum step_matrix(const SimProblem *p, double factor) {
  const MoreauParameters *own = p->parameters;
  double reach = own->theta * p->step;
  return (OperatorSum){
      {{OPERATOR_MASS, factor}, {OPERATOR_DAMPING, factor * p->step}, {OPERATOR_STIFFNESS, factor * (reach * reach)}}};
}

/* Half of E: an impulse dt C lambda acts on E v, where the centred scheme has dt/2 C lambda on its operator
 * times v. */
static OperatorSum step_operator(const SimProblem *p) { return step_matrix(p, 0.5); }

static double rest_weight(const SimProblem *p) {
  const MoreauParameters *own = p->parameters;
  double reach = own->theta * p->step;
  return reach * reach;
}

static void release(SimModel *model) {
  MoreauPlan *plan = model->plan;
  if (!plan) return;
  operator_destroy(plan->scaled_stiffness);
  operator_destroy(plan->mass);
  operator_destroy(plan->stiffness);
  operator_destroy(plan->damping);
  operator_destroy(plan->matrix);
  operator_destroy(plan->carry);
  load_clear(&plan->load);
  friction_solver_clear(&plan->solver);
  free(plan);
}

/* alone: of A without the mean stiffness of springs with a law. */
static SimStatus create_operators(const SimProblem *p, const SimProblem *alone, MoreauPlan *plan) {
  double theta = plan->load.theta;
  const OperatorSum carry = {{{OPERATOR_MASS, 1}, {OPERATOR_STIFFNESS, -(theta * (1 - theta) * p->step * p->step)}}};
  SimStatus status = operator_create(p, operator_alone(OPERATOR_MASS), &plan->mass);
  if (status == SIM_OK) status = operator_create(alone, operator_alone(OPERATOR_STIFFNESS), &plan->stiffness);
  if (status == SIM_OK && operator_damped(p))
    status = operator_create(p, operator_alone(OPERATOR_DAMPING), &plan->damping);
  if (status == SIM_OK) status = operator_create(p, step_matrix(p, 1), &plan->matrix);
  if (status == SIM_OK) status = operator_create(p, carry, &plan->carry);
  if (status == SIM_OK) status = operator_scaled(plan->stiffness, p->step, &plan->scaled_stiffness);
  return status;
}

static SimStatus prepare(SimModel *model) {
  const SimProblem *p = &model->problem;
  const MoreauParameters *own = p->parameters;
  MoreauPlan *plan = model->plan = calloc(1, sizeof *plan);
  SimStatus status = plan ? load_init(&plan->load, p, p->step, own->theta) : SIM_NO_MEMORY;
  status = sim_group_agree(p->group, status);
  if (status == SIM_OK) status = create_operators(p, springs_alone(model->springs, p), plan);
  if (status != SIM_OK) return status;
  plan->dense_carry = operator_entries(plan->carry);
  plan->dense_stiffness = operator_entries(plan->scaled_stiffness);
  plan->ahead = p->step * own->theta;
  plan->behind = p->step * (1 - own->theta);
  plan->solver = (FrictionSolver){
      .law = {.friction = p->friction, .threshold = p->step, .projection_weight = own->friction.r, .fresh = 1},
      .kind = own->friction.solver,
      .tolerance = own->friction.tolerance};
  return friction_solver_init(&plan->solver, plan->matrix);
}

static SimStatus equip(const SimModel *model, SimWorkspace *work) {
  const MoreauPlan *plan = model->plan;
  SimStatus status = sim_group_agree(model->problem.group, load_equip(&model->problem, work));
  if (status == SIM_OK) status = friction_work_init(&work->step, 1, (const FrictionSolver *const[]){&plan->solver});
  const FrictionSolver *const solvers[] = {&plan->solver};
  if (status == SIM_OK) status = thresholds_equip(model, work, 1, solvers, (const double *const[]){NULL});
  return status == SIM_OK && model->problem.stops.present ? moreau_stops_equip(model, work) : status;
}

static SimStatus equip_sensitivity(const SimModel *model, SimSensitivity *sensitivity) {
  return friction_tangent_equip(model, &((const MoreauPlan *)model->plan)->solver, false, sensitivity);
}

static SimStatus equip_adjoint(const SimModel *model, SimAdjoint *adjoint) {
  const MoreauPlan *plan = model->plan;
  return friction_record_equip(model, 1, (const FrictionSolver *const[]){&plan->solver}, false, adjoint);
}

/* Dof i at t = 0. The scheme defines lambda from t_1 on; before that it is sign(v0), and at rest the static friction that
 * holds the load f + B u - (A x0)_i. */
static void start_dof(const SimProblem *p, SimWorkspace *work, int i, double load) {
  work->x[i] = p->x0[i];
  work->v[i] = p->v0[i];
  work->slip[i] = (signed char)friction_sign(p->v0[i]);
  work->lambda[i] = 0;
  if (!(p->friction[i] > 0)) return;
  work->lambda[i] = p->v0[i] != 0 ? friction_sign(p->v0[i]) : friction_project(load / p->friction[i]);
  if (p->v0[i] == 0 && fabs(load) > p->friction[i]) work->slip[i] = (signed char)friction_sign(load);
}

/* What rests at a rigid end and is pressed to it stays; friction takes all it can, the end the rest. */
static void start_at_end(const SimProblem *p, SimWorkspace *work, int i, double load) {
  int side = stops_touched(&p->stops, i, p->x0[i]);
  double left = side * load - p->friction[i];
  work->reaction[i] = 0;
  if (!side || !stops_rigid(&p->stops, i) || p->v0[i] != 0 || !(left > 0)) return;
  work->slip[i] = 0;
  work->reaction[i] = -side * left;
}

static SimStatus start(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = thresholds_move(model, work, 0);
  const MoreauPlan *plan = model->plan;
  double *spring = levels(model, work).b;
  const double *f = load_start(p, work);
  friction_forget(&work->step);
  operator_multiply(plan->stiffness, p->x0, spring);
  if (model->springs) springs_add_mean(model->springs, 0.5, 1, p->x0, p->x0, p->x0, spring);
  for (int i = 0; i < p->count; i++) {
    double load = (f ? f[i] : 0) + work->control_force[i] - thresholds_bias(work, i) - spring[i];
    start_dof(p, work, i, load);
    if (work->reaction) start_at_end(p, work, i, load);
  }
  work->energy = (SimEnergy){0};
  if (work->sensitivity) friction_tangent_start(model, work);
  if (work->adjoint) friction_record_start(model, work);
  return SIM_OK;
}

/* C (lambda - gamma), gamma at v_before, is added to force */
static void add_friction(const SimProblem *p, const SimWorkspace *work, const double *v_before, double *force) {
  for (int i = 0; i < p->count; i++) force[i] += p->friction[i] * work->lambda[i] + friction_bias(p, i);
  sim_add_stribeck(p, -1, v_before, force);
}

/* What is stored at t less what was at t = 0, J. Overwrites the levels. */
static double stored(const SimModel *model, SimWorkspace *work, double t) {
  const SimProblem *p = &model->problem;
  const MoreauPlan *plan = model->plan;
  Levels at = levels(model, work);
  const double *x = work->x, *v = work->v, *v0 = p->v0;
  double *product = work->step.spare[1];
  if (model->surface) {
    surface_show(model, t, x, v, at.x_before, at.v_before);
    surface_show(model, 0, p->x0, v0, work->step.spare[0], at.b);
    x = at.x_before;
    v = at.v_before;
    v0 = at.b;
  }
  double own = 0; /* of springs with a law, of elastic ends */
  if (model->springs) own = springs_stored(model->springs, x) - springs_stored(model->springs, p->x0);
  for (int i = 0; i < p->count && p->stops.present; i++) own += stops_stored(&p->stops, i, x[i]);
  if (model->springs) sim_group_sum(p->group, &own, 1);
  return own + (operator_form(plan->mass, v, product) - operator_form(plan->mass, v0, product) +
                operator_form(plan->stiffness, x, product) - operator_form(plan->stiffness, p->x0, product)) /
                   2;
}

/* Where surfaces move, x and v are y + W and y' + w, and the step in y and y' is one in x and v with the force
 *   M (w+ - w)/dt + (D - b) w+ + A W_theta - g_theta, and x+ = x + dt (v_theta + s),   s = (W+ - W)/dt - w_theta:
 * what the work of these and dt s.A x_theta bring in, J, 0 where w is constant. y, y' of t_{n-1}; overwrites b. */
static double brought_in(const SimModel *model, SimWorkspace *work, const SurfaceInstant *now,
                         const SurfaceInstant *past) {
  const SimProblem *p = &model->problem;
  const MoreauPlan *plan = model->plan;
  Levels at = levels(model, work);
  double *force = work->step.spare[0], *pull = work->step.spare[1], *way = at.b;
  double dt = p->step, theta = plan->load.theta, sum = 0;
  for (int i = 0; i < p->count; i++) way[i] = (now->speed[i] - past->speed[i]) / dt;
  operator_multiply(plan->mass, way, force);
  if (plan->damping) operator_add(plan->damping, now->speed, force);
  for (int i = 0; i < p->count; i++) way[i] = theta * now->path[i] + (1 - theta) * past->path[i];
  operator_add(plan->stiffness, way, force);
  for (int i = 0; i < p->count; i++) way[i] += theta * work->x[i] + (1 - theta) * at.x_before[i];
  operator_multiply(plan->stiffness, way, pull);
  for (int i = 0; i < p->count; i++) {
    double w = theta * now->speed[i] + (1 - theta) * past->speed[i];
    double v = theta * work->v[i] + (1 - theta) * at.v_before[i] + w;
    double g = theta * now->force[i] + (1 - theta) * past->force[i];
    sum += v * (force[i] - surface_drag(p, now->speed, i) - g) + ((now->path[i] - past->path[i]) / dt - w) * pull[i];
  }
  sim_group_sum(p->group, &sum, 1);
  return dt * sum;
}

/* With R = D v+ + C (lambda - gamma(v)) and v_theta = theta v+ + (1-theta) v, exactly:
 *   E+ - E = dt v_theta.(f_theta + B u) - dt v+.R - numerical,
 *   numerical = (theta - 1/2) (|v+ - v|^2_M + |x+ - x|^2_A) - (1-theta) dt (v+ - v).R
 * where E = (|v|^2_M + |x|^2_A)/2, and of springs with a law their potential and (theta - 1/2) (e+ - e).(g+ - g); of R's work the
 * surfaces do -dt w+.C (lambda - gamma), and `numerical` is less by what they bring in. Overwrites the levels. */
static void watch(const SimModel *model, SimWorkspace *work, const StepForce *f, long n) {
  const SimProblem *p = &model->problem;
  const MoreauPlan *plan = model->plan;
  Levels at = levels(model, work);
  const SurfaceInstant now = surface_instant(model, work, surface_time(p, n), 0),
                       past = surface_instant(model, work, surface_time(p, n - 1), 1);
  if (now.speed) work->energy.numerical -= brought_in(model, work, &now, &past);
  double *force = work->step.spare[0], *product = work->step.spare[1], *rub = at.b;
  double dt = p->step, theta = plan->load.theta, rough = 0;
  double sums[5] = {0}; /* v_theta.(f + B u), v+.R, (v+ - v).R, w+.C (lambda - gamma), and what friction gives back */
  for (int i = 0; i < p->count; i++) rub[i] = work->v[i] + surface_entry(now.speed, i);
  memset(force, 0, (size_t)p->count * sizeof *force);
  if (plan->damping) operator_multiply(plan->damping, rub, force);
  memset(rub, 0, (size_t)p->count * sizeof *rub);
  add_friction(thresholds_now(model, work), work, at.v_before, rub);
  for (int i = 0; i < p->count; i++) {
    force[i] += rub[i] - surface_drag(p, now.speed, i);
    sums[4] += fmax(-work->v[i] * rub[i], 0);
    if (now.speed && p->drags) rub[i] += p->viscous[i] * work->v[i];
  }
  for (int i = 0; i < p->count; i++) {
    double w = surface_entry(now.speed, i), v = work->v[i] + w, before = at.v_before[i] + surface_entry(past.speed, i),
           dv = v - before;
    double g = theta * surface_entry(now.force, i) + (1 - theta) * surface_entry(past.force, i);
    sums[0] +=
        (theta * v + (1 - theta) * before) * (step_force(f, i) + work->control_force[i] + friction_bias(p, i) + g);
    sums[1] += v * force[i];
    sums[2] += dv * force[i];
    sums[3] += w * rub[i];
    at.v_before[i] = dv;
  }
  sim_group_sum(p->group, sums, 5);
  work->energy.work += dt * sums[0];
  work->energy.dissipated += dt * (sums[1] - sums[3]);
  work->energy.negative_dissipation += dt * sums[4];
  work->energy.surface -= dt * sums[3];
  if (theta > 0.5 && model->springs) {
    rough = springs_rise(model->springs, at.x_before, work->x);
    sim_group_sum(p->group, &rough, 1);
  }
  for (int i = 0; i < p->count; i++)
    at.x_before[i] = work->x[i] - at.x_before[i] + (surface_entry(now.path, i) - surface_entry(past.path, i));
  if (theta > 0.5)
    rough += operator_form(plan->mass, at.v_before, product) + operator_form(plan->stiffness, at.x_before, product);
  work->energy.numerical += (theta - 0.5) * rough - (1 - theta) * dt * sums[2];
  work->energy.stored = stored(model, work, surface_time(p, n));
}

/* x+ = x + dt ((1-theta) v + theta v+), by which the springs' laws go. */
static SimStatus solve_with_springs(const SimModel *model, SimWorkspace *work) {
  const MoreauPlan *plan = model->plan;
  Levels at = levels(model, work);
  double *base = work->springs + SPRING_BASE * model->problem.count;
  for (int i = 0; i < model->problem.count; i++) base[i] = work->x[i] + plan->behind * at.v_before[i];
  const SpringStep way = {.from = work->x,
                          .to = base,
                          .about = work->x,
                          .to_rate = plan->ahead,
                          .theta = plan->load.theta,
                          .weight = model->problem.step};
  return spring_step_solve(model, &plan->solver, work, &way, at.b, work->v, &work->tally);
}

#define MOVE(d)                                                                                                        \
  for (int i = 0; i < (d); i++) moreau_move(plan, rows, 0, i, NULL)

static SimStatus step(const SimModel *model, SimWorkspace *work, long n) {
  const SimProblem *p = thresholds_move(model, work, surface_time(&model->problem, n));
  const MoreauPlan *plan = model->plan;
  Levels at = levels(model, work);
  const MoreauRows rows = {lane_rows(work->x), lane_rows(work->v), lane_rows(at.v_before)};
  double began = friction_clock(&work->step);
  const StepForce f = load_step(&plan->load, p, work, n, at.b);
  if (p->system.stribeck) sim_add_stribeck(p, p->step, work->v, at.b);
  for (int i = 0; i < p->count && work->thresholds; i++) at.b[i] -= p->step * p->friction_bias[i];
  operator_combine(f.load, plan->carry, work->v, plan->scaled_stiffness, work->x, at.b);
  memcpy(at.v_before, work->v, (size_t)p->count * sizeof(double));
  if (work->watched || work->reaction) memcpy(at.x_before, work->x, (size_t)p->count * sizeof(double));
  const FrictionSolver *solver = thresholds_solver(work, 0, &plan->solver);
  SimStatus status =
      model->springs ? solve_with_springs(model, work)
                     : friction_solve(solver, &work->step, at.b, NULL, work->v, work->lambda, work->slip, &work->tally);
  DENSE_SIZED(p->count, MOVE)
  if (work->reaction && status == SIM_OK) status = moreau_stops_step(model, work, at.b, at.x_before, at.v_before);
  if (work->sensitivity && status == SIM_OK) status = moreau_tangent_step(model, work, n, at.v_before);
  if (work->adjoint && status == SIM_OK) status = moreau_record_step(model, work, n, at.v_before);
  if (work->watched && work->reaction) moreau_stops_watch(model, work, &f, at.x_before, at.v_before);
  if (work->watched) watch(model, work, &f, n);
  if (work->step.profile) work->step.profile->steps += friction_clock(&work->step) - began;
  return status;
}

enum {
  MOREAU_TAKES = SIM_HAS_DENSE | SIM_HAS_SPARSE | SIM_HAS_RANKS | SIM_HAS_MANY | SIM_HAS_SIGNAL | SIM_HAS_DAMPING |
                 SIM_HAS_SKEW | SIM_HAS_VISCOUS | SIM_HAS_BIAS | SIM_HAS_COURSES | SIM_HAS_SURFACE | SIM_HAS_DROP |
                 SIM_HAS_EXPONENT | SIM_HAS_TABLE | SIM_HAS_STOPS | SIM_HAS_SPRINGS | SIM_HAS_FIXED_POINT
};

const SimScheme sim_scheme_moreau = {
    .name = "moreau",
    .kind = SIM_FRICTION,
    .sentence = "the Moreau-Jean theta scheme: what sticks does not move by one bit; when in doubt, this one",
    .takes = MOREAU_TAKES | SIM_HAS_ENERGY,
    .derivatives = MOREAU_TAKES,
    .parameters = parameters,
    .parameters_size = sizeof(MoreauParameters),
    .lanes = LANES_MOREAU,
    .rest_weight = rest_weight,
    .step_operator = step_operator,
    .prepare = prepare,
    .release = release,
    .scratch_vectors = N_VECTORS,
    .equip = equip,
    .equip_sensitivity = equip_sensitivity,
    .equip_adjoint = equip_adjoint,
    .resume = load_resume,
    .start = start,
    .step = step,
};
