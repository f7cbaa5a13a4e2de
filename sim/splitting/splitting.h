/* What the splitting schemes have prepared, for their steps (splitting.c) and for lanes (sim/lanes/splitting.h). */
#ifndef SIM_SPLITTING_H
#define SIM_SPLITTING_H

#include "sim/splitting/elastic_step.h"
#include "sim/splitting/friction_substep.h"
#include "sim/splitting/massless_step.h"
#include "sim/splitting/parameters.h"

typedef struct SplittingPlan {
  FrictionSubstep friction;
  ElasticStep elastic;
  MasslessStep massless;
  double *mobility; /* [d][d] M^-1, 0 without mass, where there are stops, else NULL; owned */
  int runs;         /* of friction per step: after the first comes elasticity */
  int substeps;     /* P, of one run */
} SplittingPlan;

#endif
