/* The centred scheme of Glowinski-Kearsley (1.1)-(1.19), with viscous damping at the centred velocity:
 *
 *   M (x+ - 2x + x-)/dt^2 + D (x+ - x-)/(2dt) + A (alpha x+ + (1-2alpha) x + alpha x-) + C (lambda - gamma) = f + B u
 *
 * solved for w = x+ - x-, so that a stuck dof has w = 0 and x+ = x- exactly:
 *
 *   (K + dt/2 D) w + dt^2 C lambda = dt^2 (f + B u - A x + C gamma) + 2 K (x - x-),   K = M + dt^2 alpha A
 *
 * gamma is taken at the last centred velocity known. v^n = w/(2dt), so a rollout takes one step past T. */
#include "sim/friction/centered.h"
#include "sim/core/scheme.h"
#include "sim/law/friction_law.h"
#include "sim/operator/dense.h"

#include <math.h>
#include <stdlib.h>

enum { N_LEVELS = 7, N_ENERGY = 4 };

static size_t scratch_size(const SimModel *model) { return N_LEVELS * (size_t)model->problem.d + N_ENERGY; }

CenteredLevels centered_levels(const SimModel *model, const SimWorkspace *work) {
  size_t d = (size_t)model->problem.d;
  double *s = work->scratch;
  return (CenteredLevels){s, s + d, s + 2 * d, s + 3 * d, s + 4 * d, s + 5 * d, s + 6 * d, s + 7 * d};
}

static int check(const SimProblem *p, const SimReport *report) {
  if (p->alpha >= 0 && p->alpha <= 0.5) return 0;
  return sim_complain(report, "scheme.alpha", "%g (expected 0 <= alpha <= 1/2)", p->alpha);
}

static double step_limit(const SimProblem *p, double nu) {
  return p->alpha < 0.25 && nu > 0 ? 1 / sqrt((0.25 - p->alpha) * nu) : INFINITY;
}

static void inertia(const SimProblem *p, double *k) {
  for (long i = 0; i < (long)p->d * p->d; i++) k[i] = p->mass[i] + p->step * p->step * p->alpha * p->stiffness[i];
}

static void step_operator(const SimProblem *p, double *e) {
  inertia(p, e);
  for (long i = 0; i < (long)p->d * p->d; i++) e[i] += p->step / 2 * p->damping[i];
}

static void release(SimModel *model) {
  CenteredPlan *plan = model->plan;
  if (!plan) return;
  free(plan->twice_inertia);
  step_solver_clear(&plan->first);
  step_solver_clear(&plan->moving);
  free(plan);
}

/* n = 0. A dof that moves has lambda = sign(v0), explicit. One at rest starts in the friction law's own branch with
 * start `consistent`: as lambda^0 = P((f^0 + B u - A x0)/c), but with the coupling by M, D and gamma that the steps have,
 * too, so that what sticks at n = 0 sticks at n = 1. With `paper` it has lambda^0 = 0, whatever loads it. */
static void plan_first_step(const SimProblem *p, CenteredPlan *plan) {
  inertia(p, plan->first.matrix);
  for (int i = 0; i < p->d; i++)
    if (p->start == SIM_START_CONSISTENT && p->v0[i] == 0)
      plan->first.threshold[i] = p->step * p->step / 2 * p->friction[i];
}

static void plan_moving_step(const SimProblem *p, StepSolver *moving) {
  step_operator(p, moving->matrix);
  for (int i = 0; i < p->d; i++) {
    moving->threshold[i] = p->step * p->step * p->friction[i];
    moving->pull[i] = p->r / (2 * p->step) * p->friction[i];
  }
  moving->kind = p->solver;
  moving->tolerance = p->tolerance;
  if (p->multiplier == SIM_REGULARIZED) {
    moving->fresh = p->step / (p->epsilon + p->step);
    moving->kept = 1 - moving->fresh;
  }
}

static SimStatus prepare(SimModel *model) {
  const SimProblem *p = &model->problem;
  CenteredPlan *plan = model->plan = calloc(1, sizeof *plan);
  if (!plan) return SIM_NO_MEMORY;
  size_t d = (size_t)p->d;
  plan->twice_inertia = calloc(2 * d * d + (size_t)(p->steps + 1) * d, sizeof(double));
  if (!plan->twice_inertia || step_solver_init(&plan->first, p->d) || step_solver_init(&plan->moving, p->d))
    return SIM_NO_MEMORY;
  plan->pull_back = plan->twice_inertia + d * d;
  plan->load = plan->pull_back + d * d;
  plan->square = p->step * p->step;
  plan->rate = 1 / (2 * p->step);
  inertia(p, plan->twice_inertia);
  for (size_t i = 0; i < d * d; i++) {
    plan->twice_inertia[i] *= 2;
    plan->pull_back[i] = plan->square * p->stiffness[i];
  }
  for (size_t i = 0; i < (size_t)(p->steps + 1) * d; i++) plan->load[i] = plan->square * p->force[i];
  plan_first_step(p, plan);
  plan_moving_step(p, &plan->moving);
  SimStatus status = step_solver_factor(&plan->first);
  return status == SIM_OK ? step_solver_factor(&plan->moving) : status;
}

/* The scheme's own energy at n + 1/2: |x+ - x|^2_M / (2dt^2) + (alpha (|x+|^2_A + |x|^2_A) + (1-2alpha) x'A
 * x+) / 2. */
static double half_step_energy(const SimProblem *p, const double *x, const double *next, double *difference) {
  int d = p->d;
  for (int i = 0; i < d; i++) difference[i] = (next[i] - x[i]) / p->step;
  double elastic = p->alpha * (dense_form(d, next, p->stiffness, next) + dense_form(d, x, p->stiffness, x)) +
                   (1 - 2 * p->alpha) * dense_form(d, x, p->stiffness, next);
  return (dense_form(d, difference, p->mass, difference) + elastic) / 2;
}

/* E^{n+1/2} - E^{n-1/2} = dt v.(f + B u) - dt v.(D v + C (lambda - gamma)) exactly; integrated by the
 * trapezoidal rule to whole steps, E^n = (E^{n-1/2} + E^{n+1/2})/2, so the balance closes to the accuracy of
 * the step's solution. friction: [d] C (lambda - gamma) at n. */
static void watch(const SimModel *model, SimWorkspace *work, long n, const double *friction) {
  const SimProblem *p = &model->problem;
  CenteredLevels at = centered_levels(model, work);
  double *energy_half = &at.energy[0], *energy_start = &at.energy[1];
  double *work_before = &at.energy[2], *dissipated_before = &at.energy[3];
  const double *f = p->force + n * p->d;
  double work_now = 0, dissipated_now = dense_dot(p->d, work->v, friction);
  for (int i = 0; i < p->d; i++) work_now += work->v[i] * (f[i] + work->push[i]);
  dissipated_now += dense_form(p->d, work->v, p->damping, work->v);
  work_now *= p->step;
  dissipated_now *= p->step;
  double energy_next = half_step_energy(p, at.now, at.after, at.difference);
  if (n == 0) {
    *energy_half = half_step_energy(p, at.before, at.now, at.difference);
    *energy_start = (*energy_half + energy_next) / 2;
    work->energy = (SimEnergy){0};
  } else {
    work->energy.work += (*work_before + work_now) / 2;
    work->energy.dissipated += (*dissipated_before + dissipated_now) / 2;
    work->energy.stored = (*energy_half + energy_next) / 2 - *energy_start;
  }
  *energy_half = energy_next;
  *work_before = work_now;
  *dissipated_before = dissipated_now;
}

static void publish(const SimModel *model, SimWorkspace *work, long n, const double *gamma_velocity) {
  const SimProblem *p = &model->problem;
  CenteredLevels at = centered_levels(model, work);
  for (int i = 0; i < p->d; i++) work->x[i] = at.now[i];
  if (!work->watched) return;
  for (int i = 0; i < p->d; i++) at.b[i] = p->friction[i] * work->lambda[i];
  sim_add_stribeck(p, -1, gamma_velocity, at.b);
  watch(model, work, n, at.b);
}

/* (2/dt^2) K (x^1 - x^0 - dt v0) + D v0 + A x0 + C (lambda^0 - gamma(v0)) = f^0 + B u: (1.1) at n = 0 with
 * x^{-1} = x^1 - 2dt v0, (1.4). */
static SimStatus start(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = &model->problem;
  const CenteredPlan *plan = model->plan;
  CenteredLevels at = centered_levels(model, work);
  double half = p->step * p->step / 2;
  dense_multiply(p->d, p->stiffness, p->x0, at.product);
  dense_multiply(p->d, p->damping, p->v0, at.difference);
  for (int i = 0; i < p->d; i++) {
    work->lambda[i] = p->friction[i] > 0 ? friction_sign(p->v0[i]) : 0;
    at.b[i] = p->force[i] + work->push[i] - at.product[i] - at.difference[i] - p->friction[i] * work->lambda[i];
  }
  sim_add_stribeck(p, 1, p->v0, at.b);
  for (int i = 0; i < p->d; i++) {
    at.b[i] *= half;
    at.difference[i] = 0;
    at.product[i] = 0;
  }
  double *z = at.difference, *lambda = at.product;
  StepTally first = {0}; /* not one of the paper's iterations */
  SimStatus status = step_solve(&plan->first, &work->step, at.b, NULL, z, lambda, work->slip, &first);
  for (int i = 0; i < p->d; i++) {
    if (p->v0[i] != 0)
      work->slip[i] = (signed char)friction_sign(p->v0[i]);
    else
      work->lambda[i] = lambda[i];
    work->v[i] = p->v0[i];
    at.now[i] = p->x0[i];
    at.after[i] = p->x0[i] + p->step * p->v0[i] + z[i];
    at.w[i] = 2 * p->step * p->v0[i];
    at.before[i] = at.after[i] - at.w[i];
  }
  publish(model, work, 0, p->v0);
  return status;
}

static SimStatus step(const SimModel *model, SimWorkspace *work, long n) {
  const SimProblem *p = &model->problem;
  const CenteredPlan *plan = model->plan;
  CenteredLevels at = centered_levels(model, work);
  const double *load = plan->load + n * p->d;
  for (int i = 0; i < p->d; i++) {
    at.before[i] = at.now[i];
    at.now[i] = at.after[i];
    at.difference[i] = at.now[i] - at.before[i];
    at.b[i] = load[i] + plan->square * work->push[i];
  }
  sim_add_stribeck(p, plan->square, work->v, at.b);
  for (int i = 0; i < p->d; i++) {
    const double *k = plan->twice_inertia + i * p->d, *a = plan->pull_back + i * p->d;
    for (int j = 0; j < p->d; j++) at.b[i] += k[j] * at.difference[j] - a[j] * at.now[j];
  }

  SimStatus status =
      step_solve(&plan->moving, &work->step, at.b, at.before, at.w, work->lambda, work->slip, &work->tally);
  for (int i = 0; i < p->d; i++) {
    at.difference[i] = work->v[i]; /* the velocity gamma was taken at */
    at.after[i] = at.before[i] + at.w[i];
    work->v[i] = plan->rate * at.w[i];
  }
  publish(model, work, n, at.difference);
  return status;
}

const SimScheme sim_scheme_centered = {
    .name = "centered",
    .kind = SIM_FRICTION,
    .keys = " alpha start multiplier epsilon r solver tolerance ",
    .multipliers = 1u << SIM_UNREGULARIZED | 1u << SIM_REGULARIZED,
    .default_multiplier = SIM_REGULARIZED,
    .lanes = LANES_CENTERED,
    .span = SPAN_CENTRED,
    .relaxation = 2,
    .check = check,
    .step_limit = step_limit,
    .step_operator = step_operator,
    .prepare = prepare,
    .release = release,
    .scratch = scratch_size,
    .start = start,
    .step = step,
};
