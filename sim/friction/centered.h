/* The centred scheme's operators, for its scalar steps (scheme_centered.c) and for lanes (lanes_centered.h). */
#ifndef SIM_SCHEME_CENTERED_H
#define SIM_SCHEME_CENTERED_H

#include "sim/core/model.h"

typedef struct CenteredPlan {
  double *twice_inertia; /* [d][d] 2 K */
  double *pull_back;     /* [d][d] dt^2 A */
  double *load;          /* [N+1][d] dt^2 f */
  double square;         /* dt^2 */
  double rate;           /* 1/(2 dt) */
  StepSolver first;      /* n = 0: for x^1 - x^0 - dt v0 */
  StepSolver moving;     /* n > 0: for w */
} CenteredPlan;

/* Views into the workspace's scratch. */
typedef struct CenteredLevels {
  double *before, *now, *after; /* [d] x^{n-1}, x^n, x^{n+1} */
  double *w;                    /* [d] x^{n+1} - x^{n-1} */
  double *b;                    /* [d] */
  double *difference, *product; /* [d] */
  double *energy;               /* [4] E^{n+1/2}, E^0, and the work and dissipation of step n: see watch() */
} CenteredLevels;

CenteredLevels centered_levels(const SimModel *model, const SimWorkspace *work);

#endif
