/* A step's friction problem with a sparse E, exactly: semismooth Newton from the last step's branches, each of whose steps
 * is one linear solve with the stuck dofs held (a primal-dual active set), until no branch moves; or by the paper's fixed
 * point (1.12)-(1.15). */
#include "sim/law/branch_law.h"
#include "sim/step/friction_solver.h"

#include <float.h>
#include <string.h>

enum { MAX_NEWTON = 16, MAX_ITERATIONS = 100000 };

/* The equations' error, as a part of their largest terms, beyond which a solve has failed; and what round-off in E w may
 * add to it, in units of |E| |w|. */
static const double EQUATION_TOLERANCE = 1e-9, ROUND_OFF = 64 * DBL_EPSILON;

/* Puts E w + q lambda = b to the test; lambda itself is inside its law by how it was made. *worst: the largest part of a
 * row's friction, or without friction of its terms, by which the row is missed. */
static SimStatus check_equations(const StepLaw *law, const Operator *matrix, const SparseStep *step, double *product,
                                 double *worst) {
  const SimProblem *s = matrix->problem;
  operator_multiply(matrix, step->w, product);
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

static SimStatus solve_exact(const StepLaw *law, FrictionWork *work, OperatorSolver *solver, const SparseStep *step,
                             StepTally *tally) {
  const OperatorOps *ops = solver->matrix->ops;
  const SimGroup *group = solver->matrix->problem->group;
  double moved = 1, worst = 0, before = friction_clock(work);
  SimStatus status = SIM_OK;
  for (int k = 0; k < MAX_NEWTON && moved > 0 && status == SIM_OK; k++) {
    long changed = 0;
    status = ops->newton(solver, law, step, k, &changed);
    tally->iterations++;
    moved = (double)changed;
    sim_group_sum(group, &moved, 1);
  }
  double after = friction_clock(work);
  if (status == SIM_OK && moved > 0) status = friction_descend(law, work, solver, step, tally);
  if (status == SIM_OK) status = check_equations(law, solver->matrix, step, work->spare[0], &worst);
  tally->residual = fmax(tally->residual, worst);
  if (work->profile) {
    work->profile->solves += after - before;
    work->profile->friction += friction_clock(work) - after;
  }
  return status;
}

/* w = E^-1 (b - Q lambda), the linear system (1.13). */
static SimStatus velocity(const StepLaw *law, OperatorSolver *solver, const double *b, const double *lambda,
                          double *rhs, double *w) {
  int count = solver->matrix->problem->count;
  for (int i = 0; i < count; i++) rhs[i] = b[i] - law->threshold * law->friction[i] * lambda[i];
  return solver->matrix->ops->solve(solver, rhs, w);
}

/* The left side of (1.15) for x = base + w. */
static double relative_change(const SimProblem *s, const double *base, const double *w, const double *w_before) {
  double sums[2] = {0};
  for (int i = 0; i < s->count; i++) {
    double x = (base ? base[i] : 0) + w_before[i];
    sums[0] += (w[i] - w_before[i]) * (w[i] - w_before[i]);
    sums[1] += x * x;
  }
  sim_group_sum(s->group, sums, 2);
  return sqrt(sums[0]) / (sqrt(sums[1]) + 1);
}

static SimStatus solve_fixed_point(const FrictionSolver *plan, FrictionWork *work, OperatorSolver *solver,
                                   const double *base, const SparseStep *step, StepTally *tally) {
  const StepLaw *law = &plan->law;
  const SimProblem *s = solver->matrix->problem;
  double *rhs = work->spare[0], *w_before = work->spare[1], *w = step->w, *lambda = step->lambda;
  double change = INFINITY, worst, before = friction_clock(work);
  SimStatus status = velocity(law, solver, step->b, lambda, rhs, w);
  long k = 1; /* linear systems solved */
  while (status == SIM_OK && !(change <= plan->tolerance) && !isnan(change) && ++k <= MAX_ITERATIONS) {
    memcpy(w_before, w, (size_t)s->count * sizeof *w);
    for (int i = 0; i < s->count; i++)
      if (law->friction[i] > 0)
        lambda[i] = law->fresh * friction_project(lambda[i] + law->projection_weight * law->friction[i] * w[i]) +
                    law->kept * work->lambda_old[i];
    status = velocity(law, solver, step->b, lambda, rhs, w);
    change = relative_change(s, base, w, w_before);
  }
  for (int i = 0; i < s->count; i++) step->slip[i] = (signed char)friction_slip(step_law_of(law, i), lambda[i], w[i]);
  if (work->profile) work->profile->solves += friction_clock(work) - before;
  tally->iterations += k;
  if (!(change <= tally->residual)) tally->residual = change;
  if (isnan(change)) return SIM_NON_FINITE;
  if (status == SIM_OK && !(change <= plan->tolerance)) status = SIM_NOT_CONVERGED;
  return status == SIM_OK ? check_equations(law, solver->matrix, step, rhs, &worst) : status;
}

static SimStatus solve(const FrictionSolver *plan, FrictionWork *work, const double *b, const double *base, double *w,
                       double *lambda, signed char *slip, StepTally *tally) {
  OperatorSolver *solver = work->solver[plan->place];
  SparseStep step = {.b = b, .w = w, .lambda = lambda, .slip = slip};
  size_t size = (size_t)solver->matrix->problem->count * sizeof *lambda;
  if (work->lambda_old) step.lambda_old = memcpy(work->lambda_old, lambda, size);
  long before = solver->linear_iterations;
  SimStatus status = plan->kind == SIM_EXACT ? solve_exact(&plan->law, work, solver, &step, tally)
                                             : solve_fixed_point(plan, work, solver, base, &step, tally);
  if (work->profile) work->profile->linear += solver->linear_iterations - before;
  return status;
}

static SimStatus equip(const FrictionSolver *solver, FrictionWork *work) {
  OperatorSolver **own = &work->solver[solver->place];
  return *own ? SIM_OK : solver->matrix->ops->solver_create(solver->matrix, own);
}

const FrictionOps friction_newton = {.solve = solve, .equip = equip};
