/* SPDX-License-Identifier: BSD-2-Clause */
/* Descent method for steps in which Newton's method cycles. It minimises the convex function of the step,
 *
 *   phi(w) = w'Ew / 2 - b'w + sum_i psi_i(w_i), psi_i' = q_i lambda_i(w_i).
 *
 * Each round first makes a Jacobi sweep with the diagonal matrix T_i = sum_j |E_ij|, which is larger than E. The sweep
 * lowers phi and releases dofs that must slip. Then phi is minimised exactly along the line to the solution on the
 * current branches (each dof continues to slip or to stick). phi decreases each time, and the sweeps alone converge.
 * The branches are correct long before, except of dofs so near to their thresholds that differences of phi are rounding
 * error. If the number of wrong branches has not decreased for a while, they are changed one at a time, always the last
 * of them (Murty's rule), which cannot return to the same branches. */
#include "sim/law/branch_law.h"
#include "sim/operator/sparse.h"
#include "sim/step/friction_solver.h"

#include <string.h>

/* LATE_ROUND: number of a round that is passed to the operator's function `newton`, so large that it does not search
 * for all branches at once (chain_branches_find). MAX_ROUNDS: maximum number of rounds. MAX_BISECTIONS: of the search
 * along a line. ROUNDS_STALLED: number of rounds after which the number of wrong branches counts as no longer
 * decreasing. FEW: if at most so many are wrong then, up to PIVOTS steps of Murty's rule are made. */
enum { LATE_ROUND = 1000, MAX_ROUNDS = 2000, MAX_BISECTIONS = 60, ROUNDS_STALLED = 16, FEW = 16, PIVOTS = 100 };

static void gradient(const Operator *matrix, const SparseStep *step, const double *w, double *g) {
  int count = matrix->problem->count;
  for (int i = 0; i < count; i++) g[i] = -step->b[i];
  operator_add(matrix, w, g);
}

/* Makes one Jacobi sweep of w, and sets slip to the branches (slip or stick) after it. */
static void sweep(const StepLaw *law, const Operator *matrix, const SparseStep *step, double *g, double *w) {
  gradient(matrix, step, w, g);
  for (int i = 0; i < matrix->problem->count; i++) {
    double bound = sparse_row_bound(matrix, i), old = step->lambda_old ? step->lambda_old[i] : 0;
    FrictionRoot next = friction_root(bound, step_law_of(law, i), bound * w[i] - g[i], old);
    w[i] = next.w;
    step->slip[i] = (signed char)next.slip;
  }
}

/* Moves w towards target to the minimum of phi along this line. */
static void search(const StepLaw *law, const Operator *matrix, const SparseStep *step, const double *target, double *g,
                   double *w) {
  const SimProblem *s = matrix->problem;
  double slope[2] = {0}, low = 0, high = 1, part = 1; /* slope: sum of c'(E w - b) at w and at the target, with the step
                                                       * c from w to the target */
  gradient(matrix, step, w, g);
  for (int i = 0; i < s->count; i++) slope[0] += (target[i] - w[i]) * g[i];
  gradient(matrix, step, target, g);
  for (int i = 0; i < s->count; i++) slope[1] += (target[i] - w[i]) * g[i];
  sim_group_sum(s->group, slope, 2);
  for (int k = 0; k < MAX_BISECTIONS && low < high; k++) {
    double friction = 0;
    for (int i = 0; i < s->count; i++) {
      double way = target[i] - w[i], old = step->lambda_old ? step->lambda_old[i] : 0;
      friction += way * friction_reaction(step_law_of(law, i), w[i] + part * way, old);
    }
    sim_group_sum(s->group, &friction, 1);
    if (slope[0] + part * (slope[1] - slope[0]) + friction > 0)
      high = part;
    else
      low = part;
    part = (low + high) / 2;
  }
  for (int i = 0; i < s->count; i++) w[i] = low == 1 ? target[i] : w[i] + low * (target[i] - w[i]);
}

/* Makes one Newton step as in a late round, in which chain_branches_find is not used. *moved: number of changed
 * branches over all ranks. */
static SimStatus take_step(const StepLaw *law, OperatorSolver *solver, const SparseStep *step, double *moved) {
  long changed = 0;
  SimStatus status = solver->matrix->ops->newton(solver, law, step, LATE_ROUND, &changed);
  *moved = (double)changed;
  sim_group_sum(solver->matrix->problem->group, moved, 1);
  return status;
}

/* Undoes all changes of branches except that of the last dof, over all ranks together. */
static void move_last(const StepLaw *law, const SimProblem *s, const signed char *before, signed char *slip) {
  double last = -1;
  for (int i = s->count - 1; i >= 0 && last < 0; i--)
    if (slip[i] != before[i] && law->friction[i] > 0) last = s->first + i;
  sim_group_max(s->group, &last, 1);
  for (int i = 0; i < s->count; i++)
    if (s->first + i != last) slip[i] = before[i];
}

/* Makes up to PIVOTS steps of Murty's rule. *moved: 0 if the branches no longer change. */
static SimStatus pivot(const StepLaw *law, OperatorSolver *solver, const SparseStep *step, signed char *before,
                       double *moved, StepTally *tally) {
  const SimProblem *s = solver->matrix->problem;
  SimStatus status = SIM_OK;
  for (int k = 0; k<PIVOTS && * moved> 0 && status == SIM_OK; k++) {
    memcpy(before, step->slip, (size_t)s->count);
    status = take_step(law, solver, step, moved);
    tally->iterations++;
    if (*moved > 0) move_last(law, s, before, step->slip);
  }
  return status;
}

SimStatus friction_descend(const StepLaw *law, FrictionWork *work, OperatorSolver *solver, const SparseStep *step,
                           StepTally *tally) {
  const Operator *matrix = solver->matrix;
  const SimProblem *s = matrix->problem;
  double *w = work->spare[1], *g = work->spare[0], sum = 0, least = INFINITY, moved;
  for (int i = 0; i < s->count; i++) sum += fabs(step->b[i]) + fabs(step->w[i]);
  sim_group_sum(s->group, &sum, 1);
  if (!isfinite(sum)) return SIM_NON_FINITE;
  memcpy(w, step->w, (size_t)s->count * sizeof *w);
  for (int round = 0, left = ROUNDS_STALLED; round < MAX_ROUNDS; round++, left--) {
    sweep(law, matrix, step, g, w);
    matrix->ops->forget(solver);
    SimStatus status = take_step(law, solver, step, &moved);
    tally->iterations++;
    bool stalled = left <= 0 && !(moved < least);
    if (stalled || moved < least) left = ROUNDS_STALLED;
    if (status == SIM_OK && stalled && least <= FEW) status = pivot(law, solver, step, (signed char *)g, &moved, tally);
    if (status != SIM_OK || !(moved > 0)) return status;
    least = fmin(least, moved);
    search(law, matrix, step, step->w, g, w);
  }
  return SIM_NOT_CONVERGED;
}
