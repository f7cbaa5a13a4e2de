/* A step's friction problem with a dense E, and its solvers:
 *
 *     E w + Q lambda = b,   E [d][d] with a positive definite symmetric part, Q = diag(q), q_i >= 0,
 *
 * with w the velocity at which friction acts, up to a factor, and one of the laws between lambda and w:
 *
 *     unregularized   lambda_i = P(lambda_i + weight_i w_i), that is lambda_i in sgn(w_i)              (1.10)
 *     regularized     lambda = fresh P(lambda + projection_weight w) + kept lambda_old,  fresh + kept = 1         (1.18)
 *
 *     smooth          lambda_i = w_i / sqrt(eta^2 + w_i^2)                          (5) of Glowinski et al.; exact alone
 *
 * lambda_i = 0 where q_i = 0. Local; nothing is allocated while solving. */
#ifndef SIM_DENSE_SOLVER_H
#define SIM_DENSE_SOLVER_H

#include "sim/law/step_law.h"
#include "sim/sim.h"

#include <float.h>

typedef struct DenseSolver {
  int d;
  SimSolver kind;
  double *matrix;            /* [d][d] E */
  double *inverse;           /* [d][d] E^-1 */
  double *threshold;         /* [d] q */
  double *projection_weight; /* [d] (lambda + projection_weight w) is what the law projects */
  double *mobility;          /* [d] 1/E_ii */
  double *rows;              /* [d][d] scale_i E_ij: what the exact solver sweeps with; see exact.c */
  double *scale;             /* [d] 1/(E_ii stick_slope_i + q_i fresh); 1/E_ii where q_i = 0 */
  double *stick_slope; /* [d] kept/weight_i: w_i per rise of the projection's argument while it is inside [-1, 1] */
  double *slip_slope;  /* [d] w_i per rise beyond, less stick_slope_i: q_i fresh/E_ii; 1 where q_i = 0 */
  double *limit;       /* [d] of |lambda_i|: 1; 0 where q_i = 0 */
  double
      *factors;  /* [2^d][d][d] for d <= STEP_TABULATED, else NULL: L of E = L L' with rows and columns of the dofs that
                      * are not in the set (bit i: dof i is) replaced by the identity's */
  bool diagonal; /* E is, and the law unregularized: one sweep is the solution */
  bool skew;     /* E is not symmetric: the exact solver goes by path.c */
  bool
      coupled; /* d > STEP_TABULATED, unregularized, and sweeps alone are slow: the exact solver begins with Newton's step */
  double fresh;     /* dt / (eps + dt); 1 when unregularized */
  double kept;      /* eps / (eps + dt); 0 when unregularized */
  double eta;       /* > 0: the smooth law */
  double tolerance; /* fixed_point: eta of (1.15), or as follows */
  bool
      by_multiplier; /* fixed_point: stop on max_i |change of lambda_i| <= max(tolerance, 8u max_i weight_i (|E^-1| |b|)_i),
                       * below which the change is round-off (u = 2^-53), instead of (1.15) */
} DenseSolver;

static inline DofLaw dense_solver_law(const DenseSolver *s, int i) {
  return (DofLaw){s->threshold[i], s->projection_weight[i], s->fresh, s->kept};
}

/* Counts over a rollout. */
typedef struct StepTally {
  long iterations; /* sweeps, or fixed-point iterations */
  double residual; /* largest so far; see SimFinal */
  long grazes;     /* see SimFinal, as the next two */
  long impacts, settled;
} StepTally;

/* Storage for solves with solvers that stay as they are. */
typedef struct StepScratch {
  double *a, *b, *c;                        /* [d] */
  double *load, *low, *high, *rise, *ahead; /* [d] of the exact solver */
  double *square;                           /* [d][d] */
  int *index;                               /* [2 d], of which the last d are a factor's rows that were exchanged */
  /* The exact solver's last factor, in square: whose (NULL: none), of how many dofs, which are in index. */
  const DenseSolver *factored;
  int members;
  double *stiffness; /* [d] what friction adds to E_ii there; INFINITY: the dof is held */
} StepScratch;

enum { STEP_TABULATED = 4 };

/* What a lane and the scalar solver must agree on. */
enum { STEP_SWEEPS_BEFORE_NEWTON = 6 };
#define STEP_ROUND_OFF (2 * DBL_EPSILON) /* a residual below this times the terms of its equation is round-off */

/* Where coupling is strong the sweeps' own round-off comes back through it. */
#define STEP_THOROUGH_ROUND_OFF (8 * STEP_ROUND_OFF)
/* The last resort, where two answers on both sides of a kink take turns, as round-off has it. */
#define STEP_LAST_ROUND_OFF (64 * STEP_THOROUGH_ROUND_OFF)

/* (sqrt(norm) + 1)^2 <= 2 (norm + 1): what (1.15) passes has change^2 below tolerance^2 times this times (norm + 1), with
 * something for round-off; so most iterations need no root. */
#define STEP_NEAR 2.0000001

/* Allocates for size d. The caller then writes matrix, threshold, projection_weight, fresh, kept; dense_solver_factor makes E^-1 and
 * what the exact solver wants of them, and returns SIM_BAD_PROBLEM when its symmetric part is not positive definite. */
SimStatus dense_solver_init(DenseSolver *solver, int d);
SimStatus dense_solver_factor(DenseSolver *solver);
void dense_solver_clear(DenseSolver *solver);

/* A copy whose thresholds change: what depends on them is its own, the rest borrowed. SIM_OK, SIM_NO_MEMORY. */
SimStatus dense_solver_vary(const DenseSolver *fixed, DenseSolver *solver);
/* Takes the law's thresholds and weights into such a copy. */
void dense_solver_weigh(DenseSolver *solver, const StepLaw *law);
void dense_solver_release(DenseSolver *solver);

SimStatus step_scratch_init(StepScratch *scratch, int d);
void step_scratch_clear(StepScratch *scratch);

/* Solves one step. b: [d]. base: [d] or NULL: the paper's stopping rule looks at base + w. w: enters as a
 * guess. lambda: enters as lambda_old, the multiplier one step back. slip: -1, 0, 1 by the branch of the law.
 * SIM_OK, SIM_NOT_CONVERGED, SIM_NON_FINITE. */
SimStatus step_solve(const DenseSolver *solver, StepScratch *scratch, const double *b, const double *base, double *w,
                     double *lambda, signed char *slip, StepTally *tally);

/* The kinds behind step_solve. */
SimStatus step_solve_exact(const DenseSolver *solver, StepScratch *scratch, const double *b, double *w, double *lambda,
                           signed char *slip, StepTally *tally);
SimStatus step_solve_path(const DenseSolver *solver, StepScratch *scratch, const double *b, double *w, double *lambda,
                          signed char *slip, StepTally *tally);
SimStatus step_solve_fixed_point(const DenseSolver *solver, StepScratch *scratch, const double *b, const double *base,
                                 double *w, double *lambda, signed char *slip, StepTally *tally);
SimStatus step_solve_smooth(const DenseSolver *solver, StepScratch *scratch, const double *b, double *w, double *lambda,
                            signed char *slip, StepTally *tally);

/* A piece of both exact ones: the solution target [d] with every dof held on its branch `slip`. Uses scratch->c, square, index, stiffness. Returns
 * false when E is too ill-conditioned. */
bool step_branch_target(const DenseSolver *solver, StepScratch *scratch, const double *b, const double *lambda_old,
                        const signed char *slip, double *target);

#endif
