/* The keys of the splitting schemes; their rows: splitting.c. */
#ifndef SIM_SPLITTING_PARAMETERS_H
#define SIM_SPLITTING_PARAMETERS_H

#include "sim/core/scheme_rows.h"

typedef struct SplittingParameters {
  FrictionParameters friction;
  double alpha;          /* weight of the outer levels, in [0, 1/2] */
  double eta;            /* m/s; the smooth law's; 0: none */
  int friction_substeps; /* P: per run of friction */
  int elastic_substeps;  /* Q */
  bool elastic;          /* the elastic step by eigenvectors instead of differences */
} SplittingParameters;

static inline const SplittingParameters *splitting_parameters(const SimProblem *problem) { return problem->parameters; }

#endif
