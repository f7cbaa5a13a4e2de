/* One dof's friction problem, e w + q lambda = beta, solved exactly: what Gauss-Seidel and Jacobi sweeps are made of. */
#ifndef SIM_STEP_SCALAR_H
#define SIM_STEP_SCALAR_H

#include "sim/law/friction_law.h"

/* The laws of dense_solver.h for one dof. */
typedef struct StepScalarLaw {
  double q, projection_weight, fresh, kept;
} StepScalarLaw;

typedef struct StepScalar {
  double w, lambda;
  signed char slip;
} StepScalar;

/* In the stick branch w = k (mu - lambda_old) with k = kept / projection_weight (k = 0: w = 0) and lambda = fresh mu + kept
 * lambda_old; the projection's argument mu is inside [-1, 1] there. */
static inline StepScalar step_scalar(double e, StepScalarLaw law, double beta, double lambda_old) {
  if (!(law.q > 0)) return (StepScalar){.w = beta / e, .slip = (signed char)friction_sign(beta)};
  double k = law.kept > 0 ? law.kept / law.projection_weight : 0;
  double rise = (beta - law.q * lambda_old) / (e * k + law.q * law.fresh), mu = lambda_old + rise;
  if (fabs(mu) <= 1)
    return (StepScalar){.w = k * rise + 0.0 /* no -0 */, .lambda = law.fresh * mu + law.kept * lambda_old};
  double sign = friction_sign(mu), lambda = law.fresh * sign + law.kept * lambda_old;
  return (StepScalar){.w = (beta - law.q * lambda) / e, .lambda = lambda, .slip = (signed char)sign};
}

#endif
