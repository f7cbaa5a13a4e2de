/* The friction problem of a step, E w + Q lambda = b (step_solver.h), with a sparse E, and what the schemes of SIM_SPARSE
 * share beside it. All collective over the problem's group. */
#ifndef SIM_STEP_SPARSE_H
#define SIM_STEP_SPARSE_H

#include "sim/core/model.h"
#include "sim/operator/sparse.h"

/* What a workspace of a SIM_SPARSE model has beside the arrays that all have. */
typedef struct SparseWork {
  SparseSolver *solver[2]; /* of the step, and of the first one where it has its own; NULL: none */
  double *spare[2];        /* [count] for sparse_step_solve, and between its calls for whoever wants them */
  double *lambda_old;      /* [count] regularised law or fixed point, else NULL */
  double *force[2];        /* [count] f at the last two times asked for; NULL: constant, or none */
  SimProfile *profile;     /* NULL: nobody wants it */
} SparseWork;

/* A step's problem but for b. */
typedef struct SparseStepLaw {
  SparseLaw law;
  SimSolver kind;
  double tolerance; /* fixed_point: of (1.15) */
} SparseStepLaw;

/* work->sparse with its solvers for `step` and `first` (NULL: none); status agreed on by the group. */
SimStatus sparse_work_create(const SimModel *model, const SparseOperator *step, const SparseOperator *first,
                             SparseWork **work);
void sparse_work_destroy(SparseWork *work);

/* Solves one step; as step_solve. slip: enters as the branches to start from. */
SimStatus sparse_step_solve(const SparseStepLaw *step, SparseWork *work, SparseSolver *solver, const double *b,
                            const double *base, double *w, double *lambda, signed char *slip, StepTally *tally);

/* The pieces of sparse_step_solve for `exact`, once Newton's steps have not settled (step_sparse_descent.c): goes downhill
 * until they do. */
SimStatus sparse_step_descend(const SparseLaw *law, SparseWork *work, SparseSolver *solver, const SparseStep *step,
                              StepTally *tally);

/* x'A x, and sums of products over the group. product [count]: overwritten. */
double sparse_form(const SparseOperator *matrix, const double *x, double *product);

/* Whether f is added to work->push for good: B u is not formed anew each step. */
bool sparse_load_constant(const SimProblem *problem);
/* f at work->sparse->force[1] for t = 0, or added to work->push for good where it is constant. */
void sparse_load_start(const SimProblem *problem, SimWorkspace *work);
/* The same for t_n, in a workspace whose state of that time has been loaded: work->push is as it was. Forgets the solvers'
 * branches. */
void sparse_load_resume(const SimProblem *problem, SparseWork *work, long n);
/* f at t_n, or its mean theta f^n + (1-theta) f^{n-1} over the step that ends there; NULL: zero, or in work->push. The mean
 * must be asked for at each n in turn. */
const double *sparse_load_now(const SimProblem *problem, SparseWork *work, long n);
const double *sparse_load_mean(const SimProblem *problem, SparseWork *work, long n, double theta);

/* Processor seconds of this thread. */
double sparse_clock(void);

#endif
