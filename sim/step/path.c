/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves the friction problem of a step with an unsymmetric E, for which there is no function phi to minimise
 * (exact.c). Let
 *
 *   F(w, lambda) = E w + Q lambda, lambda_i in sgn(w_i), or by the regularized law.
 *
 * F maps the curves (w_i, lambda_i) of all dofs one to one onto all b. It is piecewise linear. The symmetric part of E
 * is positive definite, so all principal minors of E are positive, and all pieces have the same orientation. Hence a
 * point for which F moves straight from its value at the guess to b passes from piece to piece and never returns
 * (Katzenelson). Each iteration moves towards the solution on the current branches (each dof slips or sticks), at most
 * to the first kink, and continues on the next branch. Mostly the guess's branches are correct, and one solve with the
 * last factor suffices.
 *
 * If two kinks are met at the same time, the path may cycle; then it is started from another point. */
#include "sim/law/branch_law.h"
#include "sim/operator/dense.h"
#include "sim/step/dense_solver.h"

/* STARTS: number of points from which paths are started. CORRECTIONS: maximum number of refinements of a solution. A
 * path of d dofs is given up after PIECES_MORE + PIECES_PER_DOF d pieces. */
enum { STARTS = 4, CORRECTIONS = 4, PIECES_MORE = 40, PIECES_PER_DOF = 8 };

/* The current point of the path, arrays [d]. at: its coordinates, lambda_i for a held dof and w_i for any other dof;
 * target: those of the solution on the current branches. */
typedef struct Way {
  double *at, *target;
  const double *b, *lambda_old;
  signed char *slip;
} Way;

static bool is_held(const DenseSolver *s, int i, int slip) {
  return slip == 0 && s->threshold[i] > 0 && !(s->kept > 0);
}

/* Returns the w_i at which dof i ceases to stick, for the regularized law. side: 1 for the end towards forward slip, -1
 * for the other end. */
static double kink_of(const DenseSolver *s, int i, double lambda_old, int side) {
  return s->kept / s->projection_weight[i] * (side - lambda_old);
}

/* Sets the first point of the path to the guess or, after failures (start > 0), to a point at which all dofs with
 * friction stick. */
static void begin(const DenseSolver *s, const Way *way, int start, const double *w) {
  for (int i = 0; i < s->d; i++) {
    double old = way->lambda_old[i], inside = start ? 0.9 * sin(start * (i + 1.0)) : friction_project(old);
    bool rubs = s->threshold[i] > 0;
    way->at[i] = start && !rubs ? 0 : w[i];
    way->slip[i] = (signed char)(start && rubs ? 0 : friction_sign(w[i]));
    if (s->kept > 0 && rubs) {
      if (start) way->at[i] = s->kept / s->projection_weight[i] * (inside - old);
      way->slip[i] = (signed char)((way->at[i] > kink_of(s, i, old, 1)) - (way->at[i] < kink_of(s, i, old, -1)));
    }
    if (is_held(s, i, way->slip[i])) way->at[i] = inside;
  }
}

/* Computes way->target, the solution of the step if every dof stays on its current branch (slip or stick), and the
 * velocities w there. Returns false if E is too ill-conditioned. */
static bool aim(const DenseSolver *s, StepScratch *scratch, const Way *way, double *w) {
  int d = s->d;
  if (!step_branch_target(s, scratch, way->b, way->lambda_old, way->slip, w)) return false;
  for (int i = 0; i < d; i++) {
    bool held = is_held(s, i, way->slip[i]);
    way->target[i] = held ? (way->b[i] - dense_dot(d, s->matrix + i * d, w)) / s->threshold[i] : w[i];
  }
  return true;
}

/* Returns the fraction of the path that dof i can move before its branch ends. *next: the branch that follows; *there:
 * coordinate at which that branch begins. */
static double part_to_kink(const DenseSolver *s, const Way *way, int i, int *next, double *there) {
  int slip = way->slip[i];
  double go = way->target[i] - way->at[i], kink = 0;
  int side = slip ? slip : go > 0 ? 1 : -1;
  if (!(s->threshold[i] > 0) || go == 0 || (slip && go * slip > 0)) return INFINITY;
  *next = slip ? 0 : side;
  if (s->kept > 0) {
    kink = *there = kink_of(s, i, way->lambda_old[i], side);
  } else {
    kink = slip ? 0 : side;
    *there = slip ? side : 0;
  }
  double part = (kink - way->at[i]) / go;
  return part > 0 ? part : 0;
}

/* Moves to the end of the path or to the first kink. Returns whether the end was reached. */
static bool advance(const DenseSolver *s, const Way *way) {
  double part = 1, there = 0, begins = 0;
  int first = -1, next = 0, branch = 0;
  for (int i = 0; i < s->d; i++) {
    double own = part_to_kink(s, way, i, &branch, &begins);
    if (!(own < part)) continue;
    part = own;
    first = i;
    next = branch;
    there = begins;
  }
  for (int i = 0; i < s->d; i++)
    way->at[i] = part == 1 ? way->target[i] : way->at[i] + part * (way->target[i] - way->at[i]);
  if (first < 0) return true;
  way->slip[first] = (signed char)next;
  way->at[first] = there;
  return false;
}

/* Computes lambda from w on the current branches, and left = b - E w - Q lambda. Returns the largest |left|, relative
 * to the terms of its equation. */
static double find_lack(const DenseSolver *s, const Way *way, const double *w, double *lambda, double *left) {
  double worst = 0;
  for (int i = 0; i < s->d; i++) {
    const double *row = s->matrix + i * s->d;
    double q = s->threshold[i], sum = way->b[i], terms = fabs(sum);
    for (int j = 0; j < s->d; j++) {
      sum -= row[j] * w[j];
      terms += fabs(row[j] * w[j]);
    }
    if (!(q > 0))
      lambda[i] = 0;
    else if (is_held(s, i, way->slip[i]))
      lambda[i] = friction_project(sum / q);
    else if (!(s->kept > 0))
      lambda[i] = way->slip[i];
    else
      lambda[i] = way->lambda_old[i] +
                  s->fresh * (friction_project(way->lambda_old[i] + s->projection_weight[i] * w[i] / s->kept) -
                              way->lambda_old[i]);
    left[i] = sum - q * lambda[i];
    terms += fabs(q * lambda[i]);
    if (!(fabs(left[i]) <= worst * terms)) worst = fabs(left[i]) / terms;
  }
  return worst;
}

/* Refines w on the final branches until the equations hold to rounding error. */
static SimStatus finish(const DenseSolver *s, StepScratch *scratch, const Way *way, double *w, double *lambda,
                        StepTally *tally) {
  double *left = way->at, *change = way->target, *better = scratch->low, *none = scratch->high;
  double lack = find_lack(s, way, w, lambda, left);
  for (int i = 0; i < s->d; i++) none[i] = 0;
  for (int k = 0; k < CORRECTIONS && lack > STEP_THOROUGH_ROUND_OFF; k++) {
    /* Solves for a correction of w. The right side for it must not contain the constant parts of friction on the
     * branches, which step_branch_target subtracts, so they are added. */
    for (int i = 0; i < s->d; i++) change[i] = left[i] + friction_branch(dense_solver_law(s, i), way->slip[i], 0).share;
    if (!step_branch_target(s, scratch, change, none, way->slip, better)) return SIM_NOT_CONVERGED;
    for (int i = 0; i < s->d; i++) better[i] = is_held(s, i, way->slip[i]) ? 0 : w[i] + better[i];
    double next = find_lack(s, way, better, lambda, left);
    if (!(next < lack)) break;
    lack = next;
    for (int i = 0; i < s->d; i++) w[i] = better[i];
  }
  lack = find_lack(s, way, w, lambda, left);
  for (int i = 0; i < s->d; i++) {
    double q = s->threshold[i], part = q > 0 ? fabs(left[i]) / q : 0;
    if (part > tally->residual) tally->residual = part;
    if (!(q > 0)) way->slip[i] = (signed char)friction_sign(w[i]);
    if (q > 0 && !(s->kept > 0) && way->slip[i] * w[i] <= 0) w[i] = way->slip[i] = 0;
    w[i] += 0.0; /* replaces -0 by 0 */
  }
  return lack <= STEP_LAST_ROUND_OFF ? SIM_OK : SIM_NOT_CONVERGED;
}

SimStatus step_solve_path(const DenseSolver *s, StepScratch *scratch, const double *b, double *w, double *lambda,
                          signed char *slip, StepTally *tally) {
  double *lambda_old = scratch->a, *guess = scratch->rise, *end = scratch->b;
  Way way = {scratch->load, scratch->ahead, b, lambda_old, slip};
  for (int i = 0; i < s->d; i++) {
    lambda_old[i] = lambda[i];
    guess[i] = w[i];
  }
  for (int start = 0; start < STARTS; start++) {
    begin(s, &way, start, guess);
    for (int k = 0; k < PIECES_MORE + PIECES_PER_DOF * s->d; k++) {
      tally->iterations++;
      if (!aim(s, scratch, &way, end)) return SIM_NOT_CONVERGED;
      if (!advance(s, &way)) continue;
      for (int i = 0; i < s->d; i++) w[i] = end[i];
      return finish(s, scratch, &way, w, lambda, tally);
    }
  }
  return SIM_NOT_CONVERGED;
}
