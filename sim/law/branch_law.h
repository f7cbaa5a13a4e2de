/* SPDX-License-Identifier: BSD-2-Clause */
/* The friction law of one dof (laws in sim/step/dense_solver.h) and its branches: slipping forward or backward, and
 * sticking. On a branch lambda is linear in w, the velocity of the dof up to a factor:
 *
 *   q lambda = share + stiffness w, or w = 0 (held).
 *
 * The dense sweep (sim/step/sweep.h) describes the same branches by slopes, also for lanes. */
#ifndef SIM_BRANCH_LAW_H
#define SIM_BRANCH_LAW_H

#include "sim/law/friction_law.h"
#include "sim/law/step_law.h"

/* Returns the friction term q lambda(w) in the equation of a dof. */
static inline double friction_reaction(DofLaw law, double w, double lambda_old) {
  if (!(law.q > 0)) return 0;
  if (!(law.kept > 0)) return law.q * friction_sign(w);
  return law.q * (law.fresh * friction_project(lambda_old + law.weight * w / law.kept) + law.kept * lambda_old);
}

typedef struct FrictionBranch {
  bool held;
  double share, stiffness;
} FrictionBranch;

static inline FrictionBranch friction_branch(DofLaw law, int slip, double lambda_old) {
  if (!(law.kept > 0)) return (FrictionBranch){.held = slip == 0 && law.q > 0, .share = law.q * slip};
  if (slip || !(law.q > 0)) return (FrictionBranch){.share = law.q * (law.fresh * slip + law.kept * lambda_old)};
  return (FrictionBranch){.share = law.q * lambda_old, .stiffness = law.q * law.fresh * law.weight / law.kept};
}

/* Returns the branch that follows from a solve on branch `slip`, and sets *lambda. t: entry of b - E w; it is used only
 * for a held dof, for which it is q lambda. round_off: error of t, or for the regularized law of the projection's
 * argument. A stuck dof is released only if it is clearly beyond the threshold, so that rounding cannot make it
 * alternate. */
static inline int friction_next_branch(DofLaw law, int slip, double lambda_old, double w, double t, double round_off,
                                       double *lambda) {
  if (!(law.q > 0)) {
    *lambda = 0;
    return (w > 0) - (w < 0);
  }
  if (!(law.kept > 0)) {
    *lambda = slip;
    if (slip) return slip * w > 0 ? slip : 0;
    *lambda = friction_project(t / law.q);
    return fabs(t) <= law.q + round_off ? 0 : (t > 0) - (t < 0);
  }
  double mu = lambda_old + law.weight * w / law.kept;
  *lambda = law.fresh * (slip ? slip : friction_project(mu)) + law.kept * lambda_old;
  if (!slip) return fabs(mu) <= 1 + round_off ? 0 : (mu > 0) - (mu < 0);
  return slip * mu >= 1 ? slip : 0;
}

/* The root w of the equation e w + q lambda(w) = beta of one dof, and its branch. */
typedef struct FrictionRoot {
  double w;
  int slip;
} FrictionRoot;

/* Solves the scalar friction problem e w + q lambda = beta for the velocity w and the multiplier lambda; e is the dof's
 * effective mass, q its threshold. On the branch on which the dof sticks w = k (mu - lambda_old), with k = kept/weight
 * for the regularized law, else 0. There mu, the argument of the projection P, is in [-1, 1]. */
static inline FrictionRoot friction_root(double e, DofLaw law, double beta, double lambda_old) {
  if (!(law.q > 0)) return (FrictionRoot){beta / e, (int)friction_sign(beta)};
  double k = law.kept > 0 ? law.kept / law.weight : 0;
  double rise = (beta - law.q * lambda_old) / (e * k + law.q * law.fresh), mu = lambda_old + rise;
  if (fabs(mu) <= 1) return (FrictionRoot){k * rise + 0.0 /* + 0.0 replaces -0 by 0 */, 0};
  double sign = friction_sign(mu);
  return (FrictionRoot){(beta - law.q * (law.fresh * sign + law.kept * lambda_old)) / e, (int)sign};
}

/* Returns the branch of the projection P(lambda + weight w): -1 or 1 if it is at its bound, else 0. Without friction:
 * the sign of w. */
static inline int friction_slip(DofLaw law, double lambda, double w) {
  double mu = lambda + law.weight * w;
  return law.q > 0 ? (mu >= 1) - (mu <= -1) : (int)friction_sign(w);
}

#endif
