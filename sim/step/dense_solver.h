/* SPDX-License-Identifier: BSD-2-Clause */
/* The friction problem of a step with a dense E, and its solvers:
 *
 *     E w + Q lambda = b,   E [d][d] with a positive definite symmetric part, Q = diag(q), q_i >= 0,
 *
 * where E is the effective mass matrix of the step, w is the velocity at which friction acts, up to a factor, lambda is
 * the multiplier of friction, and b is the effect of all other forces. Each q_i is proportional to the threshold of dof
 * i. One of these laws relates lambda and w; P is the projection onto [-1, 1], and weight_i is projection_weight[i]:
 *
 *     unregularized   lambda_i = P(lambda_i + weight_i w_i), that is lambda_i in sgn(w_i)              (1.10)
 *     regularized     lambda_i = fresh P(lambda_i + weight_i w_i) + kept lambda_old_i,  fresh + kept = 1        (1.18)
 *     smooth          lambda_i = w_i / sqrt(eta^2 + w_i^2)                   (5) of Glowinski et al.; solver exact only
 *
 * lambda_i = 0 if q_i = 0. The branch of a dof is -1 or 1 if it slips, and 0 if it sticks. Local; solving allocates
 * nothing. */
#ifndef SIM_DENSE_SOLVER_H
#define SIM_DENSE_SOLVER_H

#include "sim/internal.h"
#include "sim/law/step_law.h"

#include <float.h>

typedef struct DenseSolver {
  int d;
  SimSolver kind;
  double *matrix;            /* [d][d] matrix E */
  double *inverse;           /* [d][d] E^-1 */
  double *threshold;         /* [d] thresholds q */
  double *projection_weight; /* [d] weight of w in the law's projection */
  double *mobility;          /* [d] 1/E_ii */
  double *rows;              /* [d][d] scale_i E_ij, for the sweeps of the exact solver (exact.c) */
  double *scale;             /* [d] 1/(E_ii stick_slope_i + q_i fresh); 1/E_ii if q_i = 0 */
  /* [d] kept/weight_i: slope of w_i over the argument lambda_i + weight_i w_i of the projection P, while this argument
   * is inside [-1, 1], so that the dof sticks */
  double *stick_slope;
  /* [d] slope of w_i over the same argument while the dof slips, q_i fresh/E_ii, minus stick_slope_i; 1 if q_i = 0 */
  double *slip_slope;
  double *limit; /* [d] largest |lambda_i|, which is 1; 0 if q_i = 0 */
  /* [2^d][d][d] for d <= STEP_TABULATED, otherwise NULL: factors L of E = L L' for each set of dofs. Bit i of the index
   * says whether dof i is in the set. Rows and columns of other dofs are those of the identity. */
  double *factors;
  bool diagonal; /* whether E is diagonal and the law unregularized; then one sweep gives the solution */
  bool skew;     /* whether E is not symmetric; the exact solver then uses path.c */
  /* whether the exact solver begins with a Newton step. It does if d > STEP_TABULATED, the law is unregularized, and
   * sweeps alone converge slowly */
  bool coupled;
  double fresh;     /* dt / (eps + dt), the weight of the new projection in the regularized law, with its time lag eps;
                     * 1 for the unregularized law */
  double kept;      /* eps / (eps + dt), the weight of the old multiplier in the regularized law; 0 for the
                     * unregularized law */
  double eta;       /* width eta of the smooth law, if > 0; otherwise the law is not smooth */
  double tolerance; /* for fixed_point: eta of (1.15), or the limit if by_multiplier */
  /* for fixed_point: whether to stop when max_i |change of lambda_i| <= max(tolerance, 8u max_i weight_i (|E^-1|
   * |b|)_i), u = 2^-53, instead of by the test (1.15); below the second bound the change is rounding error */
  bool by_multiplier;
} DenseSolver;

static inline DofLaw dense_solver_law(const DenseSolver *s, int i) {
  return (DofLaw){s->threshold[i], s->projection_weight[i], s->fresh, s->kept};
}

/* Counts of a rollout that its solves increase. */
typedef struct StepTally {
  long iterations; /* number of sweeps, or of fixed-point iterations */
  double residual; /* largest residual of the friction law so far (SimFinal) */
  long grazes;     /* number of grazes; like impacts and settled it has the meaning of the member of SimFinal */
  long impacts, settled;
} StepTally;

/* Scratch memory of solves. Solves do not change a solver, so several threads can use the same one. */
typedef struct StepScratch {
  double *a, *b, *c;                        /* [d] scratch */
  double *load, *low, *high, *rise, *ahead; /* [d] scratch of the exact solver, for each array */
  double *square;                           /* [d][d] factor of the exact solver */
  int *index;                               /* [2 d] list of the dofs that the factor in `square` includes, followed
                                             * by the row exchanges of its factorisation */
  /* solver to which the factor in `square` belongs; NULL: there is none. `index` lists the dofs that the factor
   * includes. */
  const DenseSolver *factored;
  int members;
  double *stiffness; /* [d] stiffness that friction adds to E_ii in that factor; INFINITY: the dof is held */
} StepScratch;

/* maximum number of dofs for which the factors of E for all sets of dofs are computed in advance */
enum { STEP_TABULATED = 4 };

/* Number of sweeps before a Newton step. Lanes and the scalar solver must use the same number. */
enum { STEP_SWEEPS_BEFORE_NEWTON = 6 };
#define STEP_ROUND_OFF (2 * DBL_EPSILON) /* a residual below this, times the terms of its equation, is rounding error */

/* As STEP_ROUND_OFF, for strong coupling, which amplifies the rounding error of the sweeps. */
#define STEP_THOROUGH_ROUND_OFF (8 * STEP_ROUND_OFF)
/* As STEP_ROUND_OFF, after many sweeps. Rounding may then make two solutions on both sides of a kink alternate. */
#define STEP_LAST_ROUND_OFF (64 * STEP_THOROUGH_ROUND_OFF)

/* (sqrt(norm) + 1)^2 <= 2 (norm + 1): if the test (1.15) is satisfied, change^2 is below tolerance^2 (norm + 1) times
 * this constant, which includes a margin for rounding. So most iterations need no square root. */
#define STEP_NEAR 2.0000001

/* Allocates a solver of size d. The caller then sets matrix, threshold, projection_weight, fresh and kept. After that
 * dense_solver_factor computes E^-1 and the data of the exact solver. It returns SIM_BAD_PROBLEM if the symmetric part
 * of E is not positive definite. */
SimStatus dense_solver_init(DenseSolver *solver, int d);
SimStatus dense_solver_factor(DenseSolver *solver);
void dense_solver_clear(DenseSolver *solver);

/* Creates a copy of a solver for varying thresholds. The copy owns the data that depend on thresholds and borrows the
 * others. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus dense_solver_vary(const DenseSolver *fixed, DenseSolver *solver);
/* Copies the thresholds and weights of a law to a copy made by dense_solver_vary. */
void dense_solver_weigh(DenseSolver *solver, const StepLaw *law);
void dense_solver_release(DenseSolver *solver);

SimStatus step_scratch_init(StepScratch *scratch, int d);
void step_scratch_clear(StepScratch *scratch);

/* Solves one step. b: [d]. base: [d] or NULL; the stopping test (1.15) of Glowinski-Kearsley uses base + w. w: initial
 * guess on entry. lambda: on entry lambda_old, the multiplier of the previous step. slip: set to the branch of each
 * dof: -1, 0 (sticks) or 1. Returns SIM_OK, SIM_NOT_CONVERGED or SIM_NON_FINITE. */
SimStatus step_solve(const DenseSolver *solver, StepScratch *scratch, const double *b, const double *base, double *w,
                     double *lambda, signed char *slip, StepTally *tally);

/* The solvers among which step_solve selects. */
SimStatus step_solve_exact(const DenseSolver *solver, StepScratch *scratch, const double *b, double *w, double *lambda,
                           signed char *slip, StepTally *tally);
SimStatus step_solve_apart(const DenseSolver *solver, StepScratch *scratch, const double *b, double *w, double *lambda,
                           signed char *slip, StepTally *tally); /* if `diagonal` */
SimStatus step_solve_path(const DenseSolver *solver, StepScratch *scratch, const double *b, double *w, double *lambda,
                          signed char *slip, StepTally *tally);
SimStatus step_solve_fixed_point(const DenseSolver *solver, StepScratch *scratch, const double *b, const double *base,
                                 double *w, double *lambda, signed char *slip, StepTally *tally);
SimStatus step_solve_smooth(const DenseSolver *solver, StepScratch *scratch, const double *b, double *w, double *lambda,
                            signed char *slip, StepTally *tally);

/* Computes target [d], the solution w if every dof stays on its branch in `slip`. Both exact solvers use it. It uses
 * scratch->c, square, index and stiffness. Returns false if E is too ill-conditioned. */
bool step_branch_target(const DenseSolver *solver, StepScratch *scratch, const double *b, const double *lambda_old,
                        const signed char *slip, double *target);

#endif
