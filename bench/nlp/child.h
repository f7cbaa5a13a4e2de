/* A solver's runs from all starts of a problem, in a process of their own: libraries that clash, as Ipopt's MUMPS and PETSc's, are never
 * in one process, and none of them takes the others along when it fails. */
#ifndef BENCH_NLP_CHILD_H
#define BENCH_NLP_CHILD_H

#include "bench/nlp/solvers.h"

typedef enum NlpEnd { NLP_DONE, NLP_NOT_TO_BE_HAD, NLP_FAILED } NlpEnd;

/* results [starts]. NLP_FAILED is reported. */
NlpEnd nlp_child_solve(const NlpSolver *solver, const NlpProblem *problem, int starts, NlpResult *results);

#endif
