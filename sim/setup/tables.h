/* All kinds of model, and what the files of setup share. */
#ifndef SIM_SETUP_TABLES_H
#define SIM_SETUP_TABLES_H

#include "sim/core/kind.h"
#include "sim/core/scheme.h"

const SimKindOps *sim_kind(SimKind kind);

/* A model's own problem: of dense storage a copy with its force tabulated, of sparse storage with arrays borrowed. */
SimStatus model_problem_init(SimProblem *copy, const SimProblem *problem);
void model_problem_clear(SimProblem *copy);

#endif
