/* The friction problem that every step poses, and its solvers:
 *
 *     E w + Q lambda = b,   E symmetric positive definite [d][d], Q = diag(q), q_i >= 0,
 *
 * with w the velocity at which friction acts, up to a factor, and one of the laws between lambda and w:
 *
 *     unregularised   lambda_i = P(lambda_i + pull_i w_i), that is lambda_i in sgn(w_i)              (1.10)
 *     regularised     lambda = fresh P(lambda + pull w) + kept lambda_old,  fresh + kept = 1         (1.18)
 *
 *     smooth          lambda_i = w_i / sqrt(eta^2 + w_i^2)                          (5) of Glowinski et al.; exact alone
 *
 * lambda_i = 0 where q_i = 0. Local; nothing is allocated while solving. */
#ifndef SIM_STEP_SOLVER_H
#define SIM_STEP_SOLVER_H

#include "sim/sim.h"

typedef struct StepSolver {
  int d;
  SimSolver kind;
  double *matrix;    /* [d][d] E */
  double *inverse;   /* [d][d] E^-1 */
  double *threshold; /* [d] q */
  double *pull;      /* [d] (lambda + pull w) is what the law projects */
  double fresh;      /* dt / (eps + dt); 1 when unregularised */
  double kept;       /* eps / (eps + dt); 0 when unregularised */
  double eta;        /* > 0: the smooth law */
  double tolerance;  /* fixed_point: eta of (1.15), or as follows */
  bool
      by_multiplier; /* fixed_point: stop on max_i |change of lambda_i| <= max(tolerance, 8u max_i pull_i (|E^-1| |b|)_i),
                       * below which the change is round-off (u = 2^-53), instead of (1.15) */
} StepSolver;

/* Counts over a rollout. */
typedef struct StepTally {
  long iterations; /* sweeps, or fixed-point iterations */
  double residual; /* largest so far; see SimFinal */
} StepTally;

/* Storage for a solve. */
typedef struct StepScratch {
  double *a, *b, *c; /* [d] */
  double *square;    /* [d][d] */
  int *index;        /* [d] */
} StepScratch;

/* Allocates for size d; fills E^-1 from solver->matrix (which the caller has written) in step_solver_factor,
 * which returns SIM_BAD_PROBLEM when E is not positive definite. */
SimStatus step_solver_init(StepSolver *solver, int d);
SimStatus step_solver_factor(StepSolver *solver);
void step_solver_clear(StepSolver *solver);

SimStatus step_scratch_init(StepScratch *scratch, int d);
void step_scratch_clear(StepScratch *scratch);

/* Solves one step. b: [d]. base: [d] or NULL: the paper's stopping rule looks at base + w. w: enters as a
 * guess. lambda: enters as lambda_old, the multiplier one step back. slip: -1, 0, 1 by the branch of the law.
 * SIM_OK, SIM_NOT_CONVERGED, SIM_NON_FINITE. */
SimStatus step_solve(const StepSolver *solver, StepScratch *scratch, const double *b, const double *base, double *w,
                     double *lambda, signed char *slip, StepTally *tally);

/* The kinds behind step_solve. */
SimStatus step_solve_exact(const StepSolver *solver, StepScratch *scratch, const double *b, double *w, double *lambda,
                           signed char *slip, StepTally *tally);
SimStatus step_solve_fixed_point(const StepSolver *solver, StepScratch *scratch, const double *b, const double *base,
                                 double *w, double *lambda, signed char *slip, StepTally *tally);
SimStatus step_solve_smooth(const StepSolver *solver, StepScratch *scratch, const double *b, double *w, double *lambda,
                            signed char *slip, StepTally *tally);

#endif
