/* The Moreau-Jean scheme's operators, for its scalar steps (scheme_moreau.c) and for lanes (lanes_moreau.h). */
#ifndef SIM_SCHEME_MOREAU_H
#define SIM_SCHEME_MOREAU_H

#include "sim/model.h"

typedef struct MoreauPlan {
  StepSolver solver;
  double *carry;     /* [d][d] M - theta (1-theta) dt^2 A */
  double *pull_back; /* [d][d] dt A */
  double *load;      /* [N][d] dt f_theta of the step from n to n + 1 */
  double ahead;      /* dt theta */
  double behind;     /* dt (1-theta) */
} MoreauPlan;

#endif
