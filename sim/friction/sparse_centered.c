/* The centred scheme of Glowinski-Kearsley with sparse matrices; the equations are scheme_centered.c's. Two levels are
 * kept: x^n, and `other`, x^{n+1} after a step and x^{n-1} within one. */
#include "sim/core/model.h"
#include "sim/core/scheme.h"
#include "sim/law/friction_law.h"
#include "sim/step/sparse_step.h"

#include <math.h>
#include <stdlib.h>

typedef struct Plan {
  SparseOperator *mass, *stiffness, *damping; /* damping: NULL without */
  SparseOperator *inertia;                    /* K = M + dt^2 alpha A */
  SparseOperator *matrix;                     /* E = K + dt/2 D; NULL: it is K */
  SparseStepLaw moving;                       /* n > 0: for w = x^{n+1} - x^{n-1} */
} Plan;

/* Views into the workspace's scratch. */
typedef struct Rows {
  double *other, *b, *z;
  double *energy; /* [4] E^{n+1/2}, E^0, and the work and dissipation of step n: see watch() */
} Rows;

enum { N_VECTORS = 3, N_ENERGY = 4 };

static size_t scratch_size(const SimModel *model) { return N_VECTORS * (size_t)model->problem.sparse.count + N_ENERGY; }

static Rows rows(const SimModel *model, const SimWorkspace *work) {
  size_t count = (size_t)model->problem.sparse.count;
  double *s = work->scratch;
  return (Rows){s, s + count, s + 2 * count, s + 3 * count};
}

static int check(const SimProblem *p, const SimReport *report) { return sim_scheme_centered.check(p, report); }

static double step_limit(const SimProblem *p, double nu) { return sim_scheme_centered.step_limit(p, nu); }

static void release(SimModel *model) {
  Plan *plan = model->plan;
  if (!plan) return;
  sparse_operator_destroy(plan->mass);
  sparse_operator_destroy(plan->stiffness);
  sparse_operator_destroy(plan->damping);
  sparse_operator_destroy(plan->inertia);
  sparse_operator_destroy(plan->matrix);
  free(plan);
}

static SimStatus prepare(SimModel *model) {
  const SimProblem *p = &model->problem;
  Plan *plan = model->plan = calloc(1, sizeof *plan);
  SparseWeights inertia = {.mass = 1, .stiffness = p->step * p->step * p->alpha}, matrix = inertia;
  matrix.damping = p->step / 2;
  SimStatus status = sim_group_agree(p->sparse.group, plan ? SIM_OK : SIM_NO_MEMORY);
  if (status == SIM_OK) status = sparse_operator_create(p, (SparseWeights){.mass = 1}, &plan->mass);
  if (status == SIM_OK) status = sparse_operator_create(p, (SparseWeights){.stiffness = 1}, &plan->stiffness);
  if (status == SIM_OK) status = sparse_operator_create(p, inertia, &plan->inertia);
  if (status == SIM_OK && sparse_damped(p)) {
    status = sparse_operator_create(p, (SparseWeights){.damping = 1}, &plan->damping);
    if (status == SIM_OK) status = sparse_operator_create(p, matrix, &plan->matrix);
  }
  if (status != SIM_OK) return status;
  SparseLaw law = {.friction = p->friction, .threshold = p->step * p->step, .pull = p->r / (2 * p->step), .fresh = 1};
  if (p->multiplier == SIM_REGULARIZED) {
    law.fresh = p->step / (p->epsilon + p->step);
    law.kept = 1 - law.fresh;
  }
  plan->moving = (SparseStepLaw){.law = law, .kind = p->solver, .tolerance = p->tolerance};
  return SIM_OK;
}

static SimStatus equip(const SimModel *model, SimWorkspace *work) {
  const Plan *plan = model->plan;
  return sparse_work_create(model, plan->matrix ? plan->matrix : plan->inertia, plan->matrix ? plan->inertia : NULL,
                            &work->sparse);
}

static double dot(const SimProblem *p, const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < p->sparse.count; i++) sum += x[i] * y[i];
  sim_group_sum(p->sparse.group, &sum, 1);
  return sum;
}

/* The scheme's own energy at n + 1/2: |x+ - x|^2_M / (2dt^2) + (alpha (|x+|^2_A + |x|^2_A) + (1-2alpha) x'A x+) / 2. */
static double half_step_energy(const SimModel *model, SparseWork *sparse, const double *x, const double *next) {
  const SimProblem *p = &model->problem;
  const Plan *plan = model->plan;
  double *difference = sparse->spare[0], *product = sparse->spare[1];
  for (int i = 0; i < p->sparse.count; i++) difference[i] = (next[i] - x[i]) / p->step;
  double kinetic = sparse_form(plan->mass, difference, product);
  double elastic = p->alpha * (sparse_form(plan->stiffness, x, product) + sparse_form(plan->stiffness, next, product));
  elastic += (1 - 2 * p->alpha) * dot(p, x, product);
  return (kinetic + elastic) / 2;
}

/* The balance of scheme_centered.c's watch(). f: f^n less what work->push has; before: x^{-1}, for n = 0 alone. */
static void watch(const SimModel *model, SimWorkspace *work, long n, const double *f, const double *before) {
  const SimProblem *p = &model->problem;
  const Plan *plan = model->plan;
  Rows at = rows(model, work);
  double *energy_half = &at.energy[0], *energy_start = &at.energy[1];
  double *work_before = &at.energy[2], *dissipated_before = &at.energy[3], now[2] = {0};
  for (int i = 0; i < p->sparse.count; i++) {
    now[0] += work->v[i] * (work->push[i] + (f ? f[i] : 0));
    now[1] += work->v[i] * p->friction[i] * work->lambda[i];
  }
  sim_group_sum(p->sparse.group, now, 2);
  if (plan->damping) now[1] += sparse_form(plan->damping, work->v, work->sparse->spare[0]);
  double energy_next = half_step_energy(model, work->sparse, work->x, at.other);
  if (n == 0) {
    *energy_half = half_step_energy(model, work->sparse, before, work->x);
    *energy_start = (*energy_half + energy_next) / 2;
    work->energy = (SimEnergy){0};
  } else {
    work->energy.work += p->step * (*work_before + now[0]) / 2;
    work->energy.dissipated += p->step * (*dissipated_before + now[1]) / 2;
    work->energy.stored = (*energy_half + energy_next) / 2 - *energy_start;
  }
  *energy_half = energy_next;
  *work_before = now[0];
  *dissipated_before = now[1];
}

/* The branches at n = 0: see plan_first_step of scheme_centered.c. b: the right side; c: the thresholds that hold. */
static void choose_first_branches(const SimProblem *p, SimWorkspace *work, const double *b, double *c) {
  for (int i = 0; i < p->sparse.count; i++) {
    c[i] = p->start == SIM_START_CONSISTENT && p->v0[i] == 0 ? p->friction[i] : 0;
    double q = p->step * p->step / 2 * c[i];
    work->slip[i] = (signed char)(fabs(b[i]) > q ? friction_sign(b[i]) : 0);
  }
}

static SimStatus start(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = &model->problem;
  const Plan *plan = model->plan;
  SparseWork *sparse = work->sparse;
  Rows at = rows(model, work);
  int count = p->sparse.count;
  double dt = p->step, half = dt * dt / 2;
  sparse_load_start(p, work);
  const double *f = sparse->force[1];
  sparse_multiply(plan->stiffness, p->x0, at.b);
  if (plan->damping) sparse_add(plan->damping, p->v0, at.b);
  for (int i = 0; i < count; i++) {
    double lambda = p->friction[i] > 0 ? friction_sign(p->v0[i]) : 0;
    at.b[i] = half * (work->push[i] + (f ? f[i] : 0) - at.b[i] - p->friction[i] * lambda);
    work->v[i] = work->lambda[i] = 0;
  }
  choose_first_branches(p, work, at.b, at.z);
  SparseSolver *solver = sparse->solver[1] ? sparse->solver[1] : sparse->solver[0];
  SparseStepLaw first = {.law = {.friction = at.z, .threshold = half, .fresh = 1}, .kind = SIM_EXACT};
  StepTally tally = {0}; /* not one of the paper's iterations */
  plan->inertia->kernel->forget(solver);
  SimStatus status = sparse_step_solve(&first, sparse, solver, at.b, NULL, work->v, work->lambda, work->slip, &tally);
  plan->inertia->kernel->forget(sparse->solver[0]);
  for (int i = 0; i < count; i++) {
    work->x[i] = p->x0[i];
    at.other[i] = p->x0[i] + dt * p->v0[i] + work->v[i];
    at.b[i] = at.other[i] - 2 * dt * p->v0[i]; /* x^{-1} */
    work->v[i] = p->v0[i];
    if (p->v0[i] == 0) continue;
    work->slip[i] = (signed char)friction_sign(p->v0[i]);
    work->lambda[i] = p->friction[i] > 0 ? friction_sign(p->v0[i]) : 0;
  }
  if (work->watched) watch(model, work, 0, f, at.b);
  return status;
}

static SimStatus step(const SimModel *model, SimWorkspace *work, long n) {
  const SimProblem *p = &model->problem;
  const Plan *plan = model->plan;
  SparseWork *sparse = work->sparse;
  Rows at = rows(model, work);
  int count = p->sparse.count;
  double square = p->step * p->step, began = sparse->profile ? sparse_clock() : 0;
  const double *f = sparse_load_now(p, sparse, n);
  for (int i = 0; i < count; i++) {
    double now = at.other[i], before = work->x[i];
    at.b[i] = square * (work->push[i] + (f ? f[i] : 0));
    at.z[i] = -square * now;
    at.other[i] = before;
    work->x[i] = now;
  }
  sparse_add(plan->stiffness, at.z, at.b);
  for (int i = 0; i < count; i++) {
    at.z[i] = 2 * (work->x[i] - at.other[i]);
    work->v[i] *= 2 * p->step; /* w of the last step: where an iterative solver starts from */
  }
  sparse_add(plan->inertia, at.z, at.b);
  SimStatus status = sparse_step_solve(&plan->moving, sparse, sparse->solver[0], at.b, at.other, work->v, work->lambda,
                                       work->slip, &work->tally);
  for (int i = 0; i < count; i++) {
    at.other[i] += work->v[i];
    work->v[i] /= 2 * p->step;
  }
  if (work->watched) watch(model, work, n, f, NULL);
  if (sparse->profile) sparse->profile->steps += sparse_clock() - began;
  return status;
}

const SimScheme sim_scheme_sparse_centered = {
    .name = "centered",
    .kind = SIM_SPARSE,
    .keys = " alpha start multiplier epsilon r solver tolerance ",
    .multipliers = 1u << SIM_UNREGULARIZED | 1u << SIM_REGULARIZED,
    .default_multiplier = SIM_REGULARIZED,
    .span = SPAN_CENTRED,
    .relaxation = 2,
    .step_mass = 1,
    .check = check,
    .step_limit = step_limit,
    .prepare = prepare,
    .release = release,
    .scratch = scratch_size,
    .scratch_vectors = N_VECTORS,
    .equip = equip,
    .start = start,
    .step = step,
};
