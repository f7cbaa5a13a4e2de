/* What the files of the SIM_SPARSE models share: matrices, the linear solves of a step behind one seam, reductions. */
#ifndef SIM_SPARSE_H
#define SIM_SPARSE_H

#include "sim/group.h"

/* Weights of M, D and A in a sum of them. */
typedef struct SparseWeights {
  double mass, damping, stiffness;
} SparseWeights;

/* The laws between lambda and w of step_solver.h, with q_i = threshold c_i and pull_i = pull c_i. */
typedef struct SparseLaw {
  const double *friction; /* [count] c */
  double threshold, pull;
  double fresh, kept; /* 1 and 0: unregularised */
} SparseLaw;

/* One step's unknowns; every [count] array borrowed. */
typedef struct SparseStep {
  const double *b;          /* [count] */
  const double *lambda_old; /* [count] the multiplier one step back; read by the regularised law alone, else NULL */
  double *w;                /* [count] */
  double *lambda;           /* [count] */
  signed char *slip;        /* [count] the branches: -1, 0, 1 */
} SparseStep;

typedef struct SparseKernel SparseKernel;

/* A symmetric matrix, this rank's rows. Immutable. */
typedef struct SparseOperator {
  const SparseKernel *kernel;
  const SimProblem *problem; /* borrowed */
  SparseWeights weights;
  double norm; /* its largest row sum of magnitudes, over the group */
} SparseOperator;

/* All that one evaluator needs to solve with an operator E. */
typedef struct SparseSolver {
  const SparseOperator *matrix;
  long linear_iterations; /* of the linear solver, so far; 0 where it is direct */
} SparseSolver;

/* A rank's dofs where E couples neighbours alone, as newton leaves them; all [count]. */
typedef struct SparseChain {
  int count;
  const double *diagonal, *off; /* E_ii, E_{i,i+1} (not read: the last) */
  const double *free;           /* 0 where the dof was held */
  const double *reaction;       /* b - E w where it was */
} SparseChain;

/* After a step of newton with the unregularised law, called for the `round`-th time: moves step->slip further where whole
 * stretches of dofs are about to follow, see stretches.c. Returns how many more have left the branches they came with. */
enum { SPARSE_ROUNDS_GUESSED = 1000 }; /* from these rounds on nothing is guessed */
long sparse_move_stretches(const SparseChain *chain, const SparseLaw *law, const SparseStep *step, int round);

/* Who multiplies and solves: tridiagonal.c tridiagonal matrices, sparse_petsc.c all others. All collective over the
 * problem's group. */
struct SparseKernel {
  SimStatus (*create)(const SimProblem *problem, SparseWeights weights, SparseOperator **matrix);
  void (*destroy)(SparseOperator *matrix);
  /* y = A x, or y += A x; x != y */
  void (*multiply)(const SparseOperator *matrix, bool add, const double *x, double *y);
  /* The largest row sum of |A - A'| over all ranks (where each rank's own rows are symmetric, at least between ranks). The
   * matrix is not to be solved with after this. */
  SimStatus (*asymmetry)(const SparseOperator *matrix, double *norm);

  SimStatus (*solver_create)(const SparseOperator *matrix, SparseSolver **solver);
  void (*solver_destroy)(SparseSolver *solver);
  /* To be called when another law is next, or branches that newton has not left: drops what is known of the last ones. */
  void (*forget)(SparseSolver *solver);
  /* w = E^-1 b, b != w. SIM_NOT_CONVERGED, or SIM_BAD_PROBLEM where E is found not to be positive definite. */
  SimStatus (*solve)(SparseSolver *solver, const double *b, double *w);
  /* One step of semismooth Newton: w and lambda with every dof on its branch of step->slip, and then step->slip as these w
   * and lambda call for; round: 0, 1, .. within one problem. *changed: how many branches of this rank moved. Statuses as
   * of solve. */
  SimStatus (*newton)(SparseSolver *solver, const SparseLaw *law, const SparseStep *step, int round, long *changed);
};

extern const SparseKernel sparse_tridiagonal, sparse_petsc;

/* Which of them serves the problem: the tridiagonal one unless there are a wider matrix, a rank without rows, or options
 * that ask for a solver of PETSc's. Collective. */
const SparseKernel *sparse_kernel(const SimProblem *problem);
/* By that kernel, with its norm. *matrix is to be destroyed even when this fails. */
SimStatus sparse_operator_create(const SimProblem *problem, SparseWeights weights, SparseOperator **matrix);
/* y = A x */
static inline void sparse_multiply(const SparseOperator *matrix, const double *x, double *y) {
  matrix->kernel->multiply(matrix, false, x, y);
}
/* y += A x */
static inline void sparse_add(const SparseOperator *matrix, const double *x, double *y) {
  matrix->kernel->multiply(matrix, true, x, y);
}
/* Whether the problem has a matrix D; agreed on by the group. */
bool sparse_damped(const SimProblem *problem);
void sparse_operator_destroy(SparseOperator *matrix); /* may be NULL */
/* Whether PETSc has been started, and has been given options of the prefix -step_. */
bool sparse_petsc_ready(void);
bool sparse_petsc_chosen(void);
/* Whether there is an option of that prefix that no solver has read so far, and the first one's name. */
bool sparse_petsc_unused(char *name, size_t size);
/* The sum of the magnitudes of a local row, at most. */
double sparse_row_bound(const SparseOperator *matrix, int i);
bool sparse_is_tridiagonal(const SimProblem *problem); /* this rank's rows */
/* Adds a_ii and a_{i,i+1} of this rank's rows; [count] each. */
void sparse_diagonals(const SparseOperator *matrix, double *diagonal, double *off);

#endif
