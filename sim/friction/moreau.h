/* The Moreau-Jean scheme's operators, for its scalar steps (scheme_moreau.c) and for lanes (lanes_moreau.h). */
#ifndef SIM_SCHEME_MOREAU_H
#define SIM_SCHEME_MOREAU_H

#include "sim/core/model.h"
#include "sim/law/friction_law.h"

#include <math.h>

typedef struct MoreauPlan {
  StepSolver solver;
  double *carry;     /* [d][d] M - theta (1-theta) dt^2 A */
  double *pull_back; /* [d][d] dt A */
  double *load;      /* [N][d] dt f_theta of the step from n to n + 1 */
  double ahead;      /* dt theta */
  double behind;     /* dt (1-theta) */
} MoreauPlan;

/* Dof i at t = 0. The scheme defines lambda from t_1 on; before that it is sign(v0), and at rest the static friction that
 * holds the load f + B u - (A x0)_i. */
static inline void moreau_start(const SimProblem *p, SimWorkspace *work, int i, double load) {
  work->x[i] = p->x0[i];
  work->v[i] = p->v0[i];
  work->slip[i] = (signed char)friction_sign(p->v0[i]);
  work->lambda[i] = 0;
  if (!(p->friction[i] > 0)) return;
  work->lambda[i] = p->v0[i] != 0 ? friction_sign(p->v0[i]) : friction_project(load / p->friction[i]);
  if (p->v0[i] == 0 && fabs(load) > p->friction[i]) work->slip[i] = (signed char)friction_sign(load);
}

#endif
