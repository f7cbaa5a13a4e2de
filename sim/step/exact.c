/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves the piecewise-linear problem of a step to round-off. The problem is the optimality condition of the convex
 * function
 *
 *   phi(w) = w'Ew / 2 - b'w + sum_i psi_i(w_i), psi_i' = q_i lambda_i(w_i).
 *
 * Projected Gauss-Seidel, which minimises exactly over one w_i at a time, therefore always converges. If coupling makes
 * it slow, semismooth Newton steps from branch to branch (each dof slips or sticks) complete the solution. If sweeps
 * are known to be slow (coupled), the solver begins with a Newton step on the branches of the guess. It makes another
 * one whenever a sweep has changed a branch. One factor then mostly serves many steps.
 *
 * Equation i is divided by a factor that makes its unknown the change rise_i of the projection's argument, mu_i =
 * lambda_old_i + rise_i:
 *
 *   rise_i = load_i - sum_{j != i} R_ij w_j, load_i = scale_i (b_i - q_i lambda_old_i), R_ij = scale_i E_ij,
 *   c_i = min(max(rise_i, -1 - lambda_old_i), 1 - lambda_old_i), lambda_i = lambda_old_i + fresh c_i,
 *   w_i = stick_slope_i rise_i + slip_slope_i (rise_i - c_i).
 *
 * For the unregularized law lambda_old = 0. The interval of c_i is [0, 0] if q_i = 0. Inside the interval the dof
 * sticks, at its ends it slips. There are no divisions and no conditional branches, so that vector lanes can use the
 * same code (sweep.h). */
#include "sim/law/branch_law.h"
#include "sim/operator/dense.h"
#include "sim/step/dense_solver.h"
#include "sim/step/sweep.h"

/* MAX_SWEEPS: maximum number of sweeps of a solve. LAST_SWEEPS: number of sweeps from which on a larger residual counts
 * as rounding error. */
enum { MAX_SWEEPS = 400, LAST_SWEEPS = 200 };

/* Returns the relative residual below which the solution counts as exact after so many sweeps. */
static double round_off_of(const DenseSolver *s, int sweeps) {
  return sweeps >= LAST_SWEEPS                               ? STEP_LAST_ROUND_OFF
         : s->coupled || sweeps >= STEP_SWEEPS_BEFORE_NEWTON ? STEP_THOROUGH_ROUND_OFF
                                                             : STEP_ROUND_OFF;
}

/* Sets scratch->square to the factor of E, plus the stiffness of friction, for the dofs that are not held with the
 * branches `slip`. If the stored factor belongs to the same dofs, it is used again. Returns false if E is too
 * ill-conditioned. */
static bool factor(const DenseSolver *s, StepScratch *scratch, const signed char *slip) {
  int n = 0, d = s->d, *member = scratch->index;
  double *square = scratch->square;
  bool same = scratch->factored == s;
  for (int i = 0; i < d; i++) {
    FrictionBranch branch = friction_branch(dense_solver_law(s, i), slip[i], 0);
    double stiffness = branch.held ? INFINITY : branch.stiffness;
    same = same && stiffness == scratch->stiffness[i];
    scratch->stiffness[i] = stiffness;
  }
  if (same) return true;
  for (int i = 0; i < d; i++)
    if (!isinf(scratch->stiffness[i])) member[n++] = i;
  for (int a = 0; a < n; a++) {
    for (int c = 0; c < n; c++) square[a * n + c] = s->matrix[member[a] * d + member[c]];
    square[a * n + a] += scratch->stiffness[member[a]];
  }
  scratch->members = n;
  bool singular = s->skew ? dense_factor_any(n, square, member + d) : dense_factor(n, square);
  scratch->factored = singular ? NULL : s;
  return scratch->factored;
}

/* Computes the minimizer of phi for a symmetric E, with every dof on its current branch. Returns false if E cannot be
 * factored on these branches. */
bool step_branch_target(const DenseSolver *s, StepScratch *scratch, const double *b, const double *lambda_old,
                        const signed char *slip, double *target) {
  double *rhs = scratch->c;
  if (!factor(s, scratch, slip)) return false;
  int n = scratch->members;
  const int *member = scratch->index;
  for (int a = 0; a < n; a++) {
    int i = member[a];
    rhs[a] = b[i] - friction_branch(dense_solver_law(s, i), slip[i], lambda_old[i]).share;
  }
  if (s->skew)
    dense_substitute_any(n, scratch->square, member + s->d, rhs);
  else
    dense_substitute(n, scratch->square, rhs);
  for (int i = 0; i < s->d; i++) target[i] = 0;
  for (int a = 0; a < n; a++) target[member[a]] = rhs[a];
  return true;
}

/* Returns the fraction of the way to its target that w_i can move before its branch ends. *next: the branch beyond that
 * point. For the unregularized law a branch ends at w = 0, for the regularized one where the projection's argument mu
 * is 1 or -1. */
static double way_to_kink(const DenseSolver *s, int i, double w, double target, double lambda_old, int branch,
                          int *next) {
  double way = target - w, kink = 0;
  if (!(s->threshold[i] > 0) || way == 0) return INFINITY;
  if (!(s->kept > 0)) {
    *next = 0;
    if (!branch || way * branch > 0) return INFINITY;
  } else {
    int side = branch ? branch : way > 0 ? 1 : -1; /* which kink, mu = 1 or mu = -1, is next */
    if (branch && way * branch > 0) return INFINITY;
    *next = branch ? 0 : side;
    kink = s->kept / s->projection_weight[i] * (side - lambda_old);
  }
  return fmax((kink - w) / way, 0);
}

/* Moves w from branch to branch (each dof slips or sticks) to a point that minimises phi on its own branches. Each step
 * moves towards the minimizer on the current branches, at most to the end of the first branch. phi decreases all the
 * way, and only a sweep releases a dof that has come to rest, so no set of branches recurs. */
static void descend(const DenseSolver *s, StepScratch *scratch, const double *b, const double *lambda_old, double *w,
                    signed char *slip) {
  double *target = scratch->b;
  for (int k = 0; k <= 2 * s->d; k++) {
    if (!step_branch_target(s, scratch, b, lambda_old, slip, target)) return;
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

/* Computes lambda and slip from the last sweep. Returns whether any dof has changed between slipping and sticking. */
LANE_INLINE bool branches(int d, const DenseSolver *s, Sweep at, const double *lambda_old, double *lambda,
                          signed char *slip) {
  bool regularized = s->kept > 0, other = false;
  for (int i = 0; i < d; i++) {
    double low = sweep_low(regularized, s, at, i, 0), high = sweep_high(regularized, s, at, i, 0);
    double rise = at.rise[i].v[0], inside = simd_between(rise, low, high);
    int side = (rise > high) - (rise < low);
    lambda[i] = (regularized ? lambda_old[i] : 0) + s->fresh * inside;
    other = other || (side != slip[i] && s->limit[i] > 0);
    slip[i] = (signed char)side;
  }
  return other;
}

/* Returns the sum of the magnitudes of the terms of equation i, in the units of this equation. */
static double terms_of(const DenseSolver *s, Sweep at, const double *w, int i) {
  double sum = fabs(at.load[i].v[0]) + s->limit[i] + fabs(at.rise[i].v[0]);
  for (int j = 0; j < s->d; j++) sum += fabs(s->rows[i * s->d + j] * w[j]);
  return sum;
}

/* Whether another sweep would change w by rounding error only. The rounding error of an equation includes that of its
 * terms and that of the other entries of w, which follows from their own equations. The second part matters if some
 * equations have far larger terms than others. */
static bool stands(const DenseSolver *s, StepScratch *scratch, Sweep at, double *w) {
  enum { PASSES = 3 };
  double *blur = scratch->c; /* uncertainty of w, in units of the rounding error */
  bool settled = true;
  sweep_run(s->d, s->kept > 0, s, at, NULL, lane_rows(w));
  for (int i = 0; i < s->d; i++) blur[i] = s->slip_slope[i] * terms_of(s, at, w, i);
  for (int pass = 0; pass < PASSES; pass++)
    for (int i = 0; i < s->d; i++) {
      double sum = terms_of(s, at, w, i);
      for (int j = 0; j < s->d; j++) sum += j == i ? 0 : fabs(s->rows[i * s->d + j]) * blur[j];
      blur[i] = s->slip_slope[i] * sum;
    }
  for (int i = 0; i < s->d; i++) {
    LaneVector ahead;
    double room = terms_of(s, at, w, i);
    sweep_ahead(s->d, i, s->rows, lane_rows(w), &ahead);
    for (int j = i + 1; j < s->d; j++) room += fabs(s->rows[i * s->d + j]) * blur[j];
    settled = settled && fabs(ahead.v[0] - at.ahead[i].v[0]) <= STEP_LAST_ROUND_OFF * room;
    at.ahead[i] = ahead;
  }
  return settled;
}

static Sweep sweep_of(const StepScratch *scratch) {
  return (Sweep){lane_rows(scratch->load), lane_rows(scratch->low),   lane_rows(scratch->high),
                 lane_rows(scratch->rise), lane_rows(scratch->ahead), lane_rows(scratch->b)};
}

/* Solves a step of size d, which is solver->d, as a constant if it is small. */
static inline SimStatus solve(int d, const DenseSolver *s, StepScratch *scratch, const double *b, double *w,
                              double *lambda, signed char *slip, StepTally *tally) {
  const Sweep at = sweep_of(scratch);
  bool regularized = s->kept > 0;
  double *lambda_old = scratch->a;
  LaneMask open = {{true}};
  LaneVector residual = {{0}};
  for (int i = 0; i < d; i++) lambda_old[i] = lambda[i];
  for (int i = 0; i < d; i++)
    slip[i] = (signed char)(s->limit[i] * friction_sign(w[i])); /* branches (slip or stick) of the initial guess */
  if (s->coupled) descend(s, scratch, b, lambda_old, w, slip);
  sweep_begin(d, regularized, s, at, lane_rows(b), lane_rows(w), lane_rows(lambda_old));
  int k = 0;
  while (open.v[0] && k < MAX_SWEEPS) {
    sweep_run(d, regularized, s, at, NULL, lane_rows(w));
    k++;
    sweep_settle(d, s, at, lane_rows(w), &open, true, round_off_of(s, k), &residual);
    bool due = k % STEP_SWEEPS_BEFORE_NEWTON == 0;
    if (open.v[0] && (due || s->coupled) && (branches(d, s, at, lambda_old, lambda, slip) || due)) {
      /* not after each sweep, because the last Newton step may have left rounding errors of rows with large terms in a
       * row with small terms */
      descend(s, scratch, b, lambda_old, w, slip);
      for (int i = 0; i < d; i++) sweep_ahead(d, i, s->rows, lane_rows(w), &at.ahead[i]);
    }
  }
  if (open.v[0]) open.v[0] = !stands(s, scratch, at, w);
  branches(d, s, at, lambda_old, lambda, slip);
  tally->iterations += k;
  tally->residual = simd_larger(residual.v[0], tally->residual);
  return open.v[0] ? SIM_NOT_CONVERGED : SIM_OK;
}

SimStatus step_solve_exact(const DenseSolver *s, StepScratch *scratch, const double *b, double *w, double *lambda,
                           signed char *slip, StepTally *tally) {
#define SOLVE(d) return solve(d, s, scratch, b, w, lambda, slip, tally)
  DENSE_SIZED(s->d, SOLVE);
#undef SOLVE
}

LANE_INLINE SimStatus solve_apart(int d, const DenseSolver *s, StepScratch *scratch, const double *b, double *w,
                                  double *lambda, signed char *slip, StepTally *tally) {
  const Sweep at = sweep_of(scratch);
  sweep_apart(d, s, at, lane_rows(b), lane_rows(w));
  branches(d, s, at, scratch->a, lambda, slip);
  tally->iterations++;
  return SIM_OK;
}

SimStatus step_solve_apart(const DenseSolver *s, StepScratch *scratch, const double *b, double *w, double *lambda,
                           signed char *slip, StepTally *tally) {
#define SOLVE(d) return solve_apart(d, s, scratch, b, w, lambda, slip, tally)
  DENSE_SIZED(s->d, SOLVE);
#undef SOLVE
}
