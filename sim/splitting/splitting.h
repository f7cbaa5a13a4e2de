/* SPDX-License-Identifier: BSD-2-Clause */
/* Precomputed data of the splitting schemes, for their steps (splitting.c) and for vector lanes
 * (sim/lanes/splitting.h). */
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
  double *mobility; /* [d][d] M^-1, 0 for dofs without mass; NULL without stops; owned */
  int runs;         /* number of friction parts in a step; the elastic part follows the first one */
  int substeps;     /* P, number of friction substeps in one friction part */
} SplittingPlan;

#endif
