/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/step/dense_solver.h"

#include "sim/operator/dense.h"

#include <math.h>
#include <stdlib.h>

SimStatus dense_solver_init(DenseSolver *solver, int d) {
  size_t n = (size_t)d;
  size_t sets = d <= STEP_TABULATED ? (size_t)1 << d : 0;
  double *room = calloc((3 + sets) * n * n + 7 * n, sizeof(double));
  *solver = (DenseSolver){.d = d, .fresh = 1, .matrix = room};
  if (!room) return SIM_NO_MEMORY;
  solver->inverse = room + n * n;
  solver->rows = room + 2 * n * n;
  solver->threshold = room + 3 * n * n;
  solver->projection_weight = solver->threshold + n;
  solver->scale = solver->threshold + 2 * n;
  solver->stick_slope = solver->threshold + 3 * n;
  solver->slip_slope = solver->threshold + 4 * n;
  solver->limit = solver->threshold + 5 * n;
  solver->mobility = solver->threshold + 6 * n;
  if (sets) solver->factors = solver->threshold + 7 * n;
  return SIM_OK;
}

static int tabulate_factors(DenseSolver *s) {
  int d = s->d, failed = 0;
  for (int set = 0; set < 1 << d; set++) {
    double *l = s->factors + set * d * d;
    for (int i = 0; i < d; i++)
      for (int j = 0; j < d; j++) l[i * d + j] = set >> i & set >> j & 1 ? s->matrix[i * d + j] : i == j;
    failed |= dense_factor(d, l);
  }
  return failed;
}

/* Estimates, as if all dofs slid, whether the sweeps before a Newton step leave a noticeable error. */
static bool is_slow(const DenseSolver *s, double *error) {
  const double LEFT = 1e-12;
  double largest = 0;
  for (int i = 0; i < s->d; i++) error[i] = 1;
  for (int k = 1; k < STEP_SWEEPS_BEFORE_NEWTON; k++)
    for (int i = 0; i < s->d; i++) error[i] -= s->mobility[i] * dense_dot(s->d, s->matrix + i * s->d, error);
  for (int i = 0; i < s->d; i++) largest = fmax(largest, fabs(error[i]));
  return largest > LEFT;
}

/* Computes the data that depend on thresholds and on projection weights. */
static void weigh(DenseSolver *s) {
  for (int i = 0; i < s->d; i++) {
    double e = s->matrix[i * s->d + i], q = s->threshold[i];
    bool rubs = q > 0;
    s->limit[i] = rubs ? 1 : 0;
    s->stick_slope[i] = rubs && s->kept > 0 ? s->kept / s->projection_weight[i] : 0;
    s->slip_slope[i] = rubs ? q * s->fresh / e : 1;
    s->scale[i] = 1 / (rubs ? e * s->stick_slope[i] + q * s->fresh : e);
    for (int j = 0; j < s->d; j++) s->rows[i * s->d + j] = s->scale[i] * s->matrix[i * s->d + j];
  }
}

SimStatus dense_solver_vary(const DenseSolver *fixed, DenseSolver *s) {
  size_t n = (size_t)fixed->d;
  *s = *fixed;
  s->rows = calloc(n * n + 6 * n + 1, sizeof *s->rows);
  if (!s->rows) return SIM_NO_MEMORY;
  s->threshold = s->rows + n * n;
  s->projection_weight = s->threshold + n;
  s->scale = s->threshold + 2 * n;
  s->stick_slope = s->threshold + 3 * n;
  s->slip_slope = s->threshold + 4 * n;
  s->limit = s->threshold + 5 * n;
  return SIM_OK;
}

void dense_solver_weigh(DenseSolver *s, const StepLaw *law) {
  for (int i = 0; i < s->d; i++) {
    s->threshold[i] = law->threshold * law->friction[i];
    s->projection_weight[i] = law->projection_weight * law->friction[i];
  }
  weigh(s);
}

void dense_solver_release(DenseSolver *s) { free(s->rows); }

SimStatus dense_solver_factor(DenseSolver *s) {
  for (int i = 0; i < s->d; i++) s->mobility[i] = 1 / s->matrix[i * s->d + i];
  weigh(s);
  s->skew = !dense_is_nearly_symmetric(s->d, s->matrix);
  s->diagonal = !s->skew && !(s->kept > 0) && dense_bandwidth(s->d, s->matrix) == 0;
  s->coupled = !s->skew && s->d > STEP_TABULATED && !(s->kept > 0) && is_slow(s, s->inverse);
  if (s->factors && !s->skew && tabulate_factors(s)) return SIM_BAD_PROBLEM;
  return dense_invert(s->d, s->matrix, s->inverse);
}

void dense_solver_clear(DenseSolver *solver) {
  free(solver->matrix);
  *solver = (DenseSolver){0};
}

SimStatus step_scratch_init(StepScratch *scratch, int d) {
  size_t n = (size_t)d;
  double *space = calloc(9 * n + n * n, sizeof(double));
  int *index = calloc(2 * n, sizeof(int));
  if (!space || !index) {
    free(space);
    free(index);
    return SIM_NO_MEMORY;
  }
  *scratch = (StepScratch){.a = space,
                           .b = space + n,
                           .c = space + 2 * n,
                           .load = space + 3 * n,
                           .low = space + 4 * n,
                           .high = space + 5 * n,
                           .rise = space + 6 * n,
                           .ahead = space + 7 * n,
                           .stiffness = space + 8 * n,
                           .square = space + 9 * n,
                           .index = index};
  return SIM_OK;
}

void step_scratch_clear(StepScratch *scratch) {
  free(scratch->a);
  free(scratch->index);
  *scratch = (StepScratch){0};
}

SimStatus step_solve(const DenseSolver *solver, StepScratch *scratch, const double *b, const double *base, double *w,
                     double *lambda, signed char *slip, StepTally *tally) {
  for (int i = 0; i < solver->d; i++)
    if (!isfinite(b[i])) return SIM_NON_FINITE;
  if (solver->eta > 0) return step_solve_smooth(solver, scratch, b, w, lambda, slip, tally);
  if (solver->kind == SIM_FIXED_POINT) return step_solve_fixed_point(solver, scratch, b, base, w, lambda, slip, tally);
  if (solver->diagonal) return step_solve_apart(solver, scratch, b, w, lambda, slip, tally);
  return (solver->skew ? step_solve_path : step_solve_exact)(solver, scratch, b, w, lambda, slip, tally);
}
