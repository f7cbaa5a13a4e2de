/* The solvers that bench-nlp compares, each of which carries out a run that has begun. */
#ifndef BENCH_NLP_SOLVERS_H
#define BENCH_NLP_SOLVERS_H

#include "bench/nlp/run.h"

typedef struct NlpSolver {
  const char *name;
  NlpStopped stopped;
  int variant; /* of several by the same functions */
  /* Once before its first run, in a process of its own. NULL: it needs nothing. False: it cannot be had, reported on stderr. */
  bool (*prepare)(void);
  /* False: out of memory. A run that comes to no answer is no error. NULL: not built in. */
  bool (*solve)(const struct NlpSolver *solver, NlpRun *run);
} NlpSolver;

enum { NLP_IPOPT_BFGS, NLP_IPOPT_COST }; /* its Hessian: by limited memory, or that of J alone */

bool nlp_solve_sqp(const NlpSolver *solver, NlpRun *run);
bool nlp_solve_slsqp(const NlpSolver *solver, NlpRun *run);
bool nlp_prepare_almm(void);
bool nlp_solve_almm(const NlpSolver *solver, NlpRun *run);
bool nlp_prepare_ipopt(void);
bool nlp_solve_ipopt(const NlpSolver *solver, NlpRun *run);

/* "NLopt 2.7.1", and so on. */
void nlp_slsqp_version(char *text, size_t size);
void nlp_almm_version(char *text, size_t size);
void nlp_ipopt_version(char *text, size_t size); /* "Ipopt: not built in" */

#endif
