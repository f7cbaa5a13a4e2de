/* SPDX-License-Identifier: BSD-2-Clause */
/* Derivative of a step's solution by its right side, with every dof on its branch (slip or stick,
 * sim/law/branch_law.h):
 *
 *   (E + diag(stiffness)) dw = db, dw_i = 0 for held dofs.
 *
 * Many right sides are solved together. Adjoint sweeps use the transpose of E. */
#ifndef SIM_BRANCHES_H
#define SIM_BRANCHES_H

#include "sim/step/friction_solver.h"

/* Data of one workspace for such derivatives: if E is dense, the inverse for the last branches; otherwise the
 * workspace's solver is used, with the factors of the last step. */
typedef struct FrictionBranches {
  double *matrix;  /* [d][d] the step's matrix E plus the stiffness; owned, in one memory block with the next arrays */
  double *inverse; /* [d][d] inverse for dofs that are not held, 0 elsewhere */
  double *part;    /* [d][d] scratch for the inverse */
  int *members;    /* [2 d] list of dofs that are not held, followed by scratch; owned */
  bool *stuck;     /* [d] whether the dof is held, so that its row and column of `inverse` are 0; owned */
  bool known;      /* whether `inverse` is valid */
  bool transposed; /* whether the transpose of the step's matrix E is used; the caller sets it for adjoint sweeps */
  const double
      /* [d] slope of the smooth law's friction over the velocity, which is added to the diagonal of E; no dof is then
       * held; set by the caller; NULL: the law is not smooth */
      *smooth;
} FrictionBranches;

/* Creates the data. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus friction_branches_init(const FrictionSolver *solver, FrictionBranches *branches);
void friction_branches_clear(FrictionBranches *branches);

/* Computes dw for n right-hand sides db: the first n columns of the blocks db and dw, as in OperatorOps.add_columns.
 * slip: branches of the last friction_solve. Returns SIM_OK, SIM_NOT_CONVERGED or SIM_BAD_PROBLEM. Collective over
 * the problem's group; allocates nothing. */
SimStatus friction_branches_solve(const FrictionSolver *solver, FrictionWork *work, FrictionBranches *branches,
                                  const signed char *slip, int n, int width, const double *db, double *dw);

#endif
