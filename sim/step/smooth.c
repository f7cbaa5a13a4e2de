/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves a step's friction problem with the smooth law: E w + q lambda(w) = b, lambda_i = w_i / sqrt(eta^2 + w_i^2).
 * The solution is the minimum of the strictly convex
 *
 *   phi(w) = w'E w / 2 - b'w + sum_i q_i sqrt(eta^2 + w_i^2).
 *
 * Gauss-Seidel with exact scalar roots never increases phi and finds the signs of w. After the first few sweeps, each
 * sweep is followed by a Newton step with halving, for strong coupling. The last sweeps accept changes within the
 * rounding errors of the other entries of w: those of a row with large terms may exceed the terms of a row with small
 * ones, and its w_i would never settle. */
#include "sim/law/smooth_law.h"

#include "sim/law/friction_law.h"
#include "sim/operator/dense.h"
#include "sim/step/dense_solver.h"

#include <float.h>

/* MAX_SWEEPS: maximum number of sweeps, of which every SWEEPS_BEFORE_NEWTON-th is followed by a Newton step.
 * LAST_SWEEPS: number of sweeps after these, without Newton steps. MAX_HALVINGS: maximum number of halvings of a Newton
 * step. */
enum { MAX_SWEEPS = 400, LAST_SWEEPS = 4, SWEEPS_BEFORE_NEWTON = 3, MAX_HALVINGS = 40 };

/* rounding error of an equation, relative to the sum of its terms */
static const double ROUND_OFF = 16 * DBL_EPSILON;

/* Makes one sweep. Returns whether all changes were rounding error. *residual: largest change, relative to q_i (to
 * |b_i| without friction). *converged: whether every root was found. blur: [d] uncertainty of w, in units of the
 * rounding error, which the sweep updates; NULL: only the rounding error of an equation's own terms is accepted. */
static bool sweep(const DenseSolver *s, const double *b, double *w, double *lambda, double *blur, bool *converged,
                  double *residual) {
  int d = s->d;
  bool settled = true;
  *residual = 0;
  for (int i = 0; i < d; i++) {
    const double *row = s->matrix + i * d;
    double beta = b[i], terms = fabs(b[i]) + s->threshold[i], q = s->threshold[i], stiffness = row[i];
    for (int j = 0; j < d; j++) {
      double term = row[j] * w[j];
      terms += fabs(term);
      if (j != i) beta -= term;
    }
    SmoothRoot root = {.w = beta / row[i], .converged = true};
    if (q > 0) {
      root = smooth_law_root(row[i], q, s->eta, beta);
      stiffness += q * smooth_law_slope(s->eta, root.w);
    }
    if (!root.converged) *converged = false;
    double change = fabs(root.w - w[i]) * stiffness, unit = q > 0 ? q : terms;
    for (int j = 0; j < d && blur; j++) terms += j == i ? 0 : fabs(row[j]) * blur[j];
    if (blur) blur[i] = terms / stiffness;
    if (!(change <= ROUND_OFF * terms)) settled = false;
    if (change > *residual * unit) *residual = change / unit;
    w[i] = root.w;
    lambda[i] = root.lambda;
  }
  return settled;
}

/* Returns phi, the function that a step minimises (see the start of this file). *terms: sum of the magnitudes of its
 * terms. */
static double potential(const DenseSolver *s, const double *b, const double *w, double *terms) {
  double quadratic = dense_form(s->d, w, s->matrix, w) / 2, linear = 0, friction = 0;
  for (int i = 0; i < s->d; i++) {
    linear += b[i] * w[i];
    friction += s->threshold[i] * hypot(s->eta, w[i]);
  }
  *terms = quadratic + fabs(linear) + friction;
  return quadratic - linear + friction;
}

/* Makes a Newton step with line search on the minimised function phi: w moves along -(phi'')^-1 phi' as far as phi
 * decreases. */
static void newton_step(const DenseSolver *s, StepScratch *scratch, const double *b, double *w) {
  int d = s->d;
  double *move = scratch->b, *trial = scratch->c, terms, trial_terms, length = 1;
  for (int i = 0; i < d; i++) {
    double q = s->threshold[i];
    move[i] = b[i] - dense_dot(d, s->matrix + i * d, w) - (q > 0 ? q * (w[i] / hypot(s->eta, w[i])) : 0);
    for (int j = 0; j < d; j++) scratch->square[i * d + j] = s->matrix[i * d + j];
    if (q > 0) scratch->square[i * d + i] += q * smooth_law_slope(s->eta, w[i]);
  }
  scratch->factored = NULL;
  if (dense_solve(d, scratch->square, move)) return;
  double phi = potential(s, b, w, &terms);
  for (int half = 0; half < MAX_HALVINGS; half++, length /= 2) {
    for (int i = 0; i < d; i++) trial[i] = w[i] + length * move[i];
    if (potential(s, b, trial, &trial_terms) > phi + ROUND_OFF * (terms + trial_terms)) continue;
    for (int i = 0; i < d; i++) w[i] = trial[i];
    return;
  }
}

SimStatus step_solve_smooth(const DenseSolver *s, StepScratch *scratch, const double *b, double *w, double *lambda,
                            signed char *slip, StepTally *tally) {
  double residual = 0, *blur = scratch->load;
  for (int i = 0; i < s->d; i++) blur[i] = 0;
  for (int k = 1; k <= MAX_SWEEPS + LAST_SWEEPS; k++) {
    bool converged = true, last = k > MAX_SWEEPS;
    if (sweep(s, b, w, lambda, last ? blur : NULL, &converged, &residual) && converged) {
      for (int i = 0; i < s->d; i++) slip[i] = (signed char)friction_sign(w[i]);
      tally->iterations += k;
      if (residual > tally->residual) tally->residual = residual;
      return SIM_OK;
    }
    /* Newton steps are made only after some sweeps, as in exact.c */
    if (k % SWEEPS_BEFORE_NEWTON == 0 && !last) newton_step(s, scratch, b, w);
  }
  tally->iterations += MAX_SWEEPS + LAST_SWEEPS;
  return SIM_NOT_CONVERGED;
}
