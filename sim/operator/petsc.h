/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations that petsc.c (the matrix) and petsc_solver.c (the solvers) share. */
#ifndef SIM_PETSC_H
#define SIM_PETSC_H

#include "sim/group.h"
#include "sim/operator/chain_branches.h"
#include "sim/operator/petsc_library.h"

typedef struct PetscOperator {
  Operator base;
  Mat matrix;
  Vec in, out;  /* vectors without arrays of their own; they use the caller's */
  Vec multiple; /* a multiple of `in`, or one column of a block */
  Vec column;   /* product of the matrix with `multiple` */
} PetscOperator;

/* These functions implement those of OperatorOps for solvers. */
SimStatus petsc_solver_create(const Operator *matrix, OperatorSolver **out);
void petsc_solver_destroy(OperatorSolver *solver);
void petsc_forget(OperatorSolver *solver);
SimStatus petsc_solve(OperatorSolver *solver, const double *b, double *w);
SimStatus petsc_solve_columns(OperatorSolver *solver, const StepLaw *law, const signed char *slip, int n, int width,
                              const double *b, double *w);
SimStatus petsc_newton(OperatorSolver *solver, const StepLaw *law, const SparseStep *step, int round, long *changed);

#endif
