/* Systems of tridiagonal matrices, by LDL' sweeps with some dofs held at 0:
 *
 *     e_i = a_i - o_{i-1}^2 / e_{i-1},   y_i = r_i - o_{i-1} / e_{i-1} y_{i-1},   w_i = (y_i - o_i w_{i+1}) / e_i,
 *
 * where 1/e_i = 0 of a dof held keeps it out of its neighbours' sums; y_i - o_i w_{i+1} is then its reaction. From one solve to
 * the next few branches change, and what they change dies out from row to row: a sweep begins where a branch is another and
 * goes on for as long as a number becomes another, so that it leaves what one over all rows would.
 *
 * In a group each rank but the first leaves out its first row, the interface to the rank before, and eliminates the others at
 * the same time as all; its rows 1, 2, .. keep the coupling z_i to the interface (z_1 = o_0, z_{i+1} = -o_i / e_i z_i). What is
 * left is one row for each interface, tridiagonal again, which every rank solves for itself: one message per solve. */
#include "sim/operator/tridiagonal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rounding units that a sum of a few terms may be off by. */
static const double ROUND_OFF = 64 * DBL_EPSILON;

void tridiagonal_solver_destroy(OperatorSolver *solver) {
  TridiagonalSolver *s = (TridiagonalSolver *)solver;
  if (!s) return;
  chain_branches_destroy(s->branches);
  free(s->inverse);
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
  int rank = sim_group_rank(sparse->group), size = sim_group_size(sparse->group);
  TridiagonalSolver *s = calloc(1, sizeof *s);
  if (s) {
    *s = (TridiagonalSolver){.base = {.matrix = matrix}, .rank = rank, .size = size, .begin = rank > 0};
    s->inverse = calloc(count, sizeof(double));
    s->y = calloc(count, sizeof(double));
    s->slip = calloc(count, sizeof *s->slip);
    if (size > 1) {
      s->contribution = calloc((size_t)size, sizeof *s->contribution);
      s->columns = calloc((size_t)size * TRIDIAGONAL_BLOCK, sizeof *s->columns);
      s->interface = calloc((size_t)size + 1, sizeof *s->interface);
    }
    *out = &s->base;
  }
  bool there = s && s->inverse && s->y && s->slip && (size == 1 || (s->contribution && s->columns && s->interface));
  SimStatus status = sim_group_agree(sparse->group, there ? SIM_OK : SIM_NO_MEMORY);
  return status == SIM_OK && t->off ? chain_branches_create(sparse, t->diagonal, t->off, &s->branches) : status;
}

/* 1/e of a row, of which `link` is o_{i-1} / e_{i-1}. *status: SIM_BAD_PROBLEM where e is not positive. */
static inline double pivot(const Tridiagonal *t, int i, double link, FrictionBranch branch, SimStatus *status) {
  double e = t->diagonal[i] + branch.stiffness - (link != 0 ? t->off[i - 1] * link : 0);
  if (e <= 0) *status = SIM_BAD_PROBLEM;
  return branch.held ? 0 : 1 / e;
}

SimStatus tridiagonal_factor(TridiagonalSolver *s, const StepLaw *law, const signed char *slip) {
  const Tridiagonal *t = (const Tridiagonal *)s->base.matrix;
  SimStatus status = SIM_OK;
  double link = 0;
  for (int i = s->begin; i < t->base.problem->count; i++) {
    s->inverse[i] = pivot(t, i, link, friction_branch(step_law_of(law, i), slip[i], 0), &status);
    link = tridiagonal_coupling(t, i) * s->inverse[i];
  }
  memcpy(s->slip, slip, (size_t)t->base.problem->count);
  s->factored = status == SIM_OK;
  return status;
}

/* The first row from i on with which a sweep has to begin. */
static int next_stale(const TridiagonalSolver *s, const signed char *slip, int i) {
  return i <= s->corrected ? i : chain_branches_differ(slip, s->slip, i, s->base.matrix->problem->count);
}

/* Rows first .. last - 1 have been eliminated; where there are too many runs the last one takes in what is between. */
static void note_run(TridiagonalSolver *s, int first, int last) {
  if (s->runs < TRIDIAGONAL_RUNS) s->run[s->runs++].first = first;
  s->run[s->runs - 1].last = last;
}

/* 1/e, and y from the right sides b - share. anew: b is another than it was; law NULL: no friction, nothing is held. */
static SimStatus eliminate(TridiagonalSolver *s, const StepLaw *law, const SparseStep *step, const double *b,
                           bool anew) {
  const Tridiagonal *t = (const Tridiagonal *)s->base.matrix;
  const signed char *slip = step ? step->slip : s->slip;
  int d = t->base.problem->count;
  bool all = anew || !s->factored, kept = law && law->kept > 0;
  SimStatus status = SIM_OK;
  s->runs = 0;
  if (s->size > 1) note_run(s, s->begin, s->begin); /* for correct() */
  for (int i = s->begin; i < d && (all || (i = next_stale(s, slip, i)) < d);) {
    int first = i;
    bool pivot_moved = !s->factored, y_moved;
    double last = i > s->begin ? s->y[i - 1] : 0;
    double link = i > s->begin ? tridiagonal_coupling(t, i - 1) * s->inverse[i - 1] : 0;
    do {
      FrictionBranch branch = {0};
      if (law) branch = friction_branch(step_law_of(law, i), slip[i], kept ? step->lambda_old[i] : 0);
      if (pivot_moved || slip[i] != s->slip[i]) {
        double inverse = pivot(t, i, link, branch, &status);
        pivot_moved = !s->factored || inverse != s->inverse[i];
        s->inverse[i] = inverse;
        s->slip[i] = slip[i];
      }
      last = b[i] - branch.share - link * last;
      y_moved = last != s->y[i];
      s->y[i] = last;
      link = tridiagonal_coupling(t, i) * s->inverse[i];
      i++;
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
    FrictionBranch branch = {0};
    if (law) branch = friction_branch(step_law_of(law, 0), step->slip[0], step->lambda_old ? step->lambda_old[0] : 0);
    double pivot = t->diagonal[0] + branch.stiffness, right = b[0] - branch.share, z = tridiagonal_coupling(t, 0);
    for (int i = 1; i <= last && z != 0; i++) {
      pivot -= z * z * s->inverse[i];
      right -= z * s->inverse[i] * s->y[i];
      z = tridiagonal_border(s, i, z);
    }
    share = (SchurContribution){.pivot = pivot, .right = right, .cross = z, .held = branch.held};
  }
  if (last >= s->begin) {
    double link = tridiagonal_coupling(t, last) * s->inverse[last];
    share.far_pivot = -tridiagonal_coupling(t, last) * link;
    share.far_right = -link * s->y[last];
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

/* Takes the interface's w out of y. These rows become part of the runs. */
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

/* All but the back substitution. *next: w behind this rank's last row. */
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
  const Tridiagonal *t = (const Tridiagonal *)solver->matrix;
  double next;
  SimStatus status = forward(s, NULL, NULL, b, true, &next);
  if (status != SIM_OK) return status;
  for (int i = t->base.problem->count - 1; i >= s->begin; i--)
    w[i] = next = s->inverse[i] * (s->y[i] - (t->off ? t->off[i] * next : 0));
  if (s->begin) w[0] = s->interface[s->rank].w;
  return SIM_OK;
}

/* w, lambda and the next branch of a dof whose reaction is known, from terms of the size of `scale`. Returns whether the
 * branch is another. */
static inline bool land(const StepLaw *law, const SparseStep *step, int i, double inverse, double reaction,
                        double scale) {
  double c = law->friction[i], round_off = ROUND_OFF * scale, old = 0, w = inverse != 0 ? inverse * reaction : 0;
  if (law->kept > 0) {
    old = step->lambda_old[i];
    round_off = ROUND_OFF + law->projection_weight * c / law->kept * inverse * round_off;
  }
  step->w[i] = w;
  int slip = friction_next_branch(step_law_of(law, i), step->slip[i], old, w, reaction, round_off, &step->lambda[i]);
  bool moved = slip != step->slip[i] && c > 0;
  step->slip[i] = (signed char)slip;
  return moved;
}

/* Back substitution, and each dof's next branch on the way: of the runs' rows, and on as long as w becomes another. next: w behind
 * this rank's last row. */
static long substitute(TridiagonalSolver *s, const StepLaw *law, const SparseStep *step, double behind) {
  const Tridiagonal *t = (const Tridiagonal *)s->base.matrix;
  int d = t->base.problem->count, i = d - 1; /* the first row that is left */
  long changed = 0;
  if (s->size > 1) note_run(s, d, d); /* behind is another */
  for (int k = s->runs - 1; k >= 0; k--) {
    bool moved = s->run[k].last == d;
    if (i >= s->run[k].last) i = s->run[k].last - 1;
    double next = i < d - 1 ? step->w[i + 1] : behind;
    for (; i >= s->begin && (i >= s->run[k].first || moved); i--) {
      double far = t->off ? t->off[i] * next : 0, y = s->y[i], before = step->w[i];
      changed += land(law, step, i, s->inverse[i], y - far, fabs(y) + fabs(far));
      next = step->w[i];
      moved = next != before;
    }
  }
  if (s->begin) {
    Interface own = s->interface[s->rank];
    s->inverse[0] = own.inverse;
    changed += land(law, step, 0, own.inverse, own.reaction, own.scale);
  }
  return changed;
}

SimStatus tridiagonal_newton(OperatorSolver *solver, const StepLaw *law, const SparseStep *step, int round,
                             long *changed) {
  TridiagonalSolver *s = (TridiagonalSolver *)solver;
  double next;
  if (s->branches && !(law->kept > 0) && round > 0 && round <= CHAIN_ROUNDS)
    chain_branches_find(s->branches, law, step, s->slip, round);
  SimStatus status = forward(s, law, step, step->b, round == 0, &next);
  if (status == SIM_OK) *changed = substitute(s, law, step, next);
  return status;
}

void tridiagonal_forget(OperatorSolver *solver) { ((TridiagonalSolver *)solver)->factored = false; }
