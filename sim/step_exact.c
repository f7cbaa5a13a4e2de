/* The step's piecewise-linear problem solved to round-off. It is the optimality condition of the convex function
 *
 *     phi(w) = w'Ew / 2 - b'w + sum_i psi_i(w_i),   psi_i' = q_i lambda_i(w_i),
 *
 * so projected Gauss-Seidel (exact minimisation over one w_i at a time) always converges; where coupling makes it slow,
 * semismooth Newton steps from branch to branch finish the work. */
#include "sim/dense.h"
#include "sim/friction_law.h"
#include "sim/step_scalar.h"
#include "sim/step_solver.h"

#include <float.h>

enum { MAX_SWEEPS = 400, SWEEPS_BEFORE_NEWTON = 6 };

/* A sweep that moves nothing by more than this times the terms of its equation is a check that has passed. */
static const double ROUND_OFF = 16 * DBL_EPSILON;

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
    StepScalarLaw law = {.q = s->threshold[i], .pull = s->pull[i], .fresh = s->fresh, .kept = s->kept};
    StepScalar new = step_scalar(row[i], law, beta, s->kept > 0 ? lambda_old[i] : 0);
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

/* How far w_i may go towards its target, as a fraction of the way, before its branch ends; *next: the branch beyond. A
 * branch ends at w = 0 unregularised, and where the projection's argument mu is 1 or -1 regularised. */
static double way_to_kink(const StepSolver *s, int i, double w, double target, double lambda_old, int branch,
                          int *next) {
  double way = target - w, kink = 0;
  if (!(s->threshold[i] > 0) || way == 0) return INFINITY;
  if (!(s->kept > 0)) {
    *next = 0;
    if (!branch || way * branch > 0) return INFINITY;
  } else {
    int side = branch ? branch : way > 0 ? 1 : -1; /* which of mu = 1, mu = -1 is ahead */
    if (branch && way * branch > 0) return INFINITY;
    *next = branch ? 0 : side;
    kink = s->kept / s->pull[i] * (side - lambda_old);
  }
  return fmax((kink - w) / way, 0);
}

/* Goes from branch to branch downhill to a point that is the minimiser of phi on its own branches: towards the minimiser
 * on the present ones, no further than to where the first of them ends, and so on. phi falls all the way, and a dof that
 * has come to rest is only set free by a sweep, so no set of branches comes back. */
static void descend(const StepSolver *s, StepScratch *scratch, const double *b, const double *lambda_old, double *w,
                    signed char *slip) {
  double *target = scratch->b;
  for (int k = 0; k <= 2 * s->d; k++) {
    if (!newton_target(s, scratch, b, lambda_old, slip, target)) return;
    double length = 1;
    int first = -1, branch = 0, next = 0;
    for (int i = 0; i < s->d; i++) {
      double fraction = way_to_kink(s, i, w[i], target[i], lambda_old[i], slip[i], &next);
      if (!(fraction < length)) continue;
      length = fraction;
      first = i;
      branch = next;
    }
    for (int i = 0; i < s->d; i++) w[i] = length == 1 ? target[i] : w[i] + length * (target[i] - w[i]);
    if (first < 0) return;
    slip[first] = (signed char)branch;
    if (!(s->kept > 0)) w[first] = 0;
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
    /* not after each sweep: a row of small terms sees the round-off of the last step in those of larger ones */
    if (k % SWEEPS_BEFORE_NEWTON == 0) descend(s, scratch, b, lambda_old, w, slip);
  }
  tally->iterations += MAX_SWEEPS;
  tally->residual = fmax(tally->residual, residual);
  return SIM_NOT_CONVERGED;
}
