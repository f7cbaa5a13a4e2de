/* SPDX-License-Identifier: BSD-2-Clause */
/* The fixed-point iteration (1.12)-(1.15) of Glowinski-Kearsley, with (1.14) or (1.19). It starts from the multiplier
 * of the previous step. */
#include "sim/law/branch_law.h"
#include "sim/operator/dense.h"
#include "sim/step/iteration.h"

#include <float.h>

enum { MAX_ITERATIONS = 100000 };

/* Returns the left side of the stopping test (1.15) for x = base + w; INFINITY if it is clearly above the tolerance. */
static inline double relative_change(int d, const double *base, const double *w, const double *w_before,
                                     double tolerance) {
  double change = 0, norm = 0;
  for (int i = 0; i < d; i++) {
    double x = (base ? base[i] : 0) + w_before[i];
    change += (w[i] - w_before[i]) * (w[i] - w_before[i]);
    norm += x * x;
  }
  if (change > tolerance * tolerance * STEP_NEAR * (norm + 1)) return INFINITY;
  return sqrt(change) / (sqrt(norm) + 1);
}

/* Solves a step of size d, which is solver->d, as a constant if it is small. */
static inline SimStatus solve(int d, const DenseSolver *s, StepScratch *scratch, const double *b, const double *base,
                              double *w, double *lambda, signed char *slip, StepTally *tally) {
  double *lambda_old = scratch->a, *w_before = scratch->b, *rhs = scratch->c;
  for (int i = 0; i < d; i++) lambda_old[i] = lambda[i];
  iteration_velocity(d, 0, s, lane_rows(b), lane_rows(lambda), lane_rows(rhs), lane_rows(w));

  double change = INFINITY, tolerance = s->tolerance;
  if (s->by_multiplier) tolerance = fmax(tolerance, iteration_floor(d, 0, s, lane_rows(b)));
  long k = 1; /* number of linear systems that have been solved */
  while (!(change <= tolerance)) {
    if (++k > MAX_ITERATIONS) break;
    double multiplier_change = 0;
    for (int i = 0; i < d; i++) {
      double before = lambda[i];
      w_before[i] = w[i];
      if (s->threshold[i] > 0)
        lambda[i] = s->fresh * iteration_project(i, 0, s, lane_rows(lambda), lane_rows(w)) + s->kept * lambda_old[i];
      multiplier_change = fmax(multiplier_change, fabs(lambda[i] - before));
    }
    iteration_velocity(d, 0, s, lane_rows(b), lane_rows(lambda), lane_rows(rhs), lane_rows(w));
    change = relative_change(d, base, w, w_before, tolerance);
    if (s->by_multiplier && !isnan(change)) change = multiplier_change;
    if (isnan(change)) break;
  }
  for (int i = 0; i < d; i++) slip[i] = (signed char)friction_slip(dense_solver_law(s, i), lambda[i], w[i]);
  tally->iterations += k;
  if (!(change <= tally->residual)) tally->residual = change;
  if (isnan(change)) return SIM_NON_FINITE;
  return change <= tolerance ? SIM_OK : SIM_NOT_CONVERGED;
}

SimStatus step_solve_fixed_point(const DenseSolver *s, StepScratch *scratch, const double *b, const double *base,
                                 double *w, double *lambda, signed char *slip, StepTally *tally) {
#define SOLVE(d) return solve(d, s, scratch, b, base, w, lambda, slip, tally)
  DENSE_SIZED(s->d, SOLVE)
#undef SOLVE
}
