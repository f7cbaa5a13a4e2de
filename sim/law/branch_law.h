/* The branches of the friction laws of sim/step/dense_solver.h, dof by dof. On a branch, lambda is linear in w:
 *
 *     q lambda = share + stiffness w,   or w = 0 (held).
 */
#ifndef SIM_BRANCH_LAW_H
#define SIM_BRANCH_LAW_H

#include "sim/law/friction_law.h"
#include "sim/law/step_law.h"

typedef struct SparseBranch {
  bool held;
  double share, stiffness;
} SparseBranch;

static inline SparseBranch sparse_branch(const StepLaw *law, double c, int slip, double lambda_old) {
  double q = law->threshold * c;
  if (!(law->kept > 0)) return (SparseBranch){.held = slip == 0 && q > 0, .share = q * slip};
  if (slip || !(q > 0)) return (SparseBranch){.share = q * (law->fresh * slip + law->kept * lambda_old)};
  return (SparseBranch){.share = q * lambda_old, .stiffness = q * law->fresh * law->projection_weight * c / law->kept};
}

/* What a solve on the branch `slip` calls for. t: b - (E w), of which only a held dof's matters: its reaction q lambda;
 * round_off: what t (or, of the regularised law, the projection's argument) may be off by. A dof that is stuck is let go
 * only when it is clearly beyond the threshold, so that round-off cannot turn it back and forth. */
static inline int sparse_next_branch(const StepLaw *law, double c, int slip, double lambda_old, double w, double t,
                                     double round_off, double *lambda) {
  double q = law->threshold * c;
  if (!(q > 0)) {
    *lambda = 0;
    return (w > 0) - (w < 0);
  }
  if (!(law->kept > 0)) {
    *lambda = slip;
    if (slip) return slip * w > 0 ? slip : 0;
    *lambda = friction_project(t / q);
    return fabs(t) <= q + round_off ? 0 : (t > 0) - (t < 0);
  }
  double mu = lambda_old + law->projection_weight * c * w / law->kept;
  *lambda = law->fresh * (slip ? slip : friction_project(mu)) + law->kept * lambda_old;
  if (!slip) return fabs(mu) <= 1 + round_off ? 0 : (mu > 0) - (mu < 0);
  return slip * mu >= 1 ? slip : 0;
}

#endif
