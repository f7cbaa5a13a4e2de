/* SPDX-License-Identifier: BSD-2-Clause */
/* Gauss-Newton method in TAO's trust regions with bounds (bntr). The Hessian of half the sum of squared residuals is
 * approximated by J'J with the Jacobian J of the residuals. In this method the sum never rises; steps of TAO's own
 * Gauss-Newton method, brgn, may increase it. Variables are scaled to the range from 0, the lower bound, to 1, the
 * upper bound. */
#include "control/base/argument.h"
#include "control/fit.h"
#include "sim/group.h"
#include "sim/operator/petsc_library.h"
#include "sim/operator/sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Residual that replaces each residual of a failed evaluation. It is large, but its square is finite. */
#define FAILED_RESIDUAL 1e30

/* SUM_TOLERANCE: the run ends if a step decreases the sum of squares by less than this fraction. GRADIENT_TOLERANCE:
 * the run also ends if the projected gradient is below this fraction of the first one. The projection limits the
 * gradient to the size of the box. */
static const double SUM_TOLERANCE = 1e-9, GRADIENT_TOLERANCE = 1e-10;

enum { ITERATIONS_MAX = 100, EVALUATIONS_MAX = 1000 };

typedef struct Run {
  const CtlFit *fit;
  CtlFitEnd *end;
  double *p, *best; /* [n] current point; [n] point with the smallest sum; owned, in one allocation with the next three
                     * arrays */
  double *last;     /* [n] parameters at which r and, if known_rows is true, the derivatives in `rows` were evaluated */
  double *r;        /* [m] residuals */
  double *rows;     /* [m][n] derivatives of the residuals */
  bool known, known_rows;
  double half; /* half of the sum of squares after the last step */
  Tao tao;
  Vec y, lower, upper;
  Mat hessian;
  PetscOptions options;
} Run;

/* Converts a PETSc vector of scaled variables, 0 to 1, to parameters p. */
static PetscErrorCode take_point(Run *run, Vec at) {
  const CtlFit *fit = run->fit;
  const double *y;
  PetscCall(VecGetArrayRead(at, &y));
  for (int i = 0; i < fit->n; i++)
    run->p[i] = fmin(fmax(fit->lower[i] + y[i] * (fit->upper[i] - fit->lower[i]), fit->lower[i]), fit->upper[i]);
  return VecRestoreArrayRead(at, &y);
}

/* Evaluates the residuals at the parameters p unless they were evaluated there last. Stores p if its sum of squares is
 * the smallest so far. rows: array for the derivatives; NULL: not needed. */
static void evaluate_point(Run *run, double *rows) {
  const CtlFit *fit = run->fit;
  size_t size = (size_t)fit->n * sizeof *run->p;
  double sum = 0;
  if ((run->known_rows || (run->known && !rows)) && memcmp(run->p, run->last, size) == 0) return;
  memcpy(run->last, run->p, size);
  run->known = true;
  run->known_rows = rows != NULL;
  bool good = fit->evaluate(fit->context, run->p, run->r, rows);
  for (int k = 0; k < fit->m; k++) sum += run->r[k] * run->r[k];
  good = good && isfinite(sum);
  run->end->evaluations++;
  run->end->derivatives += rows != NULL;
  if (good && sum < run->end->sum) {
    run->end->sum = sum;
    memcpy(run->best, run->p, (size_t)fit->n * sizeof *run->best);
  }
  for (int k = 0; k < fit->m && !good; k++) run->r[k] = FAILED_RESIDUAL;
  if (rows && !good) memset(rows, 0, (size_t)fit->m * (size_t)fit->n * sizeof *rows);
}

static PetscErrorCode objective(Tao tao, Vec at, PetscReal *half, void *context) {
  Run *run = context;
  (void)tao;
  PetscCall(take_point(run, at));
  evaluate_point(run, NULL);
  *half = 0;
  for (int k = 0; k < run->fit->m; k++) *half += run->r[k] * run->r[k] / 2;
  return 0;
}

/* Returns the derivative of residual k with respect to the scaled variable i. */
static double scaled_slope(const Run *run, int k, int i) {
  const CtlFit *fit = run->fit;
  return run->rows[(size_t)k * (size_t)fit->n + (size_t)i] * (fit->upper[i] - fit->lower[i]);
}

static PetscErrorCode gradient(Tao tao, Vec at, Vec values, void *context) {
  Run *run = context;
  double *g;
  (void)tao;
  PetscCall(take_point(run, at));
  evaluate_point(run, run->rows);
  PetscCall(VecGetArrayWrite(values, &g));
  for (int i = 0; i < run->fit->n; i++) {
    g[i] = 0;
    for (int k = 0; k < run->fit->m; k++) g[i] += scaled_slope(run, k, i) * run->r[k];
  }
  return VecRestoreArrayWrite(values, &g);
}

static PetscErrorCode hessian(Tao tao, Vec at, Mat matrix, Mat same, void *context) {
  Run *run = context;
  int n = run->fit->n;
  double *h;
  (void)tao, (void)same;
  PetscCall(take_point(run, at));
  evaluate_point(run, run->rows);
  PetscCall(MatDenseGetArrayWrite(matrix, &h));
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int k = 0; k < run->fit->m; k++) sum += scaled_slope(run, k, i) * scaled_slope(run, k, j);
      h[i * n + j] = h[j * n + i] = sum;
    }
  PetscCall(MatDenseRestoreArrayWrite(matrix, &h));
  PetscCall(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  return MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY);
}

/* Called after each step; decides whether the run ends. A rejected step leaves the sum unchanged. */
static PetscErrorCode is_over(Tao tao, void *context) {
  Run *run = context;
  PetscReal half;
  PetscCall(TaoGetSolutionStatus(tao, NULL, &half, NULL, NULL, NULL, NULL));
  double fall = run->half - half;
  run->half = half;
  if (fall > 0 && fall <= SUM_TOLERANCE * half) return TaoSetConvergedReason(tao, TAO_CONVERGED_USER);
  return TaoDefaultConvergenceTest(tao, NULL);
}

static PetscErrorCode set_up(Run *run) {
  const CtlFit *fit = run->fit;
  PetscCall(PetscOptionsCreate(&run->options));
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, fit->n, &run->y));
  PetscCall(VecDuplicate(run->y, &run->lower));
  PetscCall(VecDuplicate(run->y, &run->upper));
  PetscCall(VecSet(run->lower, 0));
  PetscCall(VecSet(run->upper, 1));
  for (int i = 0; i < fit->n; i++)
    PetscCall(VecSetValue(run->y, i, (run->p[i] - fit->lower[i]) / (fit->upper[i] - fit->lower[i]), INSERT_VALUES));
  PetscCall(VecAssemblyBegin(run->y));
  PetscCall(VecAssemblyEnd(run->y));
  PetscCall(MatCreateSeqDense(PETSC_COMM_SELF, fit->n, fit->n, NULL, &run->hessian));
  PetscCall(TaoCreate(PETSC_COMM_SELF, &run->tao));
  PetscCall(PetscObjectSetOptions((PetscObject)run->tao, run->options));
  PetscCall(TaoSetType(run->tao, TAOBNTR));
  PetscCall(TaoSetSolution(run->tao, run->y));
  PetscCall(TaoSetObjective(run->tao, objective, run));
  PetscCall(TaoSetGradient(run->tao, NULL, gradient, run));
  PetscCall(TaoSetHessian(run->tao, run->hessian, run->hessian, hessian, run));
  return TaoSetVariableBounds(run->tao, run->lower, run->upper);
}

static PetscErrorCode solve_tao(Run *run) {
  PetscCall(set_up(run));
  PetscCall(TaoSetConvergenceTest(run->tao, is_over, run));
  PetscCall(TaoSetTolerances(run->tao, 0, 0, GRADIENT_TOLERANCE));
  PetscCall(TaoSetMaximumIterations(run->tao, ITERATIONS_MAX));
  PetscCall(TaoSetMaximumFunctionEvaluations(run->tao, EVALUATIONS_MAX));
  PetscCall(TaoSetFromOptions(run->tao));
  return TaoSolve(run->tao);
}

SimStatus ctl_fit_solve(const CtlFit *fit, double *p, CtlFitEnd *end) {
  ARGUMENT_THERE(end);
  *end = (CtlFitEnd){.sum = INFINITY};
  ARGUMENT(fit && fit->n >= 1 && fit->m >= 1 && fit->evaluate, "fit",
           "is NULL, or has no parameters, residuals or function");
  ARGUMENT(fit->lower && fit->upper, "fit", "has no bounds");
  ARGUMENT_THERE(p);
  for (int i = 0; i < fit->n; i++) {
    ARGUMENT(isfinite(p[i]), "p", "is not finite");
    ARGUMENT(isfinite(fit->lower[i]) && isfinite(fit->upper[i]), "fit", "has bounds that are not finite");
    ARGUMENT(fit->lower[i] < fit->upper[i], "fit", "has a lower bound that is not below the upper");
  }
  ARGUMENT(sparse_petsc_ready(), "the process", "has not started PETSc");
  size_t n = (size_t)fit->n, m = (size_t)fit->m;
  Run run = {.fit = fit, .end = end, .half = INFINITY, .p = calloc(3 * n + m + m * n, sizeof *run.p)};
  if (!run.p) return SIM_NO_MEMORY;
  run.best = run.p + n;
  run.last = run.best + n;
  run.r = run.last + n;
  run.rows = run.r + m;
  for (int i = 0; i < fit->n; i++) run.best[i] = run.p[i] = fmin(fmax(p[i], fit->lower[i]), fit->upper[i]);
  PetscErrorCode error = solve_tao(&run);
  memcpy(p, run.best, n * sizeof *p);
  SimStatus status = sim_petsc_status(error);
  /* after a lack of memory the Tao object is not destroyed: PETSc 3.18 crashes when it destroys an incomplete one */
  if (status != SIM_NO_MEMORY) TaoDestroy(&run.tao);
  MatDestroy(&run.hessian);
  VecDestroy(&run.y);
  VecDestroy(&run.lower);
  VecDestroy(&run.upper);
  PetscOptionsDestroy(&run.options);
  free(run.p);
  return status == SIM_BAD_PROBLEM ? SIM_NOT_CONVERGED : status;
}
