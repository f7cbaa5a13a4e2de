/* What the operators of sparse storage share. */
#ifndef SIM_SPARSE_H
#define SIM_SPARSE_H

#include "sim/law/branch_law.h"
#include "sim/operator/operator.h"

/* y = load + A x - B z by two products. */
void sparse_combine(OperatorLoad load, const Operator *a, const double *x, const Operator *b, const double *z,
                    double *y);

/* Whether PETSc has been started, and has been given options of the prefix -step_. */
bool sparse_petsc_ready(void);
bool sparse_petsc_chosen(void);
/* Whether there is an option of that prefix that no solver has read so far, and the first one's name. */
bool sparse_petsc_unused(char *name, size_t size);

/* The sum of the magnitudes of a local row, at most. */
double sparse_row_bound(const Operator *matrix, int i);
/* The largest over the group. */
double sparse_norm(const Operator *matrix);
bool sparse_is_tridiagonal(const SimProblem *problem); /* this rank's rows */
/* Fills the entries of a matrix that are not 0 into a dense one, [d][d]; all of its rows are here. */
void sparse_entries(const SimMatrix *matrix, int d, double *dense);
/* Adds a_ii and a_{i,i+1} of this rank's rows; [count] each. Collective. SIM_OK, SIM_NO_MEMORY. */
SimStatus sparse_diagonals(const Operator *matrix, double *diagonal, double *off);

/* By storage: operator_check and operator_bounds. */
double dense_check_seconds(const SimProblem *problem);
void dense_check(Check *check, SimBounds *bounds);
void sparse_check(Check *check, SimBounds *bounds);
SimStatus dense_bounds(Check *check, OperatorSum step, SimBounds *bounds);
SimStatus sparse_bounds(Check *check, OperatorSum step, SimBounds *bounds);

#endif
