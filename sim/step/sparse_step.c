/* A step's friction problem with a sparse E, exactly: semismooth Newton from the last step's branches, each of whose steps
 * is one linear solve with the stuck dofs held (a primal-dual active set), until no branch moves; or by the paper's fixed
 * point (1.12)-(1.15). */
#include "sim/step/sparse_step.h"

#include "sim/law/branch_law.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_NEWTON = 16, MAX_ITERATIONS = 100000 };

/* The equations' error, as a part of their largest terms, beyond which a solve has failed; and what round-off in E w may
 * add to it, in units of |E| |w|. */
static const double EQUATION_TOLERANCE = 1e-9, ROUND_OFF = 64 * DBL_EPSILON;

double sparse_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void sparse_work_destroy(SparseWork *work) {
  if (!work) return;
  for (int k = 0; k < 2; k++) {
    if (work->solver[k]) work->solver[k]->matrix->kernel->solver_destroy(work->solver[k]);
    free(work->spare[k]);
    free(work->force[k]);
  }
  free(work->lambda_old);
  free(work);
}

static SimStatus allocate(const SimProblem *p, SparseWork *work) {
  size_t count = (size_t)p->sparse.count + 1;
  bool varies = p->sparse.load.at && !sparse_load_constant(p);
  bool remembers = p->multiplier == SIM_REGULARIZED || p->solver == SIM_FIXED_POINT;
  for (int k = 0; k < 2; k++) {
    work->spare[k] = calloc(count, sizeof(double));
    if (varies) work->force[k] = calloc(count, sizeof(double));
    if (!work->spare[k] || (varies && !work->force[k])) return SIM_NO_MEMORY;
  }
  if (remembers) work->lambda_old = calloc(count, sizeof(double));
  return remembers && !work->lambda_old ? SIM_NO_MEMORY : SIM_OK;
}

SimStatus sparse_work_create(const SimModel *model, const SparseOperator *step, const SparseOperator *first,
                             SparseWork **out) {
  const SimProblem *p = &model->problem;
  SparseWork *work = calloc(1, sizeof *work);
  SimStatus status = work ? allocate(p, work) : SIM_NO_MEMORY;
  status = sim_group_agree(p->sparse.group, status);
  if (status == SIM_OK) status = step->kernel->solver_create(step, &work->solver[0]);
  if (status == SIM_OK && first) status = first->kernel->solver_create(first, &work->solver[1]);
  *out = work;
  return sim_group_agree(p->sparse.group, status);
}

double sparse_form(const SparseOperator *matrix, const double *x, double *product) {
  const SimSparse *s = &matrix->problem->sparse;
  double sum = 0;
  sparse_multiply(matrix, x, product);
  for (int i = 0; i < s->count; i++) sum += x[i] * product[i];
  sim_group_sum(s->group, &sum, 1);
  return sum;
}

/* Puts E w + q lambda = b to the test; lambda itself is inside its law by how it was made. *worst: the largest part of a
 * row's friction, or without friction of its terms, by which the row is missed. */
static SimStatus check_equations(const SparseLaw *law, const SparseOperator *matrix, const SparseStep *step,
                                 double *product, double *worst) {
  const SimSparse *s = &matrix->problem->sparse;
  sparse_multiply(matrix, step->w, product);
  double error = 0, residual = 0, terms = 0, fastest = 0, sum = 0;
  for (int i = 0; i < s->count; i++) {
    double q = law->threshold * law->friction[i], size = fabs(step->b[i]) + fabs(product[i]) + q;
    double left = fabs(product[i] + q * step->lambda[i] - step->b[i]), part = left / (q > 0 ? q : size);
    error = left > error ? left : error;
    residual = size > 0 && part > residual ? part : residual;
    terms = size > terms ? size : terms;
    fastest = fabs(step->w[i]) > fastest ? fabs(step->w[i]) : fastest;
    sum += left; /* a NaN stays one */
  }
  double values[5] = {error, residual, terms, fastest, isfinite(sum) ? 0 : 1};
  sim_group_max(s->group, values, 5);
  *worst = values[1];
  if (values[4] > 0) return SIM_NON_FINITE;
  double allowed = EQUATION_TOLERANCE * values[2] + ROUND_OFF * matrix->norm * values[3];
  return values[0] <= allowed ? SIM_OK : SIM_NOT_CONVERGED;
}

static SimStatus solve_exact(const SparseLaw *law, SparseWork *work, SparseSolver *solver, const SparseStep *step,
                             StepTally *tally) {
  const SparseKernel *kernel = solver->matrix->kernel;
  const SimGroup *group = solver->matrix->problem->sparse.group;
  double moved = 1, worst = 0, before = work->profile ? sparse_clock() : 0;
  SimStatus status = SIM_OK;
  for (int k = 0; k < MAX_NEWTON && moved > 0 && status == SIM_OK; k++) {
    long changed = 0;
    status = kernel->newton(solver, law, step, k, &changed);
    tally->iterations++;
    moved = (double)changed;
    sim_group_sum(group, &moved, 1);
  }
  double after = work->profile ? sparse_clock() : 0;
  if (status == SIM_OK && moved > 0) status = sparse_step_descend(law, work, solver, step, tally);
  if (status == SIM_OK) status = check_equations(law, solver->matrix, step, work->spare[0], &worst);
  tally->residual = fmax(tally->residual, worst);
  if (work->profile) {
    work->profile->solves += after - before;
    work->profile->friction += sparse_clock() - after;
  }
  return status;
}

/* w = E^-1 (b - Q lambda), the linear system (1.13). */
static SimStatus velocity(const SparseLaw *law, SparseSolver *solver, const double *b, const double *lambda,
                          double *rhs, double *w) {
  int count = solver->matrix->problem->sparse.count;
  for (int i = 0; i < count; i++) rhs[i] = b[i] - law->threshold * law->friction[i] * lambda[i];
  return solver->matrix->kernel->solve(solver, rhs, w);
}

/* The left side of (1.15) for x = base + w. */
static double relative_change(const SimSparse *s, const double *base, const double *w, const double *w_before) {
  double sums[2] = {0};
  for (int i = 0; i < s->count; i++) {
    double x = (base ? base[i] : 0) + w_before[i];
    sums[0] += (w[i] - w_before[i]) * (w[i] - w_before[i]);
    sums[1] += x * x;
  }
  sim_group_sum(s->group, sums, 2);
  return sqrt(sums[0]) / (sqrt(sums[1]) + 1);
}

static SimStatus solve_fixed_point(const SparseStepLaw *plan, SparseWork *work, SparseSolver *solver,
                                   const double *base, const SparseStep *step, StepTally *tally) {
  const SparseLaw *law = &plan->law;
  const SimSparse *s = &solver->matrix->problem->sparse;
  double *rhs = work->spare[0], *w_before = work->spare[1], *w = step->w, *lambda = step->lambda;
  double change = INFINITY, worst, before = work->profile ? sparse_clock() : 0;
  SimStatus status = velocity(law, solver, step->b, lambda, rhs, w);
  long k = 1; /* linear systems solved */
  while (status == SIM_OK && !(change <= plan->tolerance) && !isnan(change) && ++k <= MAX_ITERATIONS) {
    memcpy(w_before, w, (size_t)s->count * sizeof *w);
    for (int i = 0; i < s->count; i++)
      if (law->friction[i] > 0)
        lambda[i] = law->fresh * friction_project(lambda[i] + law->pull * law->friction[i] * w[i]) +
                    law->kept * work->lambda_old[i];
    status = velocity(law, solver, step->b, lambda, rhs, w);
    change = relative_change(s, base, w, w_before);
  }
  for (int i = 0; i < s->count; i++) {
    double z = lambda[i] + law->pull * law->friction[i] * w[i];
    step->slip[i] = (signed char)(law->friction[i] > 0 ? (z >= 1) - (z <= -1) : friction_sign(w[i]));
  }
  if (work->profile) work->profile->solves += sparse_clock() - before;
  tally->iterations += k;
  if (!(change <= tally->residual)) tally->residual = change;
  if (isnan(change)) return SIM_NON_FINITE;
  if (status == SIM_OK && !(change <= plan->tolerance)) status = SIM_NOT_CONVERGED;
  return status == SIM_OK ? check_equations(law, solver->matrix, step, rhs, &worst) : status;
}

SimStatus sparse_step_solve(const SparseStepLaw *plan, SparseWork *work, SparseSolver *solver, const double *b,
                            const double *base, double *w, double *lambda, signed char *slip, StepTally *tally) {
  SparseStep step = {.b = b, .w = w, .lambda = lambda, .slip = slip};
  size_t size = (size_t)solver->matrix->problem->sparse.count * sizeof *lambda;
  if (work->lambda_old) step.lambda_old = memcpy(work->lambda_old, lambda, size);
  long before = solver->linear_iterations;
  SimStatus status = plan->kind == SIM_EXACT ? solve_exact(&plan->law, work, solver, &step, tally)
                                             : solve_fixed_point(plan, work, solver, base, &step, tally);
  if (work->profile) work->profile->linear += solver->linear_iterations - before;
  return status;
}
