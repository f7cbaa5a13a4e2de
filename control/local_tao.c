/* TAO's POUNDERS. */
#include "control/local.h"

#include <math.h>
#include <petsctao.h>
#include <stdio.h>

/* w: the effort counts for so little that it moves no target that can be met by more than about w^2 ||dJ/dx(T)|| / 2. */
static const double EFFORT = 1e-5;

static PetscErrorCode residuals(Tao tao, Vec at, Vec values, void *context) {
  CtlLocal *local = context;
  const double *u;
  double *r;
  (void)tao;
  if (VecGetArrayRead(at, &u)) return PETSC_ERR_MEM;
  long entry = ctl_local_look(local, u);
  VecRestoreArrayRead(at, &u);
  if (entry < 0) return PETSC_ERR_USER; /* ends the run; PETSc leaves some 4 KB allocated on this way */
  if (VecGetArray(values, &r)) return PETSC_ERR_MEM;
  ctl_local_miss(local, entry, r);
  r[ctl_local_misses(local->problem)] = EFFORT * sqrt(fmax(0, ctl_local_J(local, entry)));
  VecRestoreArray(values, &r);
  return 0;
}

typedef struct Run {
  Tao tao;
  Vec u, residuals, lower, upper;
  PetscOptions options;
} Run;

static void fill(Vec vector, const double *values, int n) {
  for (int i = 0; i < n; i++) VecSetValue(vector, i, values[i], INSERT_VALUES);
}

/* Solves; any error of PETSc's ends it. */
static PetscErrorCode solve(Run *run, CtlLocal *local) {
  const CtlProblem *problem = local->problem;
  int n = problem->n;
  char step[40];
  snprintf(step, sizeof step, "%.17g", local->step);
  PetscCall(PetscOptionsCreate(&run->options));
  PetscCall(PetscOptionsSetValue(run->options, "-tao_pounders_delta", step));
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, n, &run->u));
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, ctl_local_misses(problem) + 1, &run->residuals));
  fill(run->u, local->start, n);
  PetscCall(TaoCreate(PETSC_COMM_SELF, &run->tao));
  PetscCall(PetscObjectSetOptions((PetscObject)run->tao, run->options));
  PetscCall(TaoSetType(run->tao, TAOPOUNDERS));
  PetscCall(TaoSetSolution(run->tao, run->u));
  PetscCall(TaoSetResidualRoutine(run->tao, run->residuals, residuals, local));
  bool bounded = false;
  for (int i = 0; i < n; i++) bounded |= isfinite(problem->lower[i]) || isfinite(problem->upper[i]);
  if (bounded) {
    PetscCall(VecDuplicate(run->u, &run->lower));
    PetscCall(VecDuplicate(run->u, &run->upper));
    for (int i = 0; i < n; i++) {
      VecSetValue(run->lower, i, fmax(problem->lower[i], PETSC_NINFINITY), INSERT_VALUES);
      VecSetValue(run->upper, i, fmin(problem->upper[i], PETSC_INFINITY), INSERT_VALUES);
    }
    PetscCall(TaoSetVariableBounds(run->tao, run->lower, run->upper));
  }
  PetscCall(TaoSetTolerances(run->tao, 1e-12, 0, 0));
  PetscCall(TaoSetMaximumFunctionEvaluations(run->tao, CTL_LOCAL_MOST));
  PetscCall(TaoSetFromOptions(run->tao));
  PetscCall(TaoSolve(run->tao));
  return 0;
}

void ctl_local_tao(CtlLocal *local) {
  Run run = {0};
  local->no_memory = solve(&run, local) == PETSC_ERR_MEM;
  TaoDestroy(&run.tao);
  VecDestroy(&run.u);
  VecDestroy(&run.residuals);
  VecDestroy(&run.lower);
  VecDestroy(&run.upper);
  PetscOptionsDestroy(&run.options);
}
