/* SPDX-License-Identifier: BSD-2-Clause */
/* The splitting schemes. A step alternates between friction on V alone (friction_substep.h) and elasticity without
 * friction (elastic_step.h).
 *
 * `lie`, Shiau-Glowinski (2.5)-(2.9), Glowinski et al. (9)-(11): friction over dt in P substeps, then elasticity over
 * dt. First order. A dof that sticks against a spring creeps by O(dt), since the elastic step moves it. v is the
 * velocity after the whole step; for a dof that sticks it is exactly 0 only after the friction part.
 *
 * `strang`, Glowinski et al. (13)-(16): friction over dt/2 in P substeps, elasticity over dt, friction over dt/2 in P
 * substeps. A dof that sticks has v = 0 exactly at t_n. Friction steps are of first order, so the whole is of second
 * order only with friction substeps of O(dt^2).
 *
 * lambda is the mean over the step's friction substeps. The elastic step gives a dof that sticks against a spring a
 * velocity, so that the first substeps after it slip, and lambda of the last substep has no limit as dt -> 0. slip is
 * that of the last substep: 0 if friction has brought the velocity to zero. Such a dof sticks in the limit. */
#include "sim/splitting/splitting.h"

#include "sim/core/scheme.h"
#include "sim/core/surface_model.h"
#include "sim/core/thresholds.h"
#include "sim/joint/laws.h"
#include "sim/joint/stops.h"
#include "sim/law/friction_force.h"
#include "sim/operator/dense.h"
#include "sim/operator/massless.h"
#include "sim/splitting/derivatives.h"
#include "sim/splitting/elastic_laws.h"

#include <stdlib.h>
#include <string.h>

static int check(const SimProblem *p, const SimReport *report) {
  const SplittingParameters *own = p->parameters;
  bool smooth = own->friction.multiplier == SIM_SMOOTH;
  int mistakes = 0;
  if (smooth && own->eta == 0)
    mistakes += sim_complain(report, "scheme.eta", "missing (expected the width of the smooth multiplier, > 0 m/s)");
  return mistakes + massless_refuse_ends(p, report) + massless_refuse_dampers(p, report);
}

/* Returns an upper bound of the largest eigenvalue of M^-1 S, with S the stiffness by which A_MM decreases if dofs
 * without mass follow the others (elastic_step.h). */
static double followed(const SimProblem *p, double nu) {
  size_t square = (size_t)p->d * (size_t)p->d;
  if (!massless_present(p) || !dense_part(p, OPERATOR_STIFFNESS)) return massless_present(p) ? nu : 0;
  double most = nu, *part = calloc(2 * square, sizeof *part);
  if (part && massless_follow(p, part) == SIM_OK) {
    massless_part(p, p->system.mass, false, 1, part + square);
    if (dense_generalised_largest(p->d, part, part + square, &most) != SIM_OK) most = nu;
  }
  free(part);
  return fmin(fmax(most, 0), nu);
}

/* Returns the largest stable step, in s, by Shiau-Glowinski, section 5: tau2 = dt/Q < 1/sqrt((1/4 - alpha) nu), with nu
 * the largest eigenvalue of M^-1 A. If dofs without mass stick, S (elastic_step.h) adds to the stiffness but not to K,
 * and the condition is 1/tau2^2 > (1/4 - alpha) nu + alpha |M^-1 S|, for alpha up to 1/4. */
static double step_limit(const SimProblem *p, double nu) {
  const SplittingParameters *own = p->parameters;
  double alpha = fmin(own->alpha, 0.25), sum = (0.25 - alpha) * nu + (alpha > 0 ? alpha * followed(p, nu) : 0);
  return sum > 0 && !own->elastic ? own->elastic_substeps / sqrt(sum) : INFINITY;
}

/* Returns the largest step, in s, with strong damping: tau2 = dt/Q < 2/rate, with `rate` the norm of M^-1 D, in 1/s. An
 * elastic substep multiplies a damped velocity by (1 - tau2 rate/2)/(1 + tau2 rate/2), after it has moved x by tau2 (1
 * - tau2 rate/2) times the velocity. Beyond the limit x moves backward. */
static double damping_limit(const SimProblem *p, double rate) {
  return 2 * splitting_parameters(p)->elastic_substeps / rate;
}

/* Returns the number of friction substeps in a step. */
static int substeps(const SimProblem *p) { return p->scheme->runs * splitting_parameters(p)->friction_substeps; }

static long force_count(const SimProblem *p) { return p->steps * substeps(p) + 1; }
static double force_time(const SimProblem *p, long k) { return (double)k * p->step / substeps(p); }

/* Returns the operator E from which delta, the bound for the fixed-point iteration (SimBounds), is computed. The
 * iteration for lambda converges for 0 < rho < 2/(tau beta_d), (4.23), with beta_d the largest eigenvalue of M^-1 C^2.
 * This bound is 4/(delta dt) for the operator E = dt/(2 tau) M. */
static OperatorSum step_operator(const SimProblem *p) {
  return (OperatorSum){.term = {{OPERATOR_MASS, substeps(p) / 2.0}}};
}

/* Returns the largest step, in s, with elastic stops. They are treated explicitly, so tau2 = dt/Q must be below 2/rate,
 * with `rate` the frequency of the stiffest stop, in 1/s. */
static double end_limit(const SimProblem *p, double rate) { return damping_limit(p, rate); }

/* Returns the weight of springs with a law in the stability condition of a step. They are treated explicitly except for
 * their mean stiffness, and a substep is stable if tau^2 G'r G < 4 M. */
static double rest_weight(const SimProblem *p) {
  double tau = p->step / splitting_parameters(p)->elastic_substeps;
  return tau * tau / 4;
}

static SimStatus equip(const SimModel *model, SimWorkspace *work) {
  const SplittingPlan *plan = model->plan;
  const FrictionSubstep *substep = &plan->friction;
  const FrictionSolver solver = {
      .dense = substep->solver,
      .law = {.threshold = substep->tau, .projection_weight = splitting_parameters(&model->problem)->friction.r}};
  SimStatus status = thresholds_equip(model, work, plan->massless.light ? 2 : 1,
                                      (const FrictionSolver *const[]){&solver, &plan->massless.solver},
                                      (const double *const[]){NULL, plan->massless.light});
  return status == SIM_OK ? step_scratch_init(&work->step.dense, model->problem.d) : status;
}

static void release(SimModel *model) {
  SplittingPlan *plan = model->plan;
  if (!plan) return;
  friction_substep_clear(&plan->friction);
  elastic_step_clear(&plan->elastic);
  massless_step_clear(&plan->massless);
  free(plan->mobility);
  free(plan);
}

static SimStatus find_mobility(SplittingPlan *plan, const SimProblem *p) {
  size_t square = (size_t)p->d * (size_t)p->d;
  double *mass = malloc(square * sizeof *mass);
  plan->mobility = calloc(square, sizeof *plan->mobility);
  SimStatus status = mass && plan->mobility ? SIM_OK : SIM_NO_MEMORY;
  if (status == SIM_OK) memcpy(mass, p->system.mass, square * sizeof *mass);
  if (status == SIM_OK) status = massless_invert(p->d, plan->massless.light, mass, plan->mobility);
  free(mass);
  return status;
}

static SimStatus prepare(SimModel *model) {
  const SimProblem *p = &model->problem;
  SplittingPlan *plan = model->plan = calloc(1, sizeof *plan);
  if (!plan) return SIM_NO_MEMORY;
  plan->runs = p->scheme->runs;
  plan->substeps = splitting_parameters(p)->friction_substeps;
  SimStatus status = massless_step_init(&plan->massless, p, p->step / splitting_parameters(p)->elastic_substeps);
  const double *light = plan->massless.light;
  if (status == SIM_OK) status = friction_substep_init(&plan->friction, p, light, p->step / substeps(p));
  if (status == SIM_OK) status = elastic_step_init(&plan->elastic, p, light);
  return status == SIM_OK && p->stops.present ? find_mobility(plan, p) : status;
}

/* Sets lambda at t = 0: sign(v0) for a dof that moves. For a dof at rest it is the projection P of the static friction
 * that holds f + B u - A x0 - D v0 minus the load of a gear box; if M is not diagonal, the contributions of the other
 * dofs' accelerations are neglected. It is only passed to observers and used as the first iterate; the steps do not
 * depend on it otherwise. */
static SimStatus start(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = thresholds_move(model, work, 0, model->problem.x0);
  double *last = work->scratch, *spring = work->scratch + p->d, *damper = work->scratch + 2 * p->d;
  dense_multiply(p->d, springs_alone(model->springs, p)->system.stiffness, p->x0, spring);
  if (model->springs) springs_add_mean(model->springs, 0.5, 1, p->x0, p->x0, p->x0, spring);
  const double *v0 = p->v0;
  if (model->surface) {
    double *shown = work->surface + SHOWN_V * p->d;
    surface_show(model, 0, p->x0, v0, work->surface + SHOWN_X * p->d, shown);
    v0 = shown;
  }
  dense_multiply(p->d, p->system.damping, v0, damper);
  for (int i = 0; i < p->d; i++) {
    double threshold = friction_level(p, i), load = p->force[i] + work->control_force[i] - spring[i] - damper[i];
    load -= thresholds_bias(work, i);
    work->x[i] = p->x0[i];
    work->v[i] = p->v0[i];
    work->slip[i] = (signed char)friction_sign(p->v0[i]);
    if (!(threshold > 0))
      work->lambda[i] = 0;
    else
      work->lambda[i] = p->v0[i] != 0 ? friction_sign(p->v0[i]) : friction_project(load / threshold);
    last[i] = work->lambda[i];
  }
  work->energy = (SimEnergy){0};
  if (splitting_keeps(work)) splitting_derivatives_start(work);
  return thresholds_status(model, work);
}

int elastic_laws_place(const SimModel *model) {
  return model->problem.scheme->scratch_vectors - (int)ELASTIC_LAWS_SCRATCH;
}

/* Returns the energy stored at t minus that stored at t = 0, in J. room: [2][d] scratch. */
static double stored(const SimModel *model, const SimWorkspace *work, double t, double *room) {
  const SimProblem *p = &model->problem;
  const double *x = work->x, *v = work->v, *v0 = p->v0, *mass = p->system.mass,
               *stiffness = springs_alone(model->springs, p)->system.stiffness;
  if (model->surface) {
    double *shown = work->surface + SHOWN_X * p->d;
    surface_show(model, 0, p->x0, v0, shown, room + p->d);
    v0 = room + p->d;
    surface_show(model, t, x, v, shown, room);
    x = shown;
    v = room;
  }
  double laws = joint_stored(p, model->springs, x) - joint_stored(p, model->springs, p->x0);
  return laws + (dense_form(p->d, v, mass, v) - dense_form(p->d, v0, mass, v0) + dense_form(p->d, x, stiffness, x) -
                 dense_form(p->d, p->x0, stiffness, p->x0)) /
                    2;
}

/* The kinetic energy is that of y' + w, where w is the surfaces' speed: at the ends of a step the speed at that time,
 * within the step the speed in its middle. Adds the effect of this change of w on the energy to `numerical`. into: the
 * change is from w at t to w in the middle; otherwise the reverse. room: [d] scratch. */
static void change_speed(const SimModel *model, SimWorkspace *work, double t, bool into, double *room) {
  const SimProblem *p = &model->problem;
  const double *middle = surface_kept(model, work, 0).speed;
  double *end = work->surface + SHOWN_X * p->d, *change = work->surface + SHOWN_V * p->d, gained = 0;
  surface_at(p, t, NULL, end);
  for (int i = 0; i < p->d; i++) change[i] = middle[i] - end[i];
  dense_multiply(p->d, p->system.mass, change, room);
  for (int i = 0; i < p->d; i++) gained += (work->v[i] + (middle[i] + end[i]) / 2) * room[i];
  work->energy.numerical += into ? -gained : gained;
}

static SimStatus move_elastic(const SimModel *model, SimWorkspace *work, long n, double *room) {
  const SplittingPlan *plan = model->plan;
  if (elastic_laws_wanted(model)) return elastic_laws_run(model, work, n, room);
  elastic_step_run(&plan->elastic, model, work, room);
  return SIM_OK;
}

/* Performs the elastic step. Springs, dampers and stops are fixed to the ground, so with moving surfaces it uses x and
 * x' relative to the ground, where the surfaces move at their mean speed. massless_step.h moves dofs without mass and
 * stores their x. */
static SimStatus run_elastic(const SimModel *model, SimWorkspace *work, long n, double *room) {
  if (!model->surface) return move_elastic(model, work, n, room);
  const SimProblem *p = &model->problem;
  const double *speed = surface_kept(model, work, 0).speed,
               *light = ((const SplittingPlan *)model->plan)->massless.light;
  double *before = work->surface + SHOWN_X * p->d, *after = work->surface + SHOWN_V * p->d,
         *place = room + MASSLESS_PLACE * p->d;
  surface_at(p, surface_time(p, n - 1), before, NULL);
  surface_at(p, surface_time(p, n), after, NULL);
  for (int i = 0; i < p->d; i++) {
    int side = p->stops.present && stops_rigid(&p->stops, i) ? stops_touched(&p->stops, i, work->x[i], before[i]) : 0;
    /* a dof at a stop gets exactly the position of the stop */
    work->x[i] = side ? stops_end(&p->stops, i, side) : work->x[i] + before[i];
    if (!(surface_entry(light, i) > 0)) work->v[i] += speed[i];
  }
  SimStatus status = move_elastic(model, work, n, room);
  for (int i = 0; i < p->d; i++) {
    bool stays = surface_entry(light, i) > 0;
    work->x[i] = stays ? place[i] : work->x[i] - after[i];
    if (!stays) work->v[i] -= speed[i];
  }
  return status;
}

/* Returns the surfaces' speed at the beginning of a step; NULL: no surface moves. */
static const double *begin_speed(const SimModel *model, SimWorkspace *work, long n) {
  double *speed = work->surface + SHOWN_V * model->problem.d;
  if (!model->surface) return NULL;
  surface_at(&model->problem, surface_time(&model->problem, n - 1), NULL, speed);
  return speed;
}

static void end_at_stops(const SimModel *model, SimWorkspace *work, long n) {
  const SplittingPlan *plan = model->plan;
  double *path = model->surface ? work->surface + SHOWN_X * model->problem.d : NULL,
         *speed = model->surface ? work->surface + SHOWN_V * model->problem.d : NULL;
  if (model->surface) surface_at(&model->problem, surface_time(&model->problem, n), path, speed);
  elastic_laws_end(model, plan->mobility, work, path, speed);
}

static SimStatus step(const SimModel *model, SimWorkspace *work, long n) {
  const SimProblem *p = &model->problem;
  const SplittingPlan *plan = model->plan;
  double *last = work->scratch, *room = work->scratch + p->d;
  const double *f = p->force + ((n - 1) * substeps(p) + 1) * p->d;
  SimStatus status = SIM_OK;
  if (splitting_keeps(work)) splitting_derivatives_begin(work, n);
  memset(work->lambda, 0, (size_t)p->d * sizeof(double));
  if (model->surface) surface_instant(model, work, ((double)n - 0.5) * p->step, 0);
  if (work->reaction) elastic_laws_begin(model, work, begin_speed(model, work, n));
  const bool accounts = model->surface && work->watched;
  if (accounts) change_speed(model, work, surface_time(p, n - 1), true, room);
  if (plan->massless.light) massless_step_begin(&plan->massless, work, room);
  for (int run = 0; run < plan->runs && status == SIM_OK; run++, f += (long)plan->substeps * p->d) {
    double t = ((double)n - 1 + (double)run / plan->runs) * p->step;
    status = friction_substep_run(&plan->friction, model, work, t, f, plan->substeps, last, room);
    if (status == SIM_OK) status = thresholds_status(model, work);
    if (status == SIM_OK && run == 0) status = run_elastic(model, work, n, room);
  }
  if (accounts) change_speed(model, work, surface_time(p, n), false, room);
  if (work->reaction) end_at_stops(model, work, n);
  for (int i = 0; i < p->d; i++) work->lambda[i] /= plan->runs * plan->substeps;
  if (plan->massless.light) massless_step_end(&plan->massless, work, room);
  if (work->watched) work->energy.stored = stored(model, work, surface_time(p, n), room);
  if (splitting_keeps(work) && status == SIM_OK) status = splitting_derivatives_step(model, work, n);
  return status;
}

static const SimChoice multipliers[] = {CHOICE_UNREGULARIZED, CHOICE_SMOOTH, {0}};
static const SimChoice elastics[] = {{"difference", false, "by the centred scheme, in elastic_substeps"},
                                     {"exact", true, "by eigenvectors; without damping alone"},
                                     {0}};

#define ROWS(default_substeps, text)                                                                                   \
  {                                                                                                                    \
    ROW_ALPHA(SplittingParameters), ROW_MULTIPLIER(multipliers, SIM_UNREGULARIZED),                                    \
        ROW_R("3/(delta*step)", scheme_r_three_quarters), ROW_SOLVER, ROW_TOLERANCE,                                   \
        SIM_ROW(SplittingParameters, friction_substeps, .forms = SIM_FORM_INTEGER, SIM_FROM_TO(1, 1000000),            \
                .preset = (default_substeps), .sentence = (text)),                                                     \
        SIM_ROW(SplittingParameters, elastic_substeps, .forms = SIM_FORM_INTEGER, SIM_FROM_TO(1, 1000000),             \
                .preset = 2, .sentence = "steps of the elastic part in a step"),                                       \
        SIM_ROW(SplittingParameters, elastic, .forms = SIM_FORM_CHOICE, .choices = elastics,                           \
                .sentence = "how the elastic part is solved"),                                                         \
        SIM_ROW(SplittingParameters, eta, .forms = SIM_FORM_FORMULA, .variables = SCHEME_VARIABLES, SIM_ABOVE(0),      \
                .zero_is_none = true, .unit = "m/s", .default_text = "none: to be given with multiplier: smooth",      \
                .sentence = "width of the smooth multiplier"),                                                         \
    {                                                                                                                  \
      0                                                                                                                \
    }                                                                                                                  \
  }
static const SimParameter lie_parameters[] = ROWS(10, "steps of the friction part in a step");
static const SimParameter strang_parameters[] =
    ROWS(5, "steps of the friction part in half a step; of second order if they shrink as step^2");

#define SPLITTING_TAKES                                                                                                \
  (SIM_HAS(DENSE) | SIM_HAS(SPARSE) | SIM_HAS(MANY) | SIM_HAS(SIGNAL) | SIM_HAS(DAMPING) | SIM_HAS(SKEW) |             \
   SIM_HAS(MASSLESS) | SIM_HAS(VISCOUS) | SIM_HAS(BIAS) | SIM_HAS(COURSES) | SIM_HAS(RISE) | SIM_HAS(SURFACE) |        \
   SIM_HAS(DROP) | SIM_HAS(EXPONENT) | SIM_HAS(LAW) | SIM_HAS(TABLE) | SIM_HAS_STOPS | SIM_HAS_SPRINGS |               \
   SIM_HAS(GEARBOX) | SIM_HAS(SMOOTH) | SIM_HAS(FIXED_POINT) | SIM_HAS(MODES))
#define SPLITTING_TOGETHER                                                                                             \
  (TOGETHER(RISE_STOPS) | TOGETHER(BIAS_GEARBOX) | TOGETHER(COURSES_GEARBOX) | TOGETHER(RISE_GEARBOX) |                \
   TOGETHER(STOPS_SURFACE) | TOGETHER(STOPS_SPRINGS) | TOGETHER(MASSLESS_RISE) | TOGETHER(STOPS_FIXED_POINT) |         \
   TOGETHER(SPRINGS_FIXED_POINT))

#define SPLITTING_SCHEME                                                                                               \
  .kind = SIM_FRICTION, .takes = SPLITTING_TAKES, .energies = true, .together = SPLITTING_TOGETHER,                    \
  .derivatives = SPLITTING_TAKES, .parameters_size = sizeof(SplittingParameters), .splits = true, .entries = true,     \
  .lanes = LANES_SPLITTING, .force_count = force_count, .force_time = force_time, .check = check,                      \
  .step_limit = step_limit, .damping_limit = damping_limit, .step_operator = step_operator, .prepare = prepare,        \
  .release = release, .rest_weight = rest_weight, .end_limit = end_limit,                                              \
  .scratch_vectors = 1 + (int)MASSLESS_STEP_SCRATCH + (int)ELASTIC_LAWS_SCRATCH, .equip = equip,                       \
  .equip_sensitivity = splitting_equip_sensitivity, .equip_adjoint = splitting_equip_adjoint, .start = start,          \
  .step = step

const SimScheme sim_scheme_lie = {
    SPLITTING_SCHEME, .name = "lie", .runs = 1, .parameters = lie_parameters,
    .sentence = "Lie splitting of Shiau and Glowinski, friction and elasticity in turn: first order"};

const SimScheme sim_scheme_strang = {
    SPLITTING_SCHEME, .name = "strang", .runs = 2, .parameters = strang_parameters,
    .sentence = "Strang splitting of Glowinski et al., friction, elasticity, friction in turn"};
