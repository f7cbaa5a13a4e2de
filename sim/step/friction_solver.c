/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/step/friction_solver.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

double friction_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static SimStatus solve_dense(const FrictionSolver *solver, FrictionWork *work, const double *b, const double *base,
                             double *w, double *lambda, signed char *slip, StepTally *tally) {
  if (!work->profile) return step_solve(&solver->dense, &work->dense, b, base, w, lambda, slip, tally);
  double began = friction_seconds();
  SimStatus status = step_solve(&solver->dense, &work->dense, b, base, w, lambda, slip, tally);
  work->profile->friction += friction_seconds() - began;
  return status;
}

static SimStatus equip_dense(const FrictionSolver *solver, FrictionWork *work) {
  return work->dense.a ? SIM_OK : step_scratch_init(&work->dense, solver->dense.d);
}

const FrictionOps friction_dense = {.solve = solve_dense, .equip = equip_dense};

/* Factors E, unless the solver has already been initialised with an equal E. */
static SimStatus init_dense(FrictionSolver *solver, const double *entries) {
  int d = solver->matrix->problem->d;
  DenseSolver *dense = &solver->dense;
  size_t size = (size_t)d * (size_t)d * sizeof *entries;
  bool known = dense->matrix && dense->kept == solver->law.kept && memcmp(dense->matrix, entries, size) == 0;
  SimStatus status = dense->matrix ? SIM_OK : dense_solver_init(dense, d);
  if (status != SIM_OK) return status;
  dense->fresh = solver->law.fresh;
  dense->kept = solver->law.kept;
  dense->kind = solver->kind;
  dense->tolerance = solver->tolerance;
  if (!known) memcpy(dense->matrix, entries, size);
  dense_solver_weigh(dense, &solver->law);
  status = known ? SIM_OK : dense_solver_factor(dense);
  if (status != SIM_OK) dense_solver_clear(dense);
  return status;
}

SimStatus friction_solver_init(FrictionSolver *solver, const Operator *matrix) {
  const double *entries = operator_entries(matrix);
  solver->matrix = matrix;
  solver->ops = entries ? &friction_dense : &friction_newton;
  return entries ? init_dense(solver, entries) : SIM_OK;
}

void friction_solver_clear(FrictionSolver *solver) { dense_solver_clear(&solver->dense); }

static SimStatus allocate(FrictionWork *work, const FrictionSolver *solver) {
  size_t count = (size_t)solver->matrix->problem->count + 1;
  bool remembers = solver->law.kept > 0 || solver->kind == SIM_FIXED_POINT;
  for (int k = 0; k < 2 && !work->spare[k]; k++) work->spare[k] = calloc(count, sizeof(double));
  if (remembers && !work->lambda_old) work->lambda_old = calloc(count, sizeof(double));
  return !work->spare[0] || !work->spare[1] || (remembers && !work->lambda_old) ? SIM_NO_MEMORY : SIM_OK;
}

SimStatus friction_work_init(FrictionWork *work, int n, const FrictionSolver *const *solvers) {
  const SimProblem *p = solvers[0]->matrix->problem;
  SimStatus status = SIM_OK;
  for (int k = 0; k < n && status == SIM_OK; k++) status = allocate(work, solvers[k]);
  status = sim_group_agree(p->group, status);
  for (int k = 0; k < n && status == SIM_OK; k++) status = solvers[k]->ops->equip(solvers[k], work);
  return sim_group_agree(p->group, status);
}

void friction_work_clear(FrictionWork *work) {
  for (int k = 0; k < FRICTION_SOLVERS; k++)
    if (work->solver[k]) work->solver[k]->matrix->ops->solver_destroy(work->solver[k]);
  for (int k = 0; k < 2; k++) free(work->spare[k]);
  free(work->lambda_old);
  step_scratch_clear(&work->dense);
}

void friction_forget(FrictionWork *work) {
  for (int k = 0; k < FRICTION_SOLVERS; k++)
    if (work->solver[k]) work->solver[k]->matrix->ops->forget(work->solver[k]);
}
