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
#include "sim/friction/moreau.h"
#include "sim/core/scheme.h"
#include "sim/law/friction_law.h"
#include "sim/operator/dense.h"

#include <math.h>
#include <stdlib.h>

/* Views into the workspace's scratch. */
typedef struct Rows {
  double *b, *product;         /* [d] */
  double *x_before, *v_before; /* [d] the state one step back */
  double *force;               /* [d] D v+ + C (lambda - gamma) */
} Rows;

static size_t scratch_size(const SimModel *model) { return 5 * (size_t)model->problem.d; }

static Rows rows(const SimModel *model, const SimWorkspace *work) {
  size_t d = (size_t)model->problem.d;
  double *s = work->scratch;
  return (Rows){s, s + d, s + 2 * d, s + 3 * d, s + 4 * d};
}

static int check(const SimProblem *p, const SimReport *report) {
  if (p->theta >= 0.5 && p->theta <= 1) return 0;
  return sim_complain(report, "scheme.theta", "%g (expected 1/2 <= theta <= 1)", p->theta);
}

static double step_matrix(const SimProblem *p, long i) {
  double reach = p->theta * p->step;
  return p->mass[i] + p->step * p->damping[i] + reach * reach * p->stiffness[i];
}

/* Half of E: an impulse dt C lambda acts on E v, where the centred scheme has dt/2 C lambda on its operator
 * times v. */
static void step_operator(const SimProblem *p, double *e) {
  for (long i = 0; i < (long)p->d * p->d; i++) e[i] = step_matrix(p, i) / 2;
}

static void release(SimModel *model) {
  MoreauPlan *plan = model->plan;
  if (!plan) return;
  step_solver_clear(&plan->solver);
  free(plan->carry);
  free(plan);
}

static SimStatus prepare(SimModel *model) {
  const SimProblem *p = &model->problem;
  size_t d = (size_t)p->d;
  MoreauPlan *plan = model->plan = calloc(1, sizeof *plan);
  if (!plan) return SIM_NO_MEMORY;
  plan->carry = calloc(2 * d * d + (size_t)p->steps * d, sizeof(double));
  if (!plan->carry || step_solver_init(&plan->solver, p->d)) return SIM_NO_MEMORY;
  plan->pull_back = plan->carry + d * d;
  plan->load = plan->pull_back + d * d;
  plan->ahead = p->step * p->theta;
  plan->behind = p->step * (1 - p->theta);

  for (long i = 0; i < (long)p->d * p->d; i++) {
    plan->solver.matrix[i] = step_matrix(p, i);
    plan->carry[i] = p->mass[i] - p->theta * (1 - p->theta) * p->step * p->step * p->stiffness[i];
    plan->pull_back[i] = p->step * p->stiffness[i];
  }
  for (int i = 0; i < p->d; i++) {
    plan->solver.threshold[i] = p->step * p->friction[i];
    plan->solver.pull[i] = p->r * p->friction[i];
  }
  plan->solver.kind = p->solver;
  plan->solver.tolerance = p->tolerance;
  for (long i = 0; i < p->steps * p->d; i++)
    plan->load[i] = p->step * (p->theta * p->force[i + p->d] + (1 - p->theta) * p->force[i]);
  return step_solver_factor(&plan->solver);
}

static SimStatus start(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = &model->problem;
  Rows at = rows(model, work);
  dense_multiply(p->d, p->stiffness, p->x0, at.product);
  for (int i = 0; i < p->d; i++) moreau_start(p, work, i, p->force[i] + work->push[i] - at.product[i]);
  work->energy = (SimEnergy){0};
  return SIM_OK;
}

/* With R = D v+ + C (lambda - gamma(v)) and v_theta = theta v+ + (1-theta) v, exactly:
 *   E+ - E = dt v_theta.(f_theta + B u) - dt v+.R - numerical,
 *   numerical = (theta - 1/2) (|v+ - v|^2_M + |x+ - x|^2_A) - (1-theta) dt (v+ - v).R
 * where E = (|v|^2_M + |x|^2_A)/2. x_before, v_before: the state one step back; force: R; f: [2][d] at
 * both ends. Overwrites x_before. */
static void watch(const SimModel *model, SimWorkspace *work, const double *f, double *x_before, const double *v_before,
                  const double *force, double *dv) {
  const SimProblem *p = &model->problem;
  int d = p->d;
  double dt = p->step, done = 0, lost = 0;
  for (int i = 0; i < d; i++) {
    dv[i] = work->v[i] - v_before[i];
    done += (p->theta * work->v[i] + (1 - p->theta) * v_before[i]) *
            (p->theta * f[d + i] + (1 - p->theta) * f[i] + work->push[i]);
    lost += dv[i] * force[i];
  }
  work->energy.work += dt * done;
  work->energy.dissipated += dt * dense_dot(d, work->v, force);
  for (int i = 0; i < d; i++) x_before[i] = work->x[i] - x_before[i];
  work->energy.numerical +=
      (p->theta - 0.5) * (dense_form(d, dv, p->mass, dv) + dense_form(d, x_before, p->stiffness, x_before)) -
      (1 - p->theta) * dt * lost;
  work->energy.stored = (dense_form(d, work->v, p->mass, work->v) - dense_form(d, p->v0, p->mass, p->v0) +
                         dense_form(d, work->x, p->stiffness, work->x) - dense_form(d, p->x0, p->stiffness, p->x0)) /
                        2;
}

static SimStatus step(const SimModel *model, SimWorkspace *work, long n) {
  const SimProblem *p = &model->problem;
  const MoreauPlan *plan = model->plan;
  Rows at = rows(model, work);
  const double *load = plan->load + (n - 1) * p->d;
  for (int i = 0; i < p->d; i++) {
    at.b[i] = load[i] + p->step * work->push[i];
    at.v_before[i] = work->v[i];
    at.x_before[i] = work->x[i];
  }
  sim_add_stribeck(p, p->step, work->v, at.b);
  for (int i = 0; i < p->d; i++) {
    const double *carry = plan->carry + i * p->d, *a = plan->pull_back + i * p->d;
    for (int j = 0; j < p->d; j++) at.b[i] += carry[j] * work->v[j] - a[j] * work->x[j];
  }
  SimStatus status =
      step_solve(&plan->solver, &work->step, at.b, NULL, work->v, work->lambda, work->slip, &work->tally);
  for (int i = 0; i < p->d; i++) work->x[i] += plan->ahead * work->v[i] + plan->behind * at.v_before[i];
  if (work->watched) {
    dense_multiply(p->d, p->damping, work->v, at.force);
    for (int i = 0; i < p->d; i++) at.force[i] += p->friction[i] * work->lambda[i];
    sim_add_stribeck(p, -1, at.v_before, at.force);
    watch(model, work, p->force + (n - 1) * p->d, at.x_before, at.v_before, at.force, at.product);
  }
  return status;
}

const SimScheme sim_scheme_moreau = {
    .name = "moreau",
    .kind = SIM_FRICTION,
    .keys = " theta multiplier r solver tolerance ",
    .multipliers = 1u << SIM_UNREGULARIZED,
    .default_multiplier = SIM_UNREGULARIZED,
    .lanes = LANES_MOREAU,
    .relaxation = 2,
    .check = check,
    .step_operator = step_operator,
    .prepare = prepare,
    .release = release,
    .scratch = scratch_size,
    .start = start,
    .step = step,
};
