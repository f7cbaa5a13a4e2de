/* The Moreau-Jean theta scheme with sparse matrices; the equations are scheme_moreau.c's, in the form
 *
 *   E v+ + dt C lambda = M v - A z + dt (f_theta + B u),   z = dt x + theta (1-theta) dt^2 v,   E = M + dt D + theta^2 dt^2 A.
 */
#include "sim/core/scheme.h"
#include "sim/friction/moreau.h"
#include "sim/step/sparse_step.h"

#include <stdlib.h>
#include <string.h>

typedef struct Plan {
  SparseOperator *mass, *stiffness, *damping; /* damping: NULL without */
  SparseOperator *matrix;                     /* E */
  SparseStepLaw step;
} Plan;

/* Views into the workspace's scratch. */
typedef struct Rows {
  double *b;
  double *z;        /* between steps: x_{n-1} where the energies are wanted */
  double *v_before; /* v_{n-1} */
} Rows;

enum { N_VECTORS = 3 };

static size_t scratch_size(const SimModel *model) { return N_VECTORS * (size_t)model->problem.sparse.count; }

static Rows rows(const SimModel *model, const SimWorkspace *work) {
  size_t count = (size_t)model->problem.sparse.count;
  return (Rows){work->scratch, work->scratch + count, work->scratch + 2 * count};
}

static int check(const SimProblem *p, const SimReport *report) { return sim_scheme_moreau.check(p, report); }

static void release(SimModel *model) {
  Plan *plan = model->plan;
  if (!plan) return;
  sparse_operator_destroy(plan->mass);
  sparse_operator_destroy(plan->stiffness);
  sparse_operator_destroy(plan->damping);
  sparse_operator_destroy(plan->matrix);
  free(plan);
}

static SparseWeights weights(const SimProblem *p) {
  return (SparseWeights){.mass = 1, .damping = p->step, .stiffness = p->theta * p->theta * p->step * p->step};
}

static SimStatus prepare(SimModel *model) {
  const SimProblem *p = &model->problem;
  Plan *plan = model->plan = calloc(1, sizeof *plan);
  SimStatus status = sim_group_agree(p->sparse.group, plan ? SIM_OK : SIM_NO_MEMORY);
  if (status == SIM_OK) status = sparse_operator_create(p, (SparseWeights){.mass = 1}, &plan->mass);
  if (status == SIM_OK) status = sparse_operator_create(p, (SparseWeights){.stiffness = 1}, &plan->stiffness);
  if (status == SIM_OK && sparse_damped(p))
    status = sparse_operator_create(p, (SparseWeights){.damping = 1}, &plan->damping);
  if (status == SIM_OK) status = sparse_operator_create(p, weights(p), &plan->matrix);
  if (status != SIM_OK) return status;
  plan->step = (SparseStepLaw){.law = {.friction = p->friction, .threshold = p->step, .pull = p->r, .fresh = 1},
                               .kind = p->solver,
                               .tolerance = p->tolerance};
  return SIM_OK;
}

static SimStatus equip(const SimModel *model, SimWorkspace *work) {
  const Plan *plan = model->plan;
  return sparse_work_create(model, plan->matrix, NULL, &work->sparse);
}

static SimStatus start(const SimModel *model, SimWorkspace *work) {
  const SimProblem *p = &model->problem;
  const Plan *plan = model->plan;
  Rows at = rows(model, work);
  sparse_load_start(p, work);
  plan->matrix->kernel->forget(work->sparse->solver[0]);
  sparse_multiply(plan->stiffness, p->x0, at.b);
  const double *f = work->sparse->force[1];
  for (int i = 0; i < p->sparse.count; i++) moreau_start(p, work, i, (f ? f[i] : 0) + work->push[i] - at.b[i]);
  work->energy = (SimEnergy){0};
  return SIM_OK;
}

/* The balance of scheme_moreau.c's watch(), with R = D v+ + C lambda; g: f_theta less what work->push has. */
static void watch(const SimModel *model, SimWorkspace *work, const double *g) {
  const SimProblem *p = &model->problem;
  const Plan *plan = model->plan;
  Rows at = rows(model, work);
  int count = p->sparse.count;
  double dt = p->step, sums[3] = {0}; /* v_theta.(f + B u), v+.R, (v+ - v).R */
  double *force = work->sparse->spare[0], *product = work->sparse->spare[1];
  for (int i = 0; i < count; i++) force[i] = p->friction[i] * work->lambda[i];
  if (plan->damping) sparse_add(plan->damping, work->v, force);
  for (int i = 0; i < count; i++) {
    double dv = work->v[i] - at.v_before[i];
    sums[0] += (p->theta * work->v[i] + (1 - p->theta) * at.v_before[i]) * (work->push[i] + (g ? g[i] : 0));
    sums[1] += work->v[i] * force[i];
    sums[2] += dv * force[i];
    at.v_before[i] = dv;
    at.z[i] = work->x[i] - at.z[i];
  }
  sim_group_sum(p->sparse.group, sums, 3);
  work->energy.work += dt * sums[0];
  work->energy.dissipated += dt * sums[1];
  work->energy.numerical -= (1 - p->theta) * dt * sums[2];
  if (p->theta > 0.5)
    work->energy.numerical += (p->theta - 0.5) * (sparse_form(plan->mass, at.v_before, product) +
                                                  sparse_form(plan->stiffness, at.z, product));
  work->energy.stored =
      (sparse_form(plan->mass, work->v, product) - sparse_form(plan->mass, p->v0, product) +
       sparse_form(plan->stiffness, work->x, product) - sparse_form(plan->stiffness, p->x0, product)) /
      2;
}

static SimStatus step(const SimModel *model, SimWorkspace *work, long n) {
  const SimProblem *p = &model->problem;
  const Plan *plan = model->plan;
  SparseWork *sparse = work->sparse;
  Rows at = rows(model, work);
  int count = p->sparse.count;
  double dt = p->step, theta = p->theta, began = sparse->profile ? sparse_clock() : 0;
  const double *g = sparse_load_mean(p, sparse, n, theta);
  for (int i = 0; i < count; i++) {
    at.v_before[i] = work->v[i];
    at.z[i] = -(dt * work->x[i] + theta * (1 - theta) * dt * dt * work->v[i]);
    at.b[i] = dt * (work->push[i] + (g ? g[i] : 0));
  }
  sparse_add(plan->mass, work->v, at.b);
  sparse_add(plan->stiffness, at.z, at.b);
  SimStatus status = sparse_step_solve(&plan->step, sparse, sparse->solver[0], at.b, NULL, work->v, work->lambda,
                                       work->slip, &work->tally);
  if (work->watched) memcpy(at.z, work->x, (size_t)count * sizeof(double));
  for (int i = 0; i < count; i++) work->x[i] += dt * (theta * work->v[i] + (1 - theta) * at.v_before[i]);
  if (work->watched) watch(model, work, g);
  if (sparse->profile) sparse->profile->steps += sparse_clock() - began;
  return status;
}

const SimScheme sim_scheme_sparse_moreau = {
    .name = "moreau",
    .kind = SIM_SPARSE,
    .keys = " theta multiplier r solver tolerance ",
    .multipliers = 1u << SIM_UNREGULARIZED,
    .default_multiplier = SIM_UNREGULARIZED,
    .relaxation = 2,
    .step_mass = 0.5, /* half of E: see scheme_moreau.c */
    .check = check,
    .prepare = prepare,
    .release = release,
    .scratch = scratch_size,
    .scratch_vectors = N_VECTORS,
    .equip = equip,
    .start = start,
    .step = step,
};
