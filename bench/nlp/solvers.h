/* The solvers that bench-nlp compares. Each carries out a run that has begun. */
#ifndef BENCH_NLP_SOLVERS_H
#define BENCH_NLP_SOLVERS_H

#include "bench/nlp/run.h"

typedef struct NlpSolver {
  const char *name;
  NlpStopped stopped;
  int variant; /* distinguishes solvers with the same functions */
  /* Called once in a separate process before the first run. NULL: nothing to prepare. False: not available, reported
   * on stderr. */
  bool (*prepare)(void);
  /* Returns false when out of memory. A run without an answer is not an error. NULL: not built in. */
  bool (*solve)(const struct NlpSolver *solver, NlpRun *run);
} NlpSolver;

enum { NLP_IPOPT_BFGS, NLP_IPOPT_COST }; /* kind of Hessian: limited memory, or that of J alone */

bool nlp_solve_sqp(const NlpSolver *solver, NlpRun *run);
bool nlp_solve_slsqp(const NlpSolver *solver, NlpRun *run);
bool nlp_prepare_almm(void);
bool nlp_solve_almm(const NlpSolver *solver, NlpRun *run);
bool nlp_prepare_ipopt(void);
bool nlp_solve_ipopt(const NlpSolver *solver, NlpRun *run);

/* Returns "NLopt 2.7.1", for example. */
void nlp_slsqp_version(char *text, size_t size);
void nlp_almm_version(char *text, size_t size);
void nlp_ipopt_version(char *text, size_t size); /* "Ipopt: not built in" */

#endif
