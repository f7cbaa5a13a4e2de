/* All kinds of model, and what the files of setup share. */
#ifndef SIM_SETUP_TABLES_H
#define SIM_SETUP_TABLES_H

#include "sim/core/kind.h"
#include "sim/core/scheme.h"

extern const SimKindOps sim_kind_chain;    /* a chain on a rough support */
extern const SimKindOps sim_kind_friction; /* masses with stiffness, damping and dry friction */
extern const SimKindOps sim_kind_dashpot;  /* one mass on a spring with a dash-pot */

const SimKindOps *sim_kind(SimKind kind);

/* A model's own problem: of dense storage a copy with its force tabulated, of sparse storage with arrays borrowed. */
SimStatus model_problem_init(SimProblem *copy, const SimProblem *problem);
void model_problem_clear(SimProblem *copy);

#endif
