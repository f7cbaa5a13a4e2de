/* The matrices of a system behind one seam: sums of M, D and A that are multiplied and solved with, whatever their storage.
 * dense_operator.c has dense ones; tridiagonal.c and petsc.c those of sparse storage, with rows over the ranks of a group.
 * All vectors [count], this rank's rows; all collective over the problem's group. */
#ifndef SIM_OPERATOR_H
#define SIM_OPERATOR_H

#include "sim/group.h"
#include "sim/operator/check.h"

struct StepLaw;

typedef enum OperatorPart { OPERATOR_MASS, OPERATOR_DAMPING, OPERATOR_STIFFNESS, OPERATOR_PARTS } OperatorPart;

typedef struct OperatorTerm {
  OperatorPart part;
  double weight; /* 0: no term */
} OperatorTerm;

/* A weighted sum of M, D and A, each at most once, added in this order. P: the dofs without mass, massless.h. */
typedef struct OperatorSum {
  OperatorTerm term[OPERATOR_PARTS];
  bool apart; /* without what couples P to the others */
  bool
      bounds; /* operator_bounds has delta of the dofs with mass alone: a law's r that suits P is too small for the others */
} OperatorSum;

/* How much of a part is in it. */
static inline double operator_weight(OperatorSum sum, OperatorPart part) {
  double weight = 0;
  for (int k = 0; k < OPERATOR_PARTS; k++) weight += sum.term[k].part == part ? sum.term[k].weight : 0;
  return weight;
}

static inline OperatorSum operator_alone(OperatorPart part) { return (OperatorSum){.term = {{part, 1}}}; }

/* A vector as it enters a sum: weight rows, [count]. */
typedef struct OperatorLoad {
  double weight;
  const double *rows;
} OperatorLoad;

typedef struct OperatorOps OperatorOps;

/* A matrix, this rank's rows: scale times the sum; symmetric, but where it is dense and has a part of a D that is not. Immutable. What a storage
 * has besides follows in memory. */
typedef struct Operator {
  const OperatorOps *ops;
  const SimProblem *problem; /* borrowed */
  OperatorSum sum;
  double scale;
  double norm; /* sparse: the largest row sum of magnitudes, over the group */
} Operator;

/* All that one evaluator needs to solve with an operator E of scale 1. */
typedef struct OperatorSolver {
  const Operator *matrix;
  long linear_iterations; /* of the linear solver, so far; 0 where it is direct */
} OperatorSolver;

/* One step's unknowns; every [count] array borrowed. */
typedef struct SparseStep {
  const double *b;          /* [count] */
  const double *lambda_old; /* [count] the multiplier one step back; read by the regularized law alone, else NULL */
  double *w;                /* [count] */
  double *lambda;           /* [count] */
  signed char *slip;        /* [count] the branches: -1, 0, 1 */
} SparseStep;

/* Who multiplies and solves. The solver's part is that of sparse storage: a dense E has its own, sim/step/dense_solver.h. */
struct OperatorOps {
  SimStatus (*create)(const SimProblem *problem, const OperatorSum *sum, Operator **matrix);
  /* scale times an operator that outlives it, whose storage the sparse ones borrow. */
  SimStatus (*scaled)(const Operator *matrix, double scale, Operator **product);
  void (*destroy)(Operator *matrix);
  void (*multiply)(const Operator *matrix, const double *x, double *y); /* y = A x; x != y */
  /* y = rows first .. last - 1 of A x; beyond: x of the rows before and behind this rank's. Not collective. NULL: no such way */
  void (*multiply_rows)(const Operator *matrix, const double *x, const double beyond[2], int first, int last,
                        double *y);
  void (*add)(const Operator *matrix, double factor, const double *x, double *y); /* y += A (factor x); x != y */
  /* y = load + A x - B z, B of the same problem; load may be y */
  void (*combine)(OperatorLoad load, const Operator *a, const double *x, const Operator *b, const double *z, double *y);
  /* y += A (factor x) of the first n of blocks of columns (columns.h) of that width; n a multiple of four; x != y */
  void (*add_columns)(const Operator *matrix, double factor, int n, int width, const double *x, double *y);
  /* The largest row sum of |A - A'| over all ranks (where each rank's own rows are symmetric, at least between ranks). The
   * matrix is not to be solved with after this. */
  SimStatus (*asymmetry)(const Operator *matrix, double *norm);

  SimStatus (*solver_create)(const Operator *matrix, OperatorSolver **solver);
  void (*solver_destroy)(OperatorSolver *solver);
  /* To be called when another law is next, or branches that newton has not left: drops what is known of the last ones. */
  void (*forget)(OperatorSolver *solver);
  /* w = E^-1 b, b != w. SIM_NOT_CONVERGED, or SIM_BAD_PROBLEM where E is found not to be positive definite. */
  SimStatus (*solve)(OperatorSolver *solver, const double *b, double *w);
  /* One step of semismooth Newton: w and lambda with every dof on its branch of step->slip, and then step->slip as these w
   * and lambda call for; round: 0, 1, .. within one problem. *changed: how many branches of this rank moved; -1, of all
   * ranks: each row has been solved by itself, and there is nothing to test. Statuses as of solve, and SIM_NON_FINITE. */
  SimStatus (*newton)(OperatorSolver *solver, const struct StepLaw *law, const SparseStep *step, int round,
                      long *changed);
  /* The first n columns w, likewise, of (E + stiffness) w = b with every dof on its branch: what is held has w = 0, and
   * nothing else of the law enters. Statuses as of solve. After newton has ended on these branches with no forget in
   * between, or after one. */
  SimStatus (*solve_columns)(OperatorSolver *solver, const struct StepLaw *law, const signed char *slip, int n,
                             int width, const double *b, double *w);
};

extern const OperatorOps operator_dense, operator_tridiagonal, operator_petsc;

/* How many entries each of the problem's matrices has as an array, d^2; 0: they are kept otherwise, being large. */
size_t operator_array_size(const SimProblem *problem);
/* M, D or A as an array; NULL: they are kept otherwise. */
const double *dense_part(const SimProblem *problem, OperatorPart part);
const SimMatrix *sparse_part(const SimProblem *problem, OperatorPart part);
/* Frees those that are not arrays. */
void operator_parts_clear(SimProblem *problem);
/* Whether D is not 0 anywhere; agreed on by the group. */
bool operator_damped(const SimProblem *problem);

/* Which of them serves the problem: of sparse storage the tridiagonal one, unless there are a wider matrix, a rank without
 * rows, or options that ask for a solver of PETSc's. */
const OperatorOps *operator_ops(const SimProblem *problem);
/* By those, with its norm. *matrix is to be destroyed even when this fails. */
SimStatus operator_create(const SimProblem *problem, OperatorSum sum, Operator **matrix);
/* Likewise, scale times a matrix that outlives it. */
SimStatus operator_scaled(const Operator *matrix, double scale, Operator **product);
/* Likewise, its transpose. */
SimStatus operator_transposed(const Operator *matrix, Operator **product);
void operator_destroy(Operator *matrix); /* may be NULL */
/* The entries [d][d] of a dense one; NULL: it is not. */
const double *operator_entries(const Operator *matrix);
/* In place, of a dense one. */
void operator_transpose_entries(Operator *matrix);

static inline void operator_multiply(const Operator *matrix, const double *x, double *y) {
  matrix->ops->multiply(matrix, x, y);
}
static inline void operator_add(const Operator *matrix, const double *x, double *y) {
  matrix->ops->add(matrix, 1, x, y);
}
/* y = load, which may be y itself */
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
/* x'y and x'A x over the group. product [count]: becomes A x. */
double operator_dot(const SimProblem *problem, const double *x, const double *y);
double operator_form(const Operator *matrix, const double *x, double *product);
/* a_ii of this rank's row i. */
double operator_diagonal(const SimProblem *problem, OperatorPart part, int i);
/* The sum of |a_ii| x_i^2 of one of the problem's matrices, this rank's share: the size of the terms of x'A x. */
double operator_size(const SimProblem *problem, OperatorPart part, const double *x);

/* s, about, that the next two take for eigenvalues. */
double operator_check_seconds(const SimProblem *problem);
/* Checks M, D and A, by their storage: tells their mistakes. What ranks must find out together is operator_bounds's. */
void operator_check(Check *check, SimBounds *bounds);
/* Bounds of a problem without mistakes, of which step_limit is the scheme's; step: the operator whose delta it is. Reports mistakes; SIM_OK, SIM_BAD_PROBLEM or SIM_NO_MEMORY, agreed on by the group. */
SimStatus operator_bounds(Check *check, OperatorSum step, SimBounds *bounds);

#endif
