/* SPDX-License-Identifier: BSD-2-Clause */
/* The friction problem of every step, behind one interface:
 *
 *   E w + Q lambda = b, E symmetric positive definite, Q = diag(q), q_i = threshold c_i,
 *
 * where w is the velocity on which friction acts, up to a factor. lambda follows one of the laws of dense_solver.h with
 * weight_i = projection_weight c_i. A dense E is factored once for all workspaces and solved by sweeps
 * (dense_solver.h). A sparse E is solved by its operator, with repeated guesses of which dofs slip or stick (newton.c,
 * descent.c). Collective over the problem's group; solving allocates nothing. */
#ifndef SIM_FRICTION_SOLVER_H
#define SIM_FRICTION_SOLVER_H

#include "sim/law/step_law.h"
#include "sim/operator/operator.h"
#include "sim/step/dense_solver.h"

typedef struct FrictionOps FrictionOps;

/* The problem of a step without its right side b. It does not change after it has been factored. */
typedef struct FrictionSolver {
  const FrictionOps *ops;
  const Operator *matrix; /* matrix E of the problem; borrowed */
  StepLaw law;
  SimSolver kind;
  double tolerance;  /* tolerance of the stopping test (1.15) of the fixed-point iteration */
  int place;         /* index of the solver's data in a workspace (FrictionWork.solver) */
  DenseSolver dense; /* solver for a dense E; otherwise empty */
} FrictionSolver;

/* maximum number of friction solvers of a scheme */
enum { FRICTION_SOLVERS = 2 };

/* Data of a workspace for the solvers of its steps. */
typedef struct FrictionWork {
  StepScratch dense;                        /* scratch for a dense E; otherwise empty */
  OperatorSolver *solver[FRICTION_SOLVERS]; /* solvers for sparse E */
  double *lambda_old;  /* [count] previous multiplier, for the regularized law or the fixed point; otherwise NULL */
  double *spare[2];    /* [count] scratch vectors, free between solves */
  SimProfile *profile; /* receives processor times; NULL: none are measured */
} FrictionWork;

/* Factors E. The members law, kind and tolerance of the solver must have been set. `dense` must be empty or factored
 * before; its factors are kept if E is equal. Returns SIM_OK, SIM_NO_MEMORY or SIM_BAD_PROBLEM; after an error `dense`
 * is empty. */
SimStatus friction_solver_init(FrictionSolver *solver, const Operator *matrix);
void friction_solver_clear(FrictionSolver *solver);

/* Creates data for n solvers with places 0, 1, ..; solvers with the same place have the same E. The status is the same
 * on all ranks. */
SimStatus friction_work_init(FrictionWork *work, int n, const FrictionSolver *const *solvers);
void friction_work_clear(FrictionWork *work);
/* Discards the stored branches and factors of the last solve. Call it at the start of a rollout, and before using
 * another solver with the same place. */
void friction_forget(FrictionWork *work);

struct FrictionOps {
  SimStatus (*solve)(const FrictionSolver *solver, FrictionWork *work, const double *b, const double *base, double *w,
                     double *lambda, signed char *slip, StepTally *tally); /* solves one step, like friction_solve */
  /* creates the solver's data in a workspace, once */
  SimStatus (*equip)(const FrictionSolver *solver, FrictionWork *work);
};

extern const FrictionOps friction_dense, friction_newton;

/* Solves one step. b: [count]. base: [count] or NULL; the stopping test (1.15) of Glowinski-Kearsley uses base + w. w:
 * initial guess on entry. lambda: on entry lambda_old, the multiplier of the previous step. slip: the branch of each
 * dof, -1, 0 (sticks) or 1; on entry the initial guess. Returns SIM_OK, SIM_NOT_CONVERGED or SIM_NON_FINITE. */
static inline SimStatus friction_solve(const FrictionSolver *solver, FrictionWork *work, const double *b,
                                       const double *base, double *w, double *lambda, signed char *slip,
                                       StepTally *tally) {
  if (solver->dense.d && !work->profile) /* a direct call is faster for small d */
    return step_solve(&solver->dense, &work->dense, b, base, w, lambda, slip, tally);
  return solver->ops->solve(solver, work, b, base, w, lambda, slip, tally);
}

/* Continues the solver `exact` for a sparse E if Newton's steps have not converged: runs a descent method (descent.c)
 * until it converges. */
SimStatus friction_descend(const StepLaw *law, FrictionWork *work, OperatorSolver *solver, const SparseStep *step,
                           StepTally *tally);

/* friction_seconds returns the processor time of this thread, in s. friction_clock does so, too, or returns 0 if no
 * profile is measured. */
double friction_seconds(void);
static inline double friction_clock(const FrictionWork *work) { return work->profile ? friction_seconds() : 0; }

#endif
