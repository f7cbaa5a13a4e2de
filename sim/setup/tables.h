/* All kinds of model, and what the files of setup share. */
#ifndef SIM_SETUP_TABLES_H
#define SIM_SETUP_TABLES_H

#include "sim/core/kind.h"
#include "sim/core/scheme.h"

const SimKindOps *sim_kind(SimKind kind);

/* What sim_problem_finalize leaves in problem->finalized: a hash of all but the force, never 0, the same in every process of the build. */
unsigned long long problem_fingerprint(const SimProblem *problem);

/* Whether models borrow its arrays: of sparse storage. */
bool problem_borrowed(const SimProblem *problem);

/* Parameters of its own for a copy of the struct. SIM_OK, SIM_NO_MEMORY. */
SimStatus problem_copy_parameters(const SimProblem *problem, SimProblem *copy);
/* A problem of sparse storage, of one rank, with its matrices as arrays; its load is borrowed. To be cleared in any case. SIM_OK, SIM_NO_MEMORY. */
SimStatus problem_copy_dense(const SimProblem *problem, SimProblem *dense);

/* Gives a problem the numbers of another's arrays, its scheme's constants and bounds; its force stays. False: they differ in more than these. */
bool problem_take_numbers(SimProblem *problem, const SimProblem *from);

#endif
