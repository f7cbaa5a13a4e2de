/* The friction problem of a step with a dense E, and its solvers:
 *
 *     E w + Q lambda = b,   E [d][d] with a positive definite symmetric part, Q = diag(q), q_i >= 0,
 *
 * where w is the velocity at which friction acts, up to a factor. One of these laws relates lambda and w:
 *
 *     unregularized   lambda_i = P(lambda_i + weight_i w_i), that is lambda_i in sgn(w_i)              (1.10)
 *     regularized     lambda = fresh P(lambda + projection_weight w) + kept lambda_old,  fresh + kept = 1      (1.18)
 *     smooth          lambda_i = w_i / sqrt(eta^2 + w_i^2)                   (5) of Glowinski et al.; solver exact only
 *
 * lambda_i = 0 where q_i = 0. Local; solving allocates nothing. */
#ifndef SIM_DENSE_SOLVER_H
#define SIM_DENSE_SOLVER_H

#include "sim/internal.h"
#include "sim/law/step_law.h"

#include <float.h>

typedef struct DenseSolver {
  int d;
  SimSolver kind;
  double *matrix;            /* [d][d] E */
  double *inverse;           /* [d][d] E^-1 */
  double *threshold;         /* [d] q */
  double *projection_weight; /* [d] the law projects lambda + projection_weight w */
  double *mobility;          /* [d] 1/E_ii */
  double *rows;              /* [d][d] scale_i E_ij, for the sweeps of the exact solver (exact.c) */
  double *scale;             /* [d] 1/(E_ii stick_slope_i + q_i fresh); 1/E_ii where q_i = 0 */
  /* [d] kept/weight_i: dw_i per change of the projection's argument while that is inside [-1, 1] */
  double *stick_slope;
  double *slip_slope; /* [d] slope of w_i while it slips, minus stick_slope_i: q_i fresh/E_ii; 1 where q_i = 0 */
  double *limit;      /* [d] of |lambda_i|: 1; 0 where q_i = 0 */
  /* [2^d][d][d] for d <= STEP_TABULATED, else NULL: factors L of E = L L' for each set of dofs (bit i: dof i is in the
   * set). Rows and columns of other dofs are replaced by those of the identity. */
  double *factors;
  bool diagonal; /* E is diagonal and the law unregularized: one sweep is the solution */
  bool skew;     /* E is not symmetric: the exact solver uses path.c */
  /* d > STEP_TABULATED, unregularized, and sweeps alone converge slowly: the exact solver starts with Newton's step */
  bool coupled;
  double fresh;     /* dt / (eps + dt); 1 when unregularized */
  double kept;      /* eps / (eps + dt); 0 when unregularized */
  double eta;       /* > 0: the smooth law */
  double tolerance; /* fixed_point: eta of (1.15), or the limit by_multiplier */
  /* fixed_point: stop when max_i |change of lambda_i| <= max(tolerance, 8u max_i weight_i (|E^-1| |b|)_i), u = 2^-53,
   * instead of (1.15); below the second bound the change is rounding error */
  bool by_multiplier;
} DenseSolver;

static inline DofLaw dense_solver_law(const DenseSolver *s, int i) {
  return (DofLaw){s->threshold[i], s->projection_weight[i], s->fresh, s->kept};
}

/* Counts of a rollout. */
typedef struct StepTally {
  long iterations; /* sweeps, or fixed-point iterations */
  double residual; /* largest so far; see SimFinal */
  long grazes;     /* see SimFinal, as the next two */
  long impacts, settled;
} StepTally;

/* Scratch for solves; the solvers do not change. */
typedef struct StepScratch {
  double *a, *b, *c;                        /* [d] */
  double *load, *low, *high, *rise, *ahead; /* [d] scratch of the exact solver */
  double *square;                           /* [d][d] */
  int *index;                               /* [2 d], of which the last d are row exchanges of a factor */
  /* The exact solver's last factor, stored in square: its solver (NULL: none) and number of dofs, listed in index. */
  const DenseSolver *factored;
  int members;
  double *stiffness; /* [d] stiffness that friction adds to E_ii there; INFINITY: the dof is held */
} StepScratch;

enum { STEP_TABULATED = 4 };

/* A lane and the scalar solver must use the same number. */
enum { STEP_SWEEPS_BEFORE_NEWTON = 6 };
#define STEP_ROUND_OFF (2 * DBL_EPSILON) /* a residual below this times the terms of its equation is round-off */

/* Limit for strong coupling, which amplifies the sweeps' own rounding error. */
#define STEP_THOROUGH_ROUND_OFF (8 * STEP_ROUND_OFF)
/* Limit of last resort, where rounding makes two solutions on both sides of a kink alternate. */
#define STEP_LAST_ROUND_OFF (64 * STEP_THOROUGH_ROUND_OFF)

/* (sqrt(norm) + 1)^2 <= 2 (norm + 1): if (1.15) holds, change^2 is below tolerance^2 (norm + 1) times this constant,
 * which includes a margin for rounding. So most iterations need no square root. */
#define STEP_NEAR 2.0000001

/* Allocates for size d. The caller then sets matrix, threshold, projection_weight, fresh, kept. dense_solver_factor
 * computes E^-1 and the data of the exact solver; SIM_BAD_PROBLEM if the symmetric part of E is not positive
 * definite. */
SimStatus dense_solver_init(DenseSolver *solver, int d);
SimStatus dense_solver_factor(DenseSolver *solver);
void dense_solver_clear(DenseSolver *solver);

/* Creates a copy with varying thresholds; it owns data that depend on them, and borrows the rest. SIM_OK,
 * SIM_NO_MEMORY. */
SimStatus dense_solver_vary(const DenseSolver *fixed, DenseSolver *solver);
/* Copies the law's thresholds and weights into such a copy. */
void dense_solver_weigh(DenseSolver *solver, const StepLaw *law);
void dense_solver_release(DenseSolver *solver);

SimStatus step_scratch_init(StepScratch *scratch, int d);
void step_scratch_clear(StepScratch *scratch);

/* Solves one step. b: [d]. base: [d] or NULL; the paper's stopping rule uses base + w. w: initial guess on entry.
 * lambda: on entry lambda_old, the multiplier of the step before. slip: -1, 0, 1 by the branch of the law. SIM_OK,
 * SIM_NOT_CONVERGED, SIM_NON_FINITE. */
SimStatus step_solve(const DenseSolver *solver, StepScratch *scratch, const double *b, const double *base, double *w,
                     double *lambda, signed char *slip, StepTally *tally);

/* The solvers that step_solve selects. */
SimStatus step_solve_exact(const DenseSolver *solver, StepScratch *scratch, const double *b, double *w, double *lambda,
                           signed char *slip, StepTally *tally);
SimStatus step_solve_path(const DenseSolver *solver, StepScratch *scratch, const double *b, double *w, double *lambda,
                          signed char *slip, StepTally *tally);
SimStatus step_solve_fixed_point(const DenseSolver *solver, StepScratch *scratch, const double *b, const double *base,
                                 double *w, double *lambda, signed char *slip, StepTally *tally);
SimStatus step_solve_smooth(const DenseSolver *solver, StepScratch *scratch, const double *b, double *w, double *lambda,
                            signed char *slip, StepTally *tally);

/* Used by both exact solvers: solution target [d] with every dof on its branch `slip`. Uses scratch->c, square, index,
 * stiffness. Returns false if E is too ill-conditioned. */
bool step_branch_target(const DenseSolver *solver, StepScratch *scratch, const double *b, const double *lambda_old,
                        const signed char *slip, double *target);

#endif
