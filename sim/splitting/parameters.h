/* SPDX-License-Identifier: BSD-2-Clause */
/* Parameters of the splitting schemes; splitting.c has the table of their keys. */
#ifndef SIM_SPLITTING_PARAMETERS_H
#define SIM_SPLITTING_PARAMETERS_H

#include "sim/core/scheme_rows.h"

typedef struct SplittingParameters {
  FrictionParameters friction;
  double alpha;          /* weight alpha of X+ and of X- in the force of A in an elastic substep, in [0, 1/2] */
  double eta;            /* width of the smooth law, in m/s; 0: the law is not used */
  int friction_substeps; /* P: number of friction substeps in one friction part of a step */
  int elastic_substeps;  /* Q: number of elastic substeps per step */
  bool elastic;          /* whether the elastic step is computed exactly by eigenvectors instead of differences */
} SplittingParameters;

static inline const SplittingParameters *splitting_parameters(const SimProblem *problem) { return problem->parameters; }

#endif
