/* The friction problem that every step poses, behind one seam:
 *
 *     E w + Q lambda = b,   E symmetric positive definite, Q = diag(q), q_i = threshold c_i,
 *
 * with w the velocity at which friction acts, up to a factor, and lambda by one of the laws of dense_solver.h, with
 * weight_i = projection_weight c_i. A dense E is factored once for all workspaces and swept with (dense_solver.h); one of sparse storage is
 * solved with by its operator, branch by branch (newton.c, descent.c). Collective over the problem's group; nothing is
 * allocated while solving. */
#ifndef SIM_FRICTION_SOLVER_H
#define SIM_FRICTION_SOLVER_H

#include "sim/law/step_law.h"
#include "sim/operator/operator.h"
#include "sim/step/dense_solver.h"

typedef struct FrictionOps FrictionOps;

/* A step's problem but for b; immutable once factored. */
typedef struct FrictionSolver {
  const FrictionOps *ops;
  const Operator *matrix; /* E; borrowed */
  StepLaw law;
  SimSolver kind;
  double tolerance;  /* fixed_point: of (1.15) */
  int place;         /* which of a workspace's solvers is its */
  DenseSolver dense; /* of a dense E, else empty */
} FrictionSolver;

enum { FRICTION_SOLVERS = 2 };

/* What a workspace has for them. */
typedef struct FrictionWork {
  StepScratch dense;                        /* of dense ones, else empty */
  OperatorSolver *solver[FRICTION_SOLVERS]; /* of the others */
  double *lambda_old;                       /* [count] regularized law or fixed point, else NULL */
  double *spare[2];                         /* [count] between solves for whoever wants them */
  SimProfile *profile;                      /* NULL: nobody wants it */
} FrictionWork;

/* Factors E. solver: with law, kind and tolerance set. SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM. */
SimStatus friction_solver_init(FrictionSolver *solver, const Operator *matrix);
void friction_solver_clear(FrictionSolver *solver);

/* For n solvers, whose places are set: 0, 1, ..; solvers of one place have the same E. Status agreed on by the group. */
SimStatus friction_work_init(FrictionWork *work, int n, const FrictionSolver *const *solvers);
void friction_work_clear(FrictionWork *work);
/* To be called where a rollout begins, or another solver of the same place is next: drops the branches of the last solve. */
void friction_forget(FrictionWork *work);

struct FrictionOps {
  SimStatus (*solve)(const FrictionSolver *solver, FrictionWork *work, const double *b, const double *base, double *w,
                     double *lambda, signed char *slip, StepTally *tally); /* as friction_solve */
  SimStatus (*equip)(const FrictionSolver *solver, FrictionWork *work);    /* what it has in a workspace, once */
};

extern const FrictionOps friction_dense, friction_newton;

/* Solves one step. b: [count]. base: [count] or NULL: the paper's stopping rule looks at base + w. w: enters as a guess.
 * lambda: enters as lambda_old, the multiplier one step back. slip: -1, 0, 1 by the branch of the law; enters as the
 * branches to start from. SIM_OK, SIM_NOT_CONVERGED, SIM_NON_FINITE. */
static inline SimStatus friction_solve(const FrictionSolver *solver, FrictionWork *work, const double *b,
                                       const double *base, double *w, double *lambda, signed char *slip,
                                       StepTally *tally) {
  if (solver->dense.d && !work->profile) /* the call counts where d is small */
    return step_solve(&solver->dense, &work->dense, b, base, w, lambda, slip, tally);
  return solver->ops->solve(solver, work, b, base, w, lambda, slip, tally);
}

/* The piece of friction_newton for `exact`, once Newton's steps have not settled (descent.c): goes downhill until they
 * do. */
SimStatus friction_descend(const StepLaw *law, FrictionWork *work, OperatorSolver *solver, const SparseStep *step,
                           StepTally *tally);

/* Processor seconds of this thread; 0 where nobody wants to know. */
double friction_seconds(void);
static inline double friction_clock(const FrictionWork *work) { return work->profile ? friction_seconds() : 0; }

#endif
