/* SPDX-License-Identifier: BSD-2-Clause */
/* The matrices of a system behind one interface: weighted sums of M, D and A that can be multiplied and solved, with
 * any storage. dense_operator.c implements dense storage; tridiagonal.c and petsc.c implement sparse storage, with rows
 * distributed over the ranks of a group. All vectors are [count], this rank's rows; all calls are collective over the
 * problem's group. */
#ifndef SIM_OPERATOR_H
#define SIM_OPERATOR_H

#include "sim/group.h"
#include "sim/operator/check.h"

struct StepLaw;

typedef enum OperatorPart { OPERATOR_MASS, OPERATOR_DAMPING, OPERATOR_STIFFNESS, OPERATOR_PARTS } OperatorPart;

typedef struct OperatorTerm {
  OperatorPart part;
  double weight; /* weight of the part in the sum; 0: the part is not in the sum */
} OperatorTerm;

/* A weighted sum of M, D and A, each at most once, added in this order. P denotes the dofs without mass
 * (massless.h). */
typedef struct OperatorSum {
  OperatorTerm term[OPERATOR_PARTS];
  bool apart; /* whether to omit the entries that couple P to other dofs */
  /* whether operator_bounds computes delta from the dofs with mass only, because a parameter r of the fixed-point
   * iteration that suits P would be too small for the others */
  bool bounds;
} OperatorSum;

/* Returns the weight of a part in the sum. */
static inline double operator_weight(OperatorSum sum, OperatorPart part) {
  double weight = 0;
  for (int k = 0; k < OPERATOR_PARTS; k++) weight += sum.term[k].part == part ? sum.term[k].weight : 0;
  return weight;
}

static inline OperatorSum operator_alone(OperatorPart part) { return (OperatorSum){.term = {{part, 1}}}; }

/* A term of a sum of vectors: weight times the vector rows [count]. */
typedef struct OperatorLoad {
  double weight;
  const double *rows;
} OperatorLoad;

typedef struct OperatorOps OperatorOps;

/* A matrix, with this rank's rows: a factor times the sum. It is symmetric unless it is dense and contains an
 * unsymmetric D. It does not change. In memory it is followed by data that depend on the storage. */
typedef struct Operator {
  const OperatorOps *ops;
  const SimProblem *problem; /* borrowed */
  OperatorSum sum;
  double scale;
  double norm; /* for sparse matrices: largest sum of magnitudes in a row, over all ranks */
} Operator;

/* Data of one workspace for solving with the matrix E of a step. */
typedef struct OperatorSolver {
  const Operator *matrix;
  long linear_iterations; /* number of iterations of the linear solver so far; 0 if it is direct */
} OperatorSolver;

/* Unknowns of one step. Every array is [count] and borrowed. */
typedef struct SparseStep {
  const double *b;          /* [count] right side b of E w + Q lambda = b */
  const double *lambda_old; /* [count] multiplier lambda of the previous step; for the regularized law only,
                             * otherwise NULL */
  double *w;                /* [count] unknown velocity w */
  double *lambda;           /* [count] unknown multiplier lambda */
  signed char *slip;        /* [count] branches of the friction law: -1 or 1 slips, 0 sticks; Newton's method updates
                             * them */
} SparseStep;

/* Functions for one storage of matrices. Only sparse storage needs those for solvers; sim/step/dense_solver.h has the
 * solver for a dense E. */
struct OperatorOps {
  SimStatus (*create)(const SimProblem *problem, const OperatorSum *sum, Operator **matrix);
  /* Creates the product of a number and an operator. The operator must outlive the product, since a sparse product
   * borrows its storage. */
  SimStatus (*scaled)(const Operator *matrix, double scale, Operator **product);
  void (*destroy)(Operator *matrix);
  void (*multiply)(const Operator *matrix, const double *x, double *y); /* computes y = A x; x and y must be
                                                                         * different arrays */
  /* Computes rows first .. last - 1 of y = A x. beyond: x of the row before this rank's rows and of the row behind
   * them. Not collective. NULL: not supported. */
  void (*multiply_rows)(const Operator *matrix, const double *x, const double beyond[2], int first, int last,
                        double *y);
  /* Computes y += A (factor x); x and y must be different arrays. */
  void (*add)(const Operator *matrix, double factor, const double *x, double *y);
  /* computes y = load + A x - B z, with B of the same problem; load may be y */
  void (*combine)(OperatorLoad load, const Operator *a, const double *x, const Operator *b, const double *z, double *y);
  /* Computes y += factor A x for n vectors: the first n columns of the blocks x and y [count][width] (columns.h). n is
   * a multiple of four, and x and y must be different arrays. */
  void (*add_columns)(const Operator *matrix, double factor, int n, int width, const double *x, double *y);
  /* Computes the largest row sum of |A - A'| over all ranks, or only of entries between ranks if each rank's own rows
   * are symmetric. The matrix cannot be used for solves afterwards. */
  SimStatus (*asymmetry)(const Operator *matrix, double *norm);

  SimStatus (*solver_create)(const Operator *matrix, OperatorSolver **solver);
  void (*solver_destroy)(OperatorSolver *solver);
  /* Discards the stored factors and branches of the last solve. Call it before a solve with another law of friction, or
   * from branches that the function newton has not set. */
  void (*forget)(OperatorSolver *solver);
  /* Computes w = E^-1 b; b and w must be different arrays. Returns SIM_OK, SIM_NOT_CONVERGED, or SIM_BAD_PROBLEM if E
   * turns out not to be positive definite. */
  SimStatus (*solve)(OperatorSolver *solver, const double *b, double *w);
  /* Makes one step of the semismooth Newton method. It computes w and lambda with every dof on its branch of
   * step->slip, then sets step->slip to the branches of these w and lambda. round: number of Newton steps already made
   * for this problem. *changed: number of branches of this rank that changed; or -1 on all ranks if each row was solved
   * separately, so that there is nothing to test. Returns the statuses of solve, or SIM_NON_FINITE. */
  SimStatus (*newton)(OperatorSolver *solver, const struct StepLaw *law, const SparseStep *step, int round,
                      long *changed);
  /* Solves the first n columns of (E + stiffness) w = b, with every dof on its branch. The blocks b and w are
   * [count][width] (columns.h). Held dofs have w = 0. Only the branches of the law are used. Returns the statuses of
   * solve. Call it after newton has converged on these branches, without forget in between, or after forget. */
  SimStatus (*solve_columns)(OperatorSolver *solver, const struct StepLaw *law, const signed char *slip, int n,
                             int width, const double *b, double *w);
};

extern const OperatorOps operator_dense, operator_tridiagonal, operator_petsc;

/* Returns the number of entries of each of the problem's matrices, d^2, if they are arrays; 0 if they are sparse. */
size_t operator_array_size(const SimProblem *problem);
/* dense_part returns M, D or A as an array, sparse_part as sparse rows; NULL if the matrix is stored otherwise. */
const double *dense_part(const SimProblem *problem, OperatorPart part);
const SimMatrix *sparse_part(const SimProblem *problem, OperatorPart part);
/* Frees the matrices of a problem that are stored in another form than dense arrays. */
void operator_parts_clear(SimProblem *problem);
/* Whether D has a nonzero entry on any rank. */
bool operator_damped(const SimProblem *problem);

/* Whether one of the problem's matrices is diagonal on all ranks. Collective. */
bool operator_is_diagonal(const SimProblem *problem, OperatorPart part);

/* Selects the functions for the storage of a problem's matrices. Sparse storage is tridiagonal, unless a matrix has
 * more diagonals, a rank has no rows, or options select a solver of PETSc. */
const OperatorOps *operator_ops(const SimProblem *problem);
/* Creates an operator with these functions, and computes its norm. Destroy *matrix even if this fails. */
SimStatus operator_create(const SimProblem *problem, OperatorSum sum, Operator **matrix);
/* Creates the product of a number and a matrix, which must outlive the product. */
SimStatus operator_scaled(const Operator *matrix, double scale, Operator **product);
/* Creates the transpose of a matrix, which must outlive the transpose. */
SimStatus operator_transposed(const Operator *matrix, Operator **product);
void operator_destroy(Operator *matrix); /* may be NULL */
/* Returns the entries [d][d] of a dense operator; NULL if it is not dense. */
const double *operator_entries(const Operator *matrix);
/* Transposes the entries of a dense operator in place. */
void operator_transpose_entries(Operator *matrix);

static inline void operator_multiply(const Operator *matrix, const double *x, double *y) {
  matrix->ops->multiply(matrix, x, y);
}
static inline void operator_add(const Operator *matrix, const double *x, double *y) {
  matrix->ops->add(matrix, 1, x, y);
}
/* Sets y to weight times the vector of a load; load.rows may be y itself. */
static inline void operator_take(OperatorLoad load, int count, double *y) {
  for (int i = 0; load.rows != y && i < count; i++) y[i] = load.weight * load.rows[i];
}
static inline void operator_combine(OperatorLoad load, const Operator *a, const double *x, const Operator *b,
                                    const double *z, double *y) {
  a->ops->combine(load, a, x, b, z, y);
}
static inline void operator_add_columns(const Operator *matrix, double factor, int n, int width, const double *x,
                                        double *y) {
  matrix->ops->add_columns(matrix, factor, n, width, x, y);
}
/* operator_dot returns x'y and operator_form x'A x, over all ranks. product: [count], set to A x. */
double operator_dot(const SimProblem *problem, const double *x, const double *y);
double operator_form(const Operator *matrix, const double *x, double *product);
/* Returns the diagonal entry a_ii for row i of this rank. */
double operator_diagonal(const SimProblem *problem, OperatorPart part, int i);
/* Returns the sum of |a_ii| x_i^2 over this rank's rows for one of the problem's matrices. It is the size of the terms
 * of x'A x, relative to which rounding errors are measured. */
double operator_size(const SimProblem *problem, OperatorPart part, const double *x);

/* Estimates the time, in s, that operator_check and operator_bounds take for eigenvalues. */
double operator_check_seconds(const SimProblem *problem);
/* Checks M, D and A according to their storage, and reports errors. Checks that need all ranks are in
 * operator_bounds. */
void operator_check(Check *check, SimBounds *bounds);
/* Computes the bounds of a problem without errors, except step_limit, which the scheme supplies. step: the matrix E
 * from which delta is computed. Reports errors. Returns SIM_OK, SIM_BAD_PROBLEM or SIM_NO_MEMORY, the same on all
 * ranks. */
SimStatus operator_bounds(Check *check, OperatorSum step, SimBounds *bounds);

#endif
