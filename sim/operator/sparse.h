/* Functions shared by the sparse operators. */
#ifndef SIM_SPARSE_H
#define SIM_SPARSE_H

#include "sim/law/branch_law.h"
#include "sim/operator/operator.h"

/* y = load + A x - B z by two products. */
void sparse_combine(OperatorLoad load, const Operator *a, const double *x, const Operator *b, const double *z,
                    double *y);

/* Whether PETSc has been started; and whether it has options with prefix -step_. */
bool sparse_petsc_ready(void);
bool sparse_petsc_chosen(void);
/* Whether an option with that prefix has not been read by any solver so far, and the name of the first. */
bool sparse_petsc_unused(char *name, size_t size);

/* Upper bound of the sum of magnitudes in a local row. */
double sparse_row_bound(const Operator *matrix, int i);
/* The largest one on all ranks. */
double sparse_norm(const Operator *matrix);
bool sparse_is_tridiagonal(const SimProblem *problem); /* this rank's rows */
/* Copies the nonzero entries of a matrix into a dense one, [d][d]; all its rows must be on this rank. */
void sparse_entries(const SimMatrix *matrix, int d, double *dense);
/* Adds a_ii and a_{i,i+1} of this rank's rows; [count] each. Collective. SIM_OK, SIM_NO_MEMORY. */
SimStatus sparse_diagonals(const Operator *matrix, double *diagonal, double *off);

/* operator_check and operator_bounds for each storage. */
double dense_check_seconds(const SimProblem *problem);
void dense_check(Check *check, SimBounds *bounds);
void sparse_check(Check *check, SimBounds *bounds);
SimStatus dense_bounds(Check *check, OperatorSum step, SimBounds *bounds);
SimStatus sparse_bounds(Check *check, OperatorSum step, SimBounds *bounds);

#endif
