#include "sim/step_solver.h"

#include "sim/dense.h"

#include <math.h>
#include <stdlib.h>

SimStatus step_solver_init(StepSolver *solver, int d) {
  size_t n = (size_t)d;
  *solver = (StepSolver){.d = d, .fresh = 1};
  solver->matrix = calloc(n * n, sizeof(double));
  solver->inverse = calloc(n * n, sizeof(double));
  solver->threshold = calloc(n, sizeof(double));
  solver->pull = calloc(n, sizeof(double));
  if (solver->matrix && solver->inverse && solver->threshold && solver->pull) return SIM_OK;
  step_solver_clear(solver);
  return SIM_NO_MEMORY;
}

SimStatus step_solver_factor(StepSolver *solver) {
  return dense_invert(solver->d, solver->matrix, solver->inverse) ? SIM_BAD_PROBLEM : SIM_OK;
}

void step_solver_clear(StepSolver *solver) {
  free(solver->matrix);
  free(solver->inverse);
  free(solver->threshold);
  free(solver->pull);
  *solver = (StepSolver){0};
}

SimStatus step_scratch_init(StepScratch *scratch, int d) {
  size_t n = (size_t)d;
  double *space = calloc(3 * n + n * n, sizeof(double));
  int *index = calloc(n, sizeof(int));
  if (!space || !index) {
    free(space);
    free(index);
    return SIM_NO_MEMORY;
  }
  *scratch = (StepScratch){.a = space, .b = space + n, .c = space + 2 * n, .square = space + 3 * n, .index = index};
  return SIM_OK;
}

void step_scratch_clear(StepScratch *scratch) {
  free(scratch->a);
  free(scratch->index);
  *scratch = (StepScratch){0};
}

SimStatus step_solve(const StepSolver *solver, StepScratch *scratch, const double *b, const double *base, double *w,
                     double *lambda, signed char *slip, StepTally *tally) {
  double sum = 0;
  for (int i = 0; i < solver->d; i++) sum += fabs(b[i]);
  if (!isfinite(sum)) return SIM_NON_FINITE;
  if (solver->eta > 0) return step_solve_smooth(solver, scratch, b, w, lambda, slip, tally);
  return solver->kind == SIM_EXACT ? step_solve_exact(solver, scratch, b, w, lambda, slip, tally)
                                   : step_solve_fixed_point(solver, scratch, b, base, w, lambda, slip, tally);
}
