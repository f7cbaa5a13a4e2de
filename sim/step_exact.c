/* The step's piecewise-linear problem solved to round-off. It is the optimality condition of the convex
 * function
 *
 *     phi(w) = w'Ew / 2 - b'w + sum_i psi_i(w_i),   psi_i' = q_i lambda_i(w_i),
 *
 * so projected Gauss-Seidel (exact minimisation over one w_i at a time) always converges; where coupling
 * makes it slow, a semismooth Newton step on the branches it has found, accepted when phi falls, finishes the
 * work. */
#include "sim/dense.h"
#include "sim/friction_law.h"
#include "sim/step_solver.h"

#include <float.h>

enum { MAX_SWEEPS = 400, SWEEPS_BEFORE_NEWTON = 6, MAX_HALVINGS = 30 };

/* A sweep that moves nothing by more than this times the terms of its equation is a check that has passed. */
static const double ROUND_OFF = 16 * DBL_EPSILON;

typedef struct Scalar {
  double w, lambda;
  signed char slip;
} Scalar;

/* Solves e w + q lambda = beta with the law of dof i. In the stick branch w = k (mu - lambda_old) with k =
 * kept / pull (k = 0: w = 0) and lambda = fresh mu + kept lambda_old; the projection's argument mu is inside
 * [-1, 1] there. */
static Scalar solve_scalar(const StepSolver *s, int i, double beta, double lambda_old) {
  double e = s->matrix[i * s->d + i], q = s->threshold[i];
  if (!(q > 0)) return (Scalar){.w = beta / e, .slip = (signed char)friction_sign(beta)};
  double k = s->kept > 0 ? s->kept / s->pull[i] : 0;
  double rise = (beta - q * lambda_old) / (e * k + q * s->fresh), mu = lambda_old + rise;
  if (fabs(mu) <= 1) return (Scalar){.w = k * rise + 0.0 /* no -0 */, .lambda = s->fresh * mu + s->kept * lambda_old};
  double sign = friction_sign(mu), lambda = s->fresh * sign + s->kept * lambda_old;
  return (Scalar){.w = (beta - q * lambda) / e, .lambda = lambda, .slip = (signed char)sign};
}

/* One Gauss-Seidel sweep. Returns whether it changed nothing beyond round-off; *residual is then the largest
 * |lambda_i - P(lambda_i + s_i)| that it met (as a fraction of |b_i| where there is no friction). */
static bool sweep(const StepSolver *s, const double *b, const double *lambda_old, double *w, double *lambda,
                  signed char *slip, double *residual) {
  int d = s->d;
  bool settled = true;
  *residual = 0;
  for (int i = 0; i < d; i++) {
    const double *row = s->matrix + i * d;
    double beta = b[i], terms = fabs(b[i]) + s->threshold[i];
    for (int j = 0; j < d; j++) {
      double term = row[j] * w[j];
      terms += fabs(term);
      if (j != i) beta -= term;
    }
    Scalar new = solve_scalar(s, i, beta, s->kept > 0 ? lambda_old[i] : 0);
    double change = fabs(new.w - w[i]) * row[i];
    if (!(change <= ROUND_OFF * terms)) settled = false;
    double unit = s->threshold[i] > 0 ? s->threshold[i] : terms;
    if (change > *residual * unit) *residual = change / unit;
    w[i] = new.w;
    lambda[i] = new.lambda;
    slip[i] = new.slip;
  }
  return settled;
}

/* The primitive of q lambda(w): |w| q unregularised; with H the primitive of P, H(z) = z^2/2 inside, |z| -
 * 1/2 outside. */
static double friction_potential(const StepSolver *s, int i, double w, double lambda_old) {
  double q = s->threshold[i];
  if (!(q > 0)) return 0;
  if (!(s->kept > 0)) return q * fabs(w);
  double slope = s->pull[i] / s->kept, from = fabs(lambda_old), to = fabs(lambda_old + slope * w);
  double rise = (to <= 1 ? to * to / 2 : to - 0.5) - from * from / 2;
  return q * (s->kept * lambda_old * w + s->fresh * rise / slope);
}

/* phi(w); *terms: the sum of its terms' magnitudes, for a bound on its round-off. */
static double potential(const StepSolver *s, const double *b, const double *lambda_old, const double *w,
                        double *terms) {
  double quadratic = dense_form(s->d, w, s->matrix, w) / 2, linear = 0, friction = 0;
  for (int i = 0; i < s->d; i++) {
    linear += b[i] * w[i];
    friction += friction_potential(s, i, w[i], lambda_old[i]);
  }
  *terms = quadratic + fabs(linear) + fabs(friction);
  return quadratic - linear + friction;
}

/* target: the minimiser of phi with every dof held on its present branch. Returns false when E is too
 * ill-conditioned. */
static bool newton_target(const StepSolver *s, StepScratch *scratch, const double *b, const double *lambda_old,
                          const signed char *slip, double *target) {
  int n = 0, d = s->d, *free_dof = scratch->index;
  double *rhs = scratch->c;
  for (int i = 0; i < d; i++)
    if (slip[i] || s->kept > 0 || !(s->threshold[i] > 0)) free_dof[n++] = i;
  for (int a = 0; a < n; a++) {
    int i = free_dof[a];
    double q = s->threshold[i], stiffness = 0, lambda = 0;
    if (q > 0 && slip[i]) lambda = s->fresh * slip[i] + s->kept * lambda_old[i];
    if (q > 0 && !slip[i]) {
      lambda = lambda_old[i];
      stiffness = q * s->fresh * s->pull[i] / s->kept;
    }
    rhs[a] = b[i] - q * lambda;
    for (int c = 0; c < n; c++) scratch->square[a * n + c] = s->matrix[i * d + free_dof[c]];
    scratch->square[a * n + a] += stiffness;
  }
  if (n && dense_solve(n, scratch->square, rhs)) return false;
  for (int i = 0; i < d; i++) target[i] = 0;
  for (int a = 0; a < n; a++) target[free_dof[a]] = rhs[a];
  return true;
}

/* Moves w towards the Newton target as far as phi falls; a dof that would change its direction stops at zero. */
static void newton_step(const StepSolver *s, StepScratch *scratch, const double *b, const double *lambda_old,
                        const signed char *slip, double *w) {
  double *target = scratch->b, *trial = scratch->c, terms, trial_terms, length = 1;
  if (!newton_target(s, scratch, b, lambda_old, slip, target)) return;
  double phi = potential(s, b, lambda_old, w, &terms);
  for (int half = 0; half < MAX_HALVINGS; half++, length /= 2) {
    for (int i = 0; i < s->d; i++) {
      trial[i] = w[i] + length * (target[i] - w[i]);
      if (!(s->kept > 0) && s->threshold[i] > 0 && trial[i] * slip[i] < 0) trial[i] = 0;
    }
    if (potential(s, b, lambda_old, trial, &trial_terms) <= phi + ROUND_OFF * (terms + trial_terms)) {
      for (int i = 0; i < s->d; i++) w[i] = trial[i];
      return;
    }
  }
}

SimStatus step_solve_exact(const StepSolver *s, StepScratch *scratch, const double *b, double *w, double *lambda,
                           signed char *slip, StepTally *tally) {
  double *lambda_old = scratch->a, residual = 0;
  for (int i = 0; i < s->d; i++) lambda_old[i] = lambda[i];
  for (int k = 1; k <= MAX_SWEEPS; k++) {
    if (sweep(s, b, lambda_old, w, lambda, slip, &residual)) {
      tally->iterations += k;
      if (residual > tally->residual) tally->residual = residual;
      return SIM_OK;
    }
    if (k >= SWEEPS_BEFORE_NEWTON && k % 2 == 0) newton_step(s, scratch, b, lambda_old, slip, w);
  }
  tally->iterations += MAX_SWEEPS;
  tally->residual = fmax(tally->residual, residual);
  return SIM_NOT_CONVERGED;
}
