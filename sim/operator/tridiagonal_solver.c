/* SPDX-License-Identifier: BSD-2-Clause */
/* Systems of tridiagonal matrices with diagonal entries a_i and off-diagonal entries o_i, solved by LDL' sweeps with
 * some dofs held at 0, for right sides r:
 *
 *   e_i = a_i - o_{i-1} l_{i-1}, l_i = o_i / e_i, y_i = r_i - l_{i-1} y_{i-1}, w_i = y_i / e_i - l_i w_{i+1}.
 *
 * For a held dof 1/e_i = l_i = 0, which removes it from its neighbours' sums, and y_i - o_i w_{i+1} is its reaction.
 * Each row waits for the previous one during one product and one difference, in each direction.
 *
 * From one solve to the next few branches change, and the effect of a change decreases from row to row. So a sweep
 * begins at a changed branch and continues as long as numbers change. Its result is that of a sweep over all rows.
 *
 * In a group each rank but the first leaves its first row, which is the interface to the previous rank, out of the
 * elimination. All ranks eliminate their other rows at the same time. Rows 1, 2, .. keep their coupling z_i to the
 * interface (z_1 = o_0, z_{i+1} = -o_i / e_i z_i). There remains one row per interface, a tridiagonal system that every
 * rank solves. A solve needs one message. */
#include "sim/law/lane_vector.h"
#include "sim/operator/tridiagonal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rounding error of a sum of a few terms, in units of eps. */
static const double ROUND_OFF = 64 * DBL_EPSILON;

void tridiagonal_solver_destroy(OperatorSolver *solver) {
  TridiagonalSolver *s = (TridiagonalSolver *)solver;
  if (!s) return;
  chain_branches_destroy(s->branches);
  free(s->inverse);
  free(s->link);
  free(s->y);
  free(s->slip);
  free(s->contribution);
  free(s->columns);
  free(s->interface);
  free(s);
}

SimStatus tridiagonal_solver_create(const Operator *matrix, OperatorSolver **out) {
  const Tridiagonal *t = (const Tridiagonal *)matrix;
  const SimProblem *sparse = matrix->problem;
  size_t count = (size_t)sparse->count;
  int rank = stiction_group_rank(sparse->group), size = stiction_group_size(sparse->group);
  TridiagonalSolver *s = calloc(1, sizeof *s);
  if (s) {
    *s = (TridiagonalSolver){.base = {.matrix = matrix}, .rank = rank, .size = size, .begin = rank > 0};
    s->inverse = calloc(count, sizeof(double));
    s->link = calloc(count, sizeof(double));
    s->y = calloc(count, sizeof(double));
    s->slip = calloc(count, sizeof *s->slip);
    if (size > 1) {
      s->contribution = calloc((size_t)size, sizeof *s->contribution);
      s->columns = calloc((size_t)size * TRIDIAGONAL_BLOCK, sizeof *s->columns);
      s->interface = calloc((size_t)size + 1, sizeof *s->interface);
    }
    *out = &s->base;
  }
  bool there =
      s && s->inverse && s->link && s->y && s->slip && (size == 1 || (s->contribution && s->columns && s->interface));
  SimStatus status = sim_group_agree(sparse->group, there ? SIM_OK : SIM_NO_MEMORY);
  return status == SIM_OK && t->off ? chain_branches_create(sparse, t->diagonal, t->off, &s->branches) : status;
}

/* Returns the branch of a row. law NULL: there is no friction. */
static inline FrictionBranch branch_of(const StepLaw *law, const SparseStep *step, int i) {
  if (!law) return (FrictionBranch){0};
  return friction_branch(step_law_of(law, i), step->slip[i], law->kept > 0 ? step->lambda_old[i] : 0);
}

/* Computes the inverse pivot 1/e and the factor l of a row; `link` is l_{i-1}. *status: set to SIM_BAD_PROBLEM if e <=
 * 0. Returns whether 1/e or l has changed. */
static inline bool pivot(TridiagonalSolver *s, int i, double link, FrictionBranch branch, SimStatus *status) {
  const Tridiagonal *t = (const Tridiagonal *)s->base.matrix;
  double e = t->diagonal[i] + branch.stiffness - (link != 0 ? t->off[i - 1] * link : 0), before = s->inverse[i];
  if (e <= 0) *status = SIM_BAD_PROBLEM;
  s->inverse[i] = branch.held ? 0 : 1 / e;
  s->link[i] = tridiagonal_coupling(t, i) * s->inverse[i];
  return s->inverse[i] != before;
}

SimStatus tridiagonal_factor(TridiagonalSolver *s, const StepLaw *law, const signed char *slip) {
  SimStatus status = SIM_OK;
  int count = s->base.matrix->problem->count;
  for (int i = s->begin; i < count; i++)
    pivot(s, i, i > s->begin ? s->link[i - 1] : 0, friction_branch(step_law_of(law, i), slip[i], 0), &status);
  memcpy(s->slip, slip, (size_t)count);
  s->factored = status == SIM_OK;
  return status;
}

/* Returns the first row, from i on, at which a sweep must begin, because its branch has changed or its y must be
 * corrected. */
static int next_stale(const TridiagonalSolver *s, const signed char *slip, int i) {
  return i <= s->corrected ? i : chain_branches_differ(slip, s->slip, i, s->base.matrix->problem->count);
}

/* Records that the rows first .. last - 1 have been eliminated. If there are too many such runs of rows, the last one
 * is extended over the rows in between. */
static void note_run(TridiagonalSolver *s, int first, int last) {
  if (s->runs < TRIDIAGONAL_RUNS) s->run[s->runs++].first = first;
  s->run[s->runs - 1].last = last;
}

/* Computes the right sides y of rows i .. last - 1 with existing factors. y: right side of row i - 1. Returns the right
 * side of row last - 1. */
static double carry(TridiagonalSolver *s, const StepLaw *law, const SparseStep *step, const double *b, int i, int last,
                    double y) {
  const StepLaw own = law ? *law : (StepLaw){0};
  double link = i > s->begin ? s->link[i - 1] : 0;
  for (; i < last; i++) {
    y = b[i] - branch_of(law ? &own : NULL, step, i).share - link * y;
    link = s->link[i];
    s->y[i] = y;
  }
  return y;
}

/* Computes 1/e, l and y (inverse pivots, factors and right sides after elimination) from b minus the constant parts of
 * friction. anew: whether b has changed. law: NULL if there is no friction, and no dof is held. */
static SimStatus eliminate(TridiagonalSolver *s, const StepLaw *law, const SparseStep *step, const double *b,
                           bool anew) {
  const signed char *slip = step ? step->slip : s->slip;
  int d = s->base.matrix->problem->count;
  bool all = anew || !s->factored;
  SimStatus status = SIM_OK;
  s->runs = 0;
  if (s->size > 1) note_run(s, s->begin, s->begin); /* a run without rows, which correct() may extend */
  for (int i = s->begin; i < d && (all || (i = next_stale(s, slip, i)) < d);) {
    int first = i;
    bool pivot_moved = !s->factored, y_moved = false;
    double last = i > s->begin ? s->y[i - 1] : 0;
    do {
      int changed = all && !pivot_moved ? chain_branches_differ(slip, s->slip, i, d) : i;
      last = carry(s, law, step, b, i, changed, last);
      if ((i = changed) == d) break;
      FrictionBranch branch = branch_of(law, step, i);
      double link = i > s->begin ? s->link[i - 1] : 0;
      if (pivot_moved || slip[i] != s->slip[i]) {
        pivot_moved = pivot(s, i, link, branch, &status) || !s->factored;
        s->slip[i] = slip[i];
      }
      last = b[i] - branch.share - link * last;
      y_moved = last != s->y[i];
      s->y[i++] = last;
    } while (i < d && (all || pivot_moved || y_moved || i <= s->corrected || slip[i] != s->slip[i]));
    note_run(s, first, i);
  }
  if (s->begin) s->slip[0] = slip[0];
  s->corrected = -1;
  s->factored = status == SIM_OK;
  return status;
}

static SchurContribution own_contribution(const TridiagonalSolver *s, const StepLaw *law, const SparseStep *step,
                                          const double *b) {
  const Tridiagonal *t = (const Tridiagonal *)s->base.matrix;
  int last = t->base.problem->count - 1;
  SchurContribution share = {0};
  if (s->begin) {
    FrictionBranch branch = branch_of(law, step, 0);
    double pivot = t->diagonal[0] + branch.stiffness, right = b[0] - branch.share, z = tridiagonal_coupling(t, 0);
    for (int i = 1; i <= last && z != 0; i++) {
      pivot -= z * z * s->inverse[i];
      right -= z * s->inverse[i] * s->y[i];
      z = tridiagonal_border(s, i, z);
    }
    share = (SchurContribution){.pivot = pivot, .right = right, .cross = z, .held = branch.held};
  }
  if (last >= s->begin) {
    share.far_pivot = -tridiagonal_coupling(t, last) * s->link[last];
    share.far_right = -s->link[last] * s->y[last];
  }
  return share;
}

SimStatus tridiagonal_interfaces(const SchurContribution *share, Interface *interface, int size) {
  for (int k = 1; k < size; k++) {
    double link = share[k - 1].cross * interface[k - 1].inverse;
    double pivot = share[k].pivot + share[k - 1].far_pivot - share[k - 1].cross * link;
    double far = share[k - 1].far_right - link * interface[k - 1].reaction;
    if (!(pivot > 0)) return SIM_BAD_PROBLEM;
    interface[k].inverse = share[k].held > 0 ? 0 : 1 / pivot;
    interface[k].reaction = share[k].right + far;
    interface[k].scale = fabs(share[k].right) + fabs(far);
  }
  for (int k = size - 1; k > 0; k--) {
    double far = share[k].cross * interface[k + 1].w;
    interface[k].reaction -= far;
    interface[k].scale += fabs(far);
    interface[k].w = interface[k].inverse != 0 ? interface[k].inverse * interface[k].reaction : 0;
  }
  return SIM_OK;
}

/* Subtracts the effect of w, the solution at the interface before this rank, from y, the right sides after elimination.
 * Records the rows that change as a run (note_run), so that the back substitution processes them. */
static void correct(TridiagonalSolver *s, double w) {
  const Tridiagonal *t = (const Tridiagonal *)s->base.matrix;
  double z = s->begin ? tridiagonal_coupling(t, 0) : 0;
  for (int i = 1; i < t->base.problem->count && z != 0 && w != 0; i++) {
    s->y[i] -= z * w;
    z = tridiagonal_border(s, i, z);
    s->corrected = i;
  }
  for (int k = 0; k < s->runs && s->run[k].first <= s->corrected; k++) {
    s->run[k].first = s->begin;
    if (s->run[k].last <= s->corrected) s->run[k].last = s->corrected + 1;
  }
}

/* Performs all parts of a solve except back substitution. *next: w of the row behind this rank's last one. */
static SimStatus forward(TridiagonalSolver *s, const StepLaw *law, const SparseStep *step, const double *b, bool anew,
                         double *next) {
  const Tridiagonal *t = (const Tridiagonal *)s->base.matrix;
  const SimProblem *sparse = t->base.problem;
  SimStatus status = eliminate(s, law, step, b, anew);
  *next = 0;
  if (s->size == 1) return status;
  SchurContribution own = own_contribution(s, law, step, b);
  if (status != SIM_OK) own.pivot = own.far_pivot = NAN;
  sim_group_allgather(sparse->group, &own.pivot, sizeof own / sizeof(double), &s->contribution->pivot);
  status = tridiagonal_interfaces(s->contribution, s->interface, s->size);
  *next = s->interface[s->rank + 1].w;
  correct(s, s->interface[s->rank].w);
  return status;
}

SimStatus tridiagonal_solve(OperatorSolver *solver, const double *b, double *w) {
  TridiagonalSolver *s = (TridiagonalSolver *)solver;
  double next;
  SimStatus status = forward(s, NULL, NULL, b, true, &next);
  if (status != SIM_OK) return status;
  for (int i = solver->matrix->problem->count - 1; i >= s->begin; i--)
    w[i] = next = s->inverse[i] * s->y[i] - s->link[i] * next;
  if (s->begin) w[0] = s->interface[s->rank].w;
  return SIM_OK;
}

/* Local copy of the data for back substitution. Without it the compiler must assume that step.slip aliases them. */
typedef struct Rows {
  const double *inverse, *link, *y, *off; /* [count] arrays; off NULL: all off-diagonal entries are 0 */
  StepLaw law;
  SparseStep step;
} Rows;

/* Sets w, lambda and the next branch of a dof. reaction: reaction of a held dof, computed from terms of size `scale`.
 * kept: whether law.kept > 0. Returns whether the branch changes. */
LANE_INLINE bool land(const Rows *at, bool kept, int i, double inverse, double w, double reaction, double scale) {
  DofLaw law = step_law_of(&at->law, i);
  int before = at->step.slip[i];
  double round_off = ROUND_OFF * scale, old = kept ? at->step.lambda_old[i] : 0;
  if (kept)
    round_off = ROUND_OFF + law.weight / law.kept * inverse * round_off;
  else
    law.kept = 0;
  at->step.w[i] = w;
  int slip = friction_next_branch(law, before, old, w, reaction, round_off, &at->step.lambda[i]);
  at->step.slip[i] = (signed char)slip;
  return slip != before && at->law.friction[i] > 0;
}

/* Back substitution in one row. *next: w of the row behind it on entry, w of this row on return. Returns whether the
 * branch changes. */
LANE_INLINE bool substitute_row(const Rows *at, bool kept, int i, double *next) {
  double inverse = at->inverse[i], y = at->y[i], behind = *next;
  *next = inverse != 0 ? inverse * y - at->link[i] * behind : 0;
  /* the dof slips, so its reaction is not needed */
  if (!kept && inverse != 0) return land(at, kept, i, inverse, *next, 0, 0);
  double far = at->off ? at->off[i] * behind : 0;
  return land(at, kept, i, inverse, *next, y - far, fabs(y) + fabs(far));
}

/* Back substitution, which also sets the next branch of each dof. It processes the rows of the runs (note_run), and
 * further rows as long as w changes. behind: w of the row behind this rank's last one. Returns the number of changed
 * branches. */
LANE_INLINE long substitute_rows(const TridiagonalSolver *s, Rows at, bool kept, double behind) {
  int d = s->base.matrix->problem->count, i = d - 1; /* i: index of the last row that is not yet processed */
  long changed = 0;
  for (int k = s->runs - 1; k >= 0; k--) {
    int first = s->run[k].first;
    bool moved = s->run[k].last == d;
    if (i >= s->run[k].last) i = s->run[k].last - 1;
    double next = i < d - 1 ? at.step.w[i + 1] : behind;
    if (i >= first) {
      double before = at.step.w[first];
      for (; i >= first; i--) changed += substitute_row(&at, kept, i, &next);
      moved = next != before;
    }
    for (; i >= s->begin && moved; i--) {
      double before = at.step.w[i];
      changed += substitute_row(&at, kept, i, &next);
      moved = next != before;
    }
  }
  if (s->begin) {
    Interface own = s->interface[s->rank];
    s->inverse[0] = own.inverse;
    changed += land(&at, kept, 0, own.inverse, own.w, own.reaction, own.scale);
  }
  return changed;
}

static long substitute(TridiagonalSolver *s, const StepLaw *law, const SparseStep *step, double behind) {
  const Tridiagonal *t = (const Tridiagonal *)s->base.matrix;
  const Rows rows = {s->inverse, s->link, s->y, t->off, *law, *step};
  int d = t->base.problem->count;
  if (s->size > 1)
    note_run(s, d, d); /* `behind` may change before the next solve, so back substitution must begin at the last row */
  return law->kept > 0 ? substitute_rows(s, rows, true, behind) : substitute_rows(s, rows, false, behind);
}

void tridiagonal_forget(OperatorSolver *solver) { ((TridiagonalSolver *)solver)->factored = false; }

/* Solves each row separately, for a diagonal E and the unregularized law. */
static SimStatus land_apart(const Tridiagonal *t, const StepLaw *law, const SparseStep *step) {
  const double *restrict b = step->b, *restrict friction = law->friction, *restrict e = t->diagonal;
  double *restrict w = step->w, *restrict lambda = step->lambda, threshold = law->threshold, sum = 0;
  signed char *restrict slip = step->slip;
  for (int i = 0; i < t->base.problem->count; i++) {
    double right = b[i], q = threshold * friction[i], held = simd_between(right, -q, q);
    w[i] = 1 / e[i] * (right - held);
    lambda[i] = q > 0 ? held / q : 0;
    slip[i] = (signed char)((right > q) - (right < -q));
    sum += fabs(right);
  }
  return sim_group_agree(t->base.problem->group, isfinite(sum) ? SIM_OK : SIM_NON_FINITE);
}

SimStatus tridiagonal_newton(OperatorSolver *solver, const StepLaw *law, const SparseStep *step, int round,
                             long *changed) {
  TridiagonalSolver *s = (TridiagonalSolver *)solver;
  const Tridiagonal *t = (const Tridiagonal *)solver->matrix;
  double next;
  if (!t->off && !(law->kept > 0)) {
    tridiagonal_forget(solver); /* the stored factors belong to other branches and must be computed again */
    *changed = -1;
    return land_apart(t, law, step);
  }
  if (s->branches && !(law->kept > 0) && round > 0 && round <= CHAIN_ROUNDS)
    chain_branches_find(s->branches, law, step, s->slip, round);
  SimStatus status = forward(s, law, step, step->b, round == 0, &next);
  if (status == SIM_OK) *changed = substitute(s, law, step, next);
  return status;
}
