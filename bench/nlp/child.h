/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs a solver from all starts of a problem in a separate process. So libraries with conflicting symbols, such as
 * Ipopt's MUMPS and PETSc's, are never in one process, and a failure of one does not affect the others. */
#ifndef BENCH_NLP_CHILD_H
#define BENCH_NLP_CHILD_H

#include "bench/nlp/solvers.h"

typedef enum NlpEnd { NLP_DONE, NLP_NOT_TO_BE_HAD, NLP_FAILED } NlpEnd;

/* Solves a problem from all starts and fills results [starts]. NLP_FAILED is returned after reporting it. */
NlpEnd nlp_child_solve(const NlpSolver *solver, const NlpProblem *problem, int starts, NlpResult *results);

#endif
