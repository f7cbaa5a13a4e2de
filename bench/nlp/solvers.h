/* SPDX-License-Identifier: BSD-2-Clause */
/* The solvers that bench-nlp compares. Each works on a run that has begun. */
#ifndef BENCH_NLP_SOLVERS_H
#define BENCH_NLP_SOLVERS_H

#include "bench/nlp/run.h"

typedef struct NlpSolver {
  const char *name;
  NlpStopped stopped;
  int variant; /* distinguishes solvers that have the same functions */
  /* Called once in a separate process before the first run. Returns false after reporting on stderr that the solver is
   * not available. NULL: nothing to prepare. */
  bool (*prepare)(void);
  /* Solves from the start of a run. Returns false if there is no memory. A run without an answer is no error. NULL: the
   * solver is not built in. */
  bool (*solve)(const struct NlpSolver *solver, NlpRun *run);
} NlpSolver;

enum { NLP_IPOPT_BFGS, NLP_IPOPT_COST }; /* kind of Hessian: limited memory, or that of J alone */

bool nlp_solve_sqp(const NlpSolver *solver, NlpRun *run);
bool nlp_solve_slsqp(const NlpSolver *solver, NlpRun *run);
bool nlp_prepare_almm(void);
bool nlp_solve_almm(const NlpSolver *solver, NlpRun *run);
bool nlp_prepare_ipopt(void);
bool nlp_solve_ipopt(const NlpSolver *solver, NlpRun *run);

/* Writes e.g. "NLopt 2.7.1". */
void nlp_slsqp_version(char *text, size_t size);
void nlp_almm_version(char *text, size_t size);
void nlp_ipopt_version(char *text, size_t size); /* may write "Ipopt: not built in" */

#endif
