/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/nlp/solvers.h"

#include <stdio.h>

#ifdef BENCH_IPOPT_LIBRARY
#include "sim/base/library.h"

#include <IpStdCInterface.h>
#include <IpoptConfig.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TOLERANCE = 1e-8; /* tolerance of Ipopt's own measure of optimality, and of c */

#define SYMBOLS(X)                                                                                                     \
  X(AddIpoptIntOption)                                                                                                 \
  X(AddIpoptNumOption)                                                                                                 \
  X(AddIpoptStrOption)                                                                                                 \
  X(CreateIpoptProblem) X(FreeIpoptProblem) X(IpoptSolve) X(SetIntermediateCallback)

typedef struct IpoptTable {
  SYMBOLS(LIBRARY_MEMBER)
} IpoptTable;
static IpoptTable ipopt;
#define LIBRARY_TABLE IpoptTable
/* cppcheck-suppress syntaxError ; it expands names that are turned into strings */
static const LibrarySymbol symbols[] = {SYMBOLS(LIBRARY_SYMBOL)};

bool nlp_prepare_ipopt(void) {
  static Library library = LIBRARY(BENCH_IPOPT_LIBRARY, ipopt, symbols); /* CMake sets the file name */
  const char *why = library_load(&library, false);
  if (why) fprintf(stderr, "bench-nlp: Ipopt %s\n", why);
  return !why;
}

static Bool cost(Index n, Number *y, Bool fresh, Number *value, UserDataPtr context) {
  (void)n, (void)fresh;
  *value = nlp_run_cost(context, y, NULL);
  return TRUE;
}

static Bool cost_gradient(Index n, Number *y, Bool fresh, Number *gradient, UserDataPtr context) {
  (void)n, (void)fresh;
  nlp_run_cost(context, y, gradient);
  return TRUE;
}

static Bool constraints(Index n, Number *y, Bool fresh, Index m, Number *c, UserDataPtr context) {
  NlpRun *run = context;
  (void)n, (void)fresh;
  if (!nlp_run_evaluate(run, y)) return FALSE;
  memcpy(c, run->c, (size_t)m * sizeof *c);
  return TRUE;
}

static Bool jacobian(Index n, Number *y, Bool fresh, Index m, Index count, Index *rows, Index *columns, Number *values,
                     UserDataPtr context) {
  NlpRun *run = context;
  (void)fresh;
  if (values) {
    if (!nlp_run_evaluate(run, y)) return FALSE;
    memcpy(values, run->jacobian, (size_t)count * sizeof *values);
    return TRUE;
  }
  for (int k = 0; k < m * n; k++) {
    rows[k] = k / n;
    columns[k] = k % n;
  }
  return TRUE;
}

/* Sets the Hessian of the cost, which is the identity. */
static Bool hessian(Index n, Number *y, Bool fresh, Number factor, Index m, Number *lambda, Bool fresh_lambda,
                    Index count, Index *rows, Index *columns, Number *values, UserDataPtr context) {
  (void)n, (void)y, (void)fresh, (void)m, (void)lambda, (void)fresh_lambda, (void)context;
  for (int k = 0; k < count; k++) {
    if (values)
      values[k] = factor;
    else
      rows[k] = columns[k] = k;
  }
  return TRUE;
}

static Bool goes_on(Index mode, Index iteration, Number value, Number primal, Number dual, Number mu, Number step,
                    Number size, Number alpha_dual, Number alpha_primal, Index trials, UserDataPtr context) {
  (void)mode, (void)iteration, (void)value, (void)primal, (void)dual, (void)mu, (void)step, (void)size;
  (void)alpha_dual, (void)alpha_primal, (void)trials;
  return !nlp_run_is_over(context);
}

static bool set_word(IpoptProblem problem, const char *name, const char *value) {
  /* the casts are safe, as the texts are not changed */
  return ipopt.at_AddIpoptStrOption(problem, (char *)name, (char *)value);
}

bool nlp_solve_ipopt(const NlpSolver *solver, NlpRun *run) {
  int n = run->n, m = run->m;
  double *y = calloc((size_t)(n + m), sizeof *y), *zero = y + n;
  if (!y) return false;
  nlp_run_first(run, y);
  IpoptProblem problem = ipopt.at_CreateIpoptProblem(n, run->lower, run->upper, m, zero, zero, m * n, n, 0, cost,
                                                     constraints, cost_gradient, jacobian, hessian);
  bool good =
      problem && ipopt.at_AddIpoptIntOption(problem, (char *)"print_level", 0) &&
      ipopt.at_AddIpoptIntOption(problem, (char *)"max_iter", NLP_BUDGET) &&
      ipopt.at_AddIpoptNumOption(problem, (char *)"tol", TOLERANCE) && set_word(problem, "sb", "yes") &&
      set_word(problem, "hessian_approximation", solver->variant == NLP_IPOPT_BFGS ? "limited-memory" : "exact") &&
      ipopt.at_SetIntermediateCallback(problem, goes_on);
  /* The result of the solver does not matter, as the run records its points. */
  if (good) (void)ipopt.at_IpoptSolve(problem, y, NULL, NULL, NULL, NULL, NULL, run);
  if (problem) ipopt.at_FreeIpoptProblem(problem);
  free(y);
  return good;
}

void nlp_ipopt_version(char *text, size_t size) { snprintf(text, size, "Ipopt %s", IPOPT_VERSION); }

#else

bool nlp_prepare_ipopt(void) { return false; }

bool nlp_solve_ipopt(const NlpSolver *solver, NlpRun *run) {
  (void)solver, (void)run;
  return false;
}

void nlp_ipopt_version(char *text, size_t size) { snprintf(text, size, "Ipopt: not built in"); }
#endif
