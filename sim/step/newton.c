/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves the friction problem of a step with a sparse E. The solver `exact` uses the semismooth Newton method, which is
 * a primal-dual active set method, from the branches (slip or stick) of the last step. Each iteration is one linear
 * solve in which sticking dofs are held, until no branch changes. Otherwise the fixed-point iteration (1.12)-(1.15) of
 * Glowinski-Kearsley is used. */
#include "sim/law/branch_law.h"
#include "sim/step/friction_solver.h"

#include <float.h>
#include <string.h>

/* maximum number of Newton steps, and of iterations of the fixed-point method (Glowinski-Kearsley) */
enum { MAX_NEWTON = 16, MAX_ITERATIONS = 100000 };

/* EQUATION_TOLERANCE: a solve has failed if the error of the equations, relative to their largest terms, exceeds
 * this. ROUND_OFF: rounding error of E w, relative to |E| |w|. */
static const double EQUATION_TOLERANCE = 1e-9, ROUND_OFF = 64 * DBL_EPSILON;

enum { BLOCK = 1024 }; /* number of rows that are examined at a time, while their data are in the cache */
enum { ABREAST = 4 };  /* number of rows that are examined together, as vectors if the processor has them */

/* Maxima over the rows examined so far. There are ABREAST separate maxima, each for every ABREAST-th row. sum: sum of
 * |E w + q lambda - b|, which becomes NaN if any term is NaN. */
typedef struct Worst {
  double error[ABREAST], part[ABREAST], terms[ABREAST], fastest[ABREAST], sum[ABREAST];
} Worst;

static inline double larger(double a, double b) { return a > b ? a : b; }

/* Includes the rows i .. i + n - 1 in the maxima *worst. product: E w in these rows. */
static inline void look(int n, const StepLaw *law, const SparseStep *step, const double *product, int i, Worst *worst) {
  _Pragma("GCC unroll 1") for (int k = 0; k < n; k++) {
    double q = law->threshold * law->friction[i + k];
    double terms = fabs(step->b[i + k]) + fabs(product[k]) + q;
    double error = fabs(product[k] + q * step->lambda[i + k] - step->b[i + k]);
    double least = larger(terms, DBL_MIN), whole = q > 0 ? q : least; /* a row with all terms 0 has no error */
    worst->error[k] = larger(error, worst->error[k]);
    worst->part[k] = larger(error / whole, worst->part[k]);
    worst->terms[k] = larger(terms, worst->terms[k]);
    worst->fastest[k] = larger(fabs(step->w[i + k]), worst->fastest[k]);
    worst->sum[k] += error;
  }
}

/* Checks E w + q lambda = b. lambda satisfies its law by construction. *worst: largest error of a row, relative to its
 * threshold q or, without friction, to its terms. */
static SimStatus check_equations(const StepLaw *law, const Operator *matrix, const SparseStep *step, double *product,
                                 double *worst) {
  const SimProblem *s = matrix->problem;
  const StepLaw own = *law;
  const SparseStep rows = *step;
  Worst at = {0};
  double beyond[2];
  bool in_blocks = matrix->ops->multiply_rows; /* in blocks of rows, so that the product is still in the cache when it
                                                * is examined */
  const double ends[2] = {s->count ? step->w[0] : 0, s->count ? step->w[s->count - 1] : 0};
  if (in_blocks) sim_group_neighbours(s->group, 1, &ends[0], &ends[1], &beyond[0], &beyond[1]);
  if (!in_blocks) operator_multiply(matrix, step->w, product);
  for (int first = 0; first < s->count; first += BLOCK) {
    int n = s->count - first < BLOCK ? s->count - first : BLOCK, whole = n - n % ABREAST;
    const double *block = in_blocks ? product : product + first;
    if (in_blocks) matrix->ops->multiply_rows(matrix, step->w, beyond, first, first + n, product);
    for (int i = 0; i < whole; i += ABREAST) look(ABREAST, &own, &rows, block + i, first + i, &at);
    look(n - whole, &own, &rows, block + whole, first + whole, &at);
  }
  double values[5] = {0}, sum = 0;
  for (int k = 0; k < ABREAST; k++) {
    const double of[4] = {at.error[k], at.part[k], at.terms[k], at.fastest[k]};
    for (int j = 0; j < 4; j++) values[j] = larger(of[j], values[j]);
    sum += at.sum[k];
  }
  values[4] = isfinite(sum) ? 0 : 1;
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
  if (status == SIM_OK && moved >= 0) status = check_equations(law, solver->matrix, step, work->spare[0], &worst);
  tally->residual = fmax(tally->residual, worst);
  if (work->profile) {
    work->profile->solves += after - before;
    work->profile->friction += friction_clock(work) - after;
  }
  return status;
}

/* Computes w = E^-1 (b - Q lambda), the linear system (1.13) of Glowinski-Kearsley. */
static SimStatus velocity(const StepLaw *law, OperatorSolver *solver, const double *b, const double *lambda,
                          double *rhs, double *w) {
  int count = solver->matrix->problem->count;
  for (int i = 0; i < count; i++) rhs[i] = b[i] - law->threshold * law->friction[i] * lambda[i];
  return solver->matrix->ops->solve(solver, rhs, w);
}

/* Returns the left side of the stopping test (1.15) for x = base + w. */
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
  long k = 1; /* number of linear systems that have been solved */
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
