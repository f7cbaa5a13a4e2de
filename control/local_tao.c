/* TAO's POUNDERS. */
#include "control/local.h"

#include <math.h>
#include <petsctao.h>
#include <stdio.h>
#include <string.h>

/* w: the effort counts for so little that it moves no target that can be met by more than about w^2 ||dJ/dx(T)|| / 2. */
static const double EFFORT = 1e-5;

/* POUNDERS varies y, the free ones of u, with the sign that leaves room for its first step above the start: it wants
 * that, and no variable without any. */
typedef struct Run {
  CtlLocal *local;
  Tao tao;
  Vec y, residuals, lower, upper; /* the latter two NULL without bounds */
  PetscOptions options;
  int n, place[CTL_CONTROLS_MAX]; /* of y's entries, in u */
  double sign[CTL_CONTROLS_MAX];
  double step; /* no more than half of what any of them may vary by */
} Run;

static void choose_variables(Run *run) {
  const CtlProblem *problem = run->local->problem;
  const double *u = run->local->start;
  run->step = run->local->step;
  for (int i = 0; i < problem->n; i++) {
    double half = (problem->upper[i] - problem->lower[i]) / 2;
    if (half <= 0) continue;
    run->step = fmin(run->step, half);
    run->place[run->n++] = i;
  }
  for (int k = 0; k < run->n; k++)
    run->sign[k] = u[run->place[k]] + run->step <= problem->upper[run->place[k]] ? 1 : -1;
}

static PetscErrorCode residuals(Tao tao, Vec at, Vec values, void *context) {
  const Run *run = context;
  CtlLocal *local = run->local;
  const double *y;
  double u[CTL_CONTROLS_MAX], *r;
  (void)tao;
  memcpy(u, local->start, (size_t)local->problem->n * sizeof *u);
  if (VecGetArrayRead(at, &y)) return PETSC_ERR_MEM;
  for (int k = 0; k < run->n; k++) u[run->place[k]] = run->sign[k] * y[k];
  VecRestoreArrayRead(at, &y);
  long entry = ctl_local_look(local, u);
  if (entry < 0) return VecSet(values, 0); /* anything finite will do until the next look at is_over */
  if (VecGetArray(values, &r)) return PETSC_ERR_MEM;
  ctl_local_miss(local, entry, r);
  r[ctl_local_misses(local->problem)] = EFFORT * sqrt(fmax(0, ctl_local_J(local, entry)));
  VecRestoreArray(values, &r);
  return 0;
}

/* An error from the above would end the run sooner, but PETSc leaves memory allocated on that way. */
static PetscErrorCode is_over(Tao tao, void *context) {
  const Run *run = context;
  return run->local->over ? TaoSetConvergedReason(tao, TAO_DIVERGED_USER) : TaoDefaultConvergenceTest(tao, NULL);
}

/* The bounds of y, where there are any. */
static PetscErrorCode set_bounds(Run *run) {
  const CtlProblem *problem = run->local->problem;
  bool bounded = false;
  for (int k = 0; k < run->n; k++)
    bounded |= isfinite(problem->lower[run->place[k]]) || isfinite(problem->upper[run->place[k]]);
  if (!bounded) return 0;
  PetscCall(VecDuplicate(run->y, &run->lower));
  PetscCall(VecDuplicate(run->y, &run->upper));
  for (int k = 0; k < run->n; k++) {
    double lower = problem->lower[run->place[k]], upper = problem->upper[run->place[k]];
    bool turned = run->sign[k] < 0;
    PetscCall(VecSetValue(run->lower, k, fmax(turned ? -upper : lower, PETSC_NINFINITY), INSERT_VALUES));
    PetscCall(VecSetValue(run->upper, k, fmin(turned ? -lower : upper, PETSC_INFINITY), INSERT_VALUES));
  }
  return TaoSetVariableBounds(run->tao, run->lower, run->upper);
}

/* Solves; any error of PETSc's ends it. */
static PetscErrorCode solve(Run *run) {
  const CtlLocal *local = run->local;
  char step[40];
  snprintf(step, sizeof step, "%.17g", run->step);
  PetscCall(PetscOptionsCreate(&run->options));
  PetscCall(PetscOptionsSetValue(run->options, "-tao_pounders_delta", step));
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, run->n, &run->y));
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, ctl_local_misses(local->problem) + 1, &run->residuals));
  for (int k = 0; k < run->n; k++)
    PetscCall(VecSetValue(run->y, k, run->sign[k] * local->start[run->place[k]], INSERT_VALUES));
  PetscCall(TaoCreate(PETSC_COMM_SELF, &run->tao));
  PetscCall(PetscObjectSetOptions((PetscObject)run->tao, run->options));
  PetscCall(TaoSetType(run->tao, TAOPOUNDERS));
  PetscCall(TaoSetSolution(run->tao, run->y));
  PetscCall(TaoSetResidualRoutine(run->tao, run->residuals, residuals, run));
  PetscCall(set_bounds(run));
  PetscCall(TaoSetConvergenceTest(run->tao, is_over, run));
  PetscCall(TaoSetTolerances(run->tao, 1e-12, 0, 0));
  PetscCall(TaoSetMaximumFunctionEvaluations(run->tao, CTL_LOCAL_MOST));
  PetscCall(TaoSetFromOptions(run->tao));
  return TaoSolve(run->tao);
}

void ctl_local_tao(CtlLocal *local) {
  Run run = {.local = local};
  choose_variables(&run);
  if (!run.n) return;
  local->no_memory = solve(&run) == PETSC_ERR_MEM;
  TaoDestroy(&run.tao);
  VecDestroy(&run.y);
  VecDestroy(&run.residuals);
  VecDestroy(&run.lower);
  VecDestroy(&run.upper);
  PetscOptionsDestroy(&run.options);
}
