/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves tridiagonal systems with many right sides, with the factors that the function newton has computed. Each row
 * has one coefficient for a block of columns, and each block needs one message between ranks. */
#include "sim/operator/columns.h"
#include "sim/operator/tridiagonal.h"

#include <math.h>
#include <string.h>

static int least(int a, int b) { return a < b ? a : b; }

/* Adds row i of A times (factor x) to y_i. left, right: x of the neighbouring rows. */
static void add_row(const Tridiagonal *t, double factor, int i, int n, const double *restrict left,
                    const double *restrict x, const double *restrict right, double *restrict y) {
  double before = factor * (i > 0 ? tridiagonal_coupling(t, i - 1) : t->before), own = factor * t->diagonal[i];
  double behind = factor * t->off[i];
  for (int k = 0; k < n; k += COLUMNS_TOGETHER)
    for (int q = k; q < k + COLUMNS_TOGETHER; q++) y[q] += before * left[q] + own * x[q] + behind * right[q];
}

void tridiagonal_add_columns(const Operator *matrix, double factor, int n, int width, const double *x, double *y) {
  const Tridiagonal *t = (const Tridiagonal *)matrix;
  int count = matrix->problem->count;
  size_t row = (size_t)width;
  factor *= matrix->scale;
  for (int i = 0; i < count && !t->off; i++)
    columns_add(n, factor * t->diagonal[i], x + (size_t)i * row, y + (size_t)i * row);
  for (int first = 0; first < n && t->off; first += TRIDIAGONAL_BLOCK) {
    int block = least(n - first, TRIDIAGONAL_BLOCK);
    double before[TRIDIAGONAL_BLOCK], behind[TRIDIAGONAL_BLOCK];
    const double *column = x + first;
    sim_group_neighbours(matrix->problem->group, block, column, column + (size_t)(count - 1) * row, before, behind);
    for (int i = 0; i < count; i++) {
      const double *own = column + (size_t)i * row;
      add_row(t, factor, i, block, i > 0 ? own - row : before, own, i < count - 1 ? own + row : behind,
              y + first + (size_t)i * row);
    }
  }
}

/* Forward elimination in the rows from `begin` on: computes the right sides y after it (tridiagonal_solver.c) from b,
 * stored in w. */
static void eliminate(const TridiagonalSolver *s, int n, size_t row, const double *b, double *w) {
  const Tridiagonal *t = (const Tridiagonal *)s->base.matrix;
  int count = t->base.problem->count;
  for (int i = s->begin; i < count; i++) {
    const double *restrict right = b + (size_t)i * row, *restrict before = w + (size_t)(i - (i > 0)) * row;
    double *restrict y = w + (size_t)i * row,
                     link = i > s->begin ? tridiagonal_coupling(t, i - 1) * s->inverse[i - 1] : 0;
    if (link == 0)
      memcpy(y, right, (size_t)n * sizeof *y);
    else
      for (int k = 0; k < n; k += COLUMNS_TOGETHER)
        for (int q = k; q < k + COLUMNS_TOGETHER; q++) y[q] = right[q] - link * before[q];
  }
}

/* Back substitution in one row: w contains the right side y on entry. next: [n] w of the row after it. */
static void substitute_row(int n, double inverse, double link, const double *restrict next, double *restrict y) {
  for (int k = 0; k < n; k += COLUMNS_TOGETHER)
    for (int q = k; q < k + COLUMNS_TOGETHER; q++) y[q] = inverse * y[q] - link * next[q];
}

/* Back substitution in all rows. next: [n] w of the row behind this rank's last one. */
static void substitute(const TridiagonalSolver *s, int n, size_t row, const double *next, double *w) {
  const Tridiagonal *t = (const Tridiagonal *)s->base.matrix;
  for (int i = t->base.problem->count - 1; i >= s->begin; i--) {
    double inverse = s->inverse[i], link = inverse * tridiagonal_coupling(t, i), *y = w + (size_t)i * row;
    if (inverse == 0) /* the row belongs to a dof that is held, so its w is 0 */
      memset(y, 0, (size_t)n * sizeof *y);
    else
      substitute_row(n, inverse, link, next, y);
    next = y;
  }
}

/* Computes the contributions of this rank's rows to both of its interfaces (tridiagonal.h), for each of n columns. y:
 * result of the forward elimination. */
static void contribute(const TridiagonalSolver *s, const StepLaw *law, const signed char *slip, int n, size_t row,
                       const double *b, const double *y, SchurContribution *own) {
  const Tridiagonal *t = (const Tridiagonal *)s->base.matrix;
  int last = t->base.problem->count - 1;
  for (int k = 0; k < n; k++) own[k] = (SchurContribution){.right = s->begin ? b[k] : 0};
  if (s->begin) {
    FrictionBranch branch = friction_branch(step_law_of(law, 0), slip[0], 0);
    double pivot = t->diagonal[0] + branch.stiffness, z = tridiagonal_coupling(t, 0);
    for (int i = 1; i <= last && z != 0; i++) {
      double part = z * s->inverse[i];
      pivot -= z * part;
      for (int k = 0; k < n && part != 0; k++) own[k].right -= part * y[(size_t)i * row + (size_t)k];
      z = tridiagonal_border(s, i, z);
    }
    for (int k = 0; k < n; k++) {
      own[k].pivot = pivot;
      own[k].cross = z;
      own[k].held = branch.held;
    }
  }
  if (last < s->begin) return;
  double link = tridiagonal_coupling(t, last) * s->inverse[last];
  for (int k = 0; k < n; k++) {
    own[k].far_pivot = -tridiagonal_coupling(t, last) * link;
    own[k].far_right = link != 0 ? -link * y[(size_t)last * row + (size_t)k] : 0;
  }
}

/* Solves the interface equations and subtracts the result from the rows that are coupled to an interface, before or
 * after this rank. */
static SimStatus solve_interfaces(const TridiagonalSolver *s, int n, size_t row, const SchurContribution *own,
                                  double *w, double *next) {
  const Tridiagonal *t = (const Tridiagonal *)s->base.matrix;
  int count = t->base.problem->count;
  sim_group_allgather(t->base.problem->group, &own->pivot, n * (int)(sizeof *own / sizeof(double)), &s->columns->pivot);
  for (int k = 0; k < n; k++) {
    for (int rank = 0; rank < s->size; rank++) s->contribution[rank] = s->columns[rank * n + k];
    SimStatus status = tridiagonal_interfaces(s->contribution, s->interface, s->size);
    if (status != SIM_OK) return status;
    next[k] = s->interface[s->rank + 1].w;
    if (s->begin) w[k] = s->interface[s->rank].w;
  }
  double z = s->begin ? tridiagonal_coupling(t, 0) : 0;
  for (int i = 1; i < count && z != 0; i++) {
    columns_add(n, -z, w, w + (size_t)i * row);
    z = tridiagonal_border(s, i, z);
  }
  return SIM_OK;
}

SimStatus tridiagonal_solve_columns(OperatorSolver *solver, const StepLaw *law, const signed char *slip, int n,
                                    int width, const double *b, double *w) {
  TridiagonalSolver *s = (TridiagonalSolver *)solver;
  int count = solver->matrix->problem->count;
  bool known = s->factored && chain_branches_differ(slip, s->slip, 0, count) == count;
  SimStatus status = known ? SIM_OK : tridiagonal_factor(s, law, slip);
  if (s->size == 1 && status != SIM_OK) return status;
  bool failed = status != SIM_OK;
  for (int first = 0; first < n; first += TRIDIAGONAL_BLOCK) {
    int block = least(n - first, TRIDIAGONAL_BLOCK);
    double next[TRIDIAGONAL_BLOCK] = {0};
    eliminate(s, block, (size_t)width, b + first, w + first);
    if (s->size > 1) {
      SchurContribution own[TRIDIAGONAL_BLOCK];
      contribute(s, law, slip, block, (size_t)width, b + first, w + first, own);
      if (failed) own[0].pivot = own[0].far_pivot = NAN;
      status = solve_interfaces(s, block, (size_t)width, own, w + first, next);
      if (status != SIM_OK) return status;
    }
    substitute(s, block, (size_t)width, next, w + first);
  }
  return SIM_OK;
}
