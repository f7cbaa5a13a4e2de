/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of all kinds of models, and declarations that the files of this folder share. */
#ifndef SIM_SETUP_TABLES_H
#define SIM_SETUP_TABLES_H

#include "sim/core/kind.h"
#include "sim/core/scheme.h"

const SimKindOps *sim_kind(SimKind kind);

/* Returns the value of problem->finalized: a hash of everything except the force. It is never 0, and equal in all
 * processes of a build. */
unsigned long long problem_fingerprint(const SimProblem *problem);

/* Whether models borrow the problem's arrays, as with sparse storage; false for a problem that has been cleared. */
bool problem_borrowed(const SimProblem *problem);

/* Allocates separate scheme parameters for a copy of the struct. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus problem_copy_parameters(const SimProblem *problem, SimProblem *copy);
/* Copies a sparse problem on one rank into one with dense matrices, which borrows the load. The caller must clear the
 * copy even after an error. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus problem_copy_dense(const SimProblem *problem, SimProblem *dense);

/* Copies the arrays, the constants of the scheme and the bounds of another problem, but not its external force. Returns
 * false if the problems differ in anything else. */
bool problem_take_numbers(SimProblem *problem, const SimProblem *from);

/* Sets the scheme's constants that are 0 to the defaults that follow from the bounds, and checks all constants. Returns
 * SIM_OK or SIM_BAD_PROBLEM. */
SimStatus problem_set_constants(SimProblem *problem, const SimReport *report);

/* Calls SimScheme.prepare again after numbers of the model's problem have been replaced. same: whether M, A and D have
 * not changed. work: the model's only workspace. */
SimStatus model_prepare_again(SimModel *model, SimWorkspace *work, bool same);

#endif
