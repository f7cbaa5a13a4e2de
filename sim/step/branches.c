/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/step/branches.h"

#include "sim/law/branch_law.h"
#include "sim/operator/columns.h"
#include "sim/operator/dense.h"

#include <stdlib.h>
#include <string.h>

SimStatus friction_branches_init(const FrictionSolver *solver, FrictionBranches *b) {
  size_t d = (size_t)solver->dense.d;
  *b = (FrictionBranches){0};
  if (d == 0) return SIM_OK;
  b->matrix = calloc(3 * d * d, sizeof *b->matrix);
  b->members = calloc(2 * d, sizeof *b->members);
  b->stuck = calloc(d, sizeof *b->stuck);
  if (!b->matrix || !b->members || !b->stuck) return SIM_NO_MEMORY;
  b->inverse = b->matrix + d * d;
  b->part = b->matrix + 2 * d * d;
  return SIM_OK;
}

void friction_branches_clear(FrictionBranches *b) {
  free(b->matrix);
  free(b->members);
  free(b->stuck);
  *b = (FrictionBranches){0};
}

/* Computes b->inverse, the inverse of E + diag(stiffness) for the dofs that are not held with the branches `slip`. */
static SimStatus take(const DenseSolver *s, FrictionBranches *b, const signed char *slip) {
  int d = s->d, n = 0;
  bool same = b->known && !b->smooth;
  for (int i = 0; i < d; i++) {
    bool stuck = !b->smooth && slip[i] == 0 && s->threshold[i] > 0;
    same = same && stuck == b->stuck[i];
    b->stuck[i] = stuck;
  }
  if (same) return SIM_OK;
  if (b->transposed && s->skew)
    dense_transpose(d, s->matrix, b->matrix);
  else
    memcpy(b->matrix, s->matrix, (size_t)d * (size_t)d * sizeof *b->matrix);
  for (int i = 0; i < d; i++) {
    FrictionBranch branch = friction_branch(dense_solver_law(s, i), slip[i], 0);
    if (b->smooth) branch = (FrictionBranch){.stiffness = b->smooth[i]};
    b->matrix[i * d + i] += branch.stiffness;
    if (!branch.held) b->members[n++] = i;
  }
  b->known = dense_invert_part(d, b->matrix, n, b->members, b->part, b->inverse) == 0;
  return b->known ? SIM_OK : SIM_BAD_PROBLEM;
}

static SimStatus solve_dense(const DenseSolver *s, FrictionBranches *b, const signed char *slip, int n, int width,
                             const double *db, double *dw) {
  SimStatus status = take(s, b, slip);
  if (status == SIM_OK) columns_multiply(s->d, b->inverse, n, width, db, dw);
  return status;
}

SimStatus friction_branches_solve(const FrictionSolver *solver, FrictionWork *work, FrictionBranches *b,
                                  const signed char *slip, int n, int width, const double *db, double *dw) {
  if (solver->dense.d) return solve_dense(&solver->dense, b, slip, n, width, db, dw);
  OperatorSolver *own = work->solver[solver->place];
  const OperatorOps *ops = solver->matrix->ops;
  /* whether the solver's factors of the last solve belong to these branches; otherwise they must be discarded */
  bool settled = solver->kind == SIM_EXACT;
  if (!settled) ops->forget(own);
  SimStatus status = ops->solve_columns(own, &solver->law, slip, n, width, db, dw);
  if (!settled) ops->forget(own);
  return status;
}
