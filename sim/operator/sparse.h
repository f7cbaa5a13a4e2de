/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions that the sparse operators share. */
#ifndef SIM_SPARSE_H
#define SIM_SPARSE_H

#include "sim/law/branch_law.h"
#include "sim/operator/operator.h"

/* Computes y = load + A x - B z by two products. */
void sparse_combine(OperatorLoad load, const Operator *a, const double *x, const Operator *b, const double *z,
                    double *y);

/* sparse_petsc_ready returns whether PETSc has been started, sparse_petsc_chosen whether PETSc has options with the
 * prefix -step_. */
bool sparse_petsc_ready(void);
bool sparse_petsc_chosen(void);
/* Whether there is an option with the prefix -step_ that no solver has read so far. name: set to the first such
 * option. */
bool sparse_petsc_unused(char *name, size_t size);

/* Returns an upper bound of the sum of the magnitudes in row i of this rank. */
double sparse_row_bound(const Operator *matrix, int i);
/* Returns the largest bound of sparse_row_bound over all rows and ranks. */
double sparse_norm(const Operator *matrix);
bool sparse_is_tridiagonal(const SimProblem *problem); /* whether this rank's rows of all matrices are tridiagonal */
/* Copies the nonzero entries of a matrix to a dense one [d][d]. All rows must be on this rank. */
void sparse_entries(const SimMatrix *matrix, int d, double *dense);
/* Adds the entries a_ii and a_{i,i+1} of this rank's rows to two vectors, [count] each. Collective. Returns SIM_OK or
 * SIM_NO_MEMORY. */
SimStatus sparse_diagonals(const Operator *matrix, double *diagonal, double *off);

/* Whether two problems with dense matrices have equal M, A and D. */
bool dense_same_matrices(const SimProblem *a, const SimProblem *b);

/* Functions for each storage that operator_check, operator_bounds and operator_check_seconds call. */
double dense_check_seconds(const SimProblem *problem);
void dense_check(Check *check, SimBounds *bounds);
void sparse_check(Check *check, SimBounds *bounds);
SimStatus dense_bounds(Check *check, OperatorSum step, SimBounds *bounds);
SimStatus sparse_bounds(Check *check, OperatorSum step, SimBounds *bounds);

#endif
