/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs one search of a problem by the public interface, as if a number of ranks evaluated points at the same time. A
 * round has at most one point for each rank. */
#ifndef BENCH_DFO_SEARCH_H
#define BENCH_DFO_SEARCH_H

#include "bench/dfo/problems.h"
#include "sim/internal.h"

/* Settings of a method. `step` is always max(1, |x0|_inf), as in the paper. Other keys have their defaults. */
typedef struct DfoMethod {
  const char *name;   /* name in the tables */
  const char *method; /* search.method */
  bool several;       /* the method asks for several points at a time, so that more ranks save rounds */
  bool matched;       /* scheme_size is max(3n, ranks); otherwise it is 64, the default */
  bool roots;         /* the method accepts only squares, so sum |F_i| is written as sum sqrt(|F_i|)^2 */
} DfoMethod;

enum { DFO_METHODS = 7 };
extern const DfoMethod dfo_methods[DFO_METHODS];

/* The best value of f after a number of rounds. */
typedef struct DfoStep {
  double f;
  long rounds;
} DfoStep;

typedef struct DfoHistory {
  int count;
  DfoStep *steps;           /* [count] steps in which f falls and rounds grow; owned by the caller */
  long rounds, evaluations; /* numbers of the whole search */
  bool failed;              /* the library of the method ended with an error */
} DfoHistory;

/* Returns the limit of rounds, 100 (n + 1) as in the paper. */
long dfo_budget(const DfoProblem *problem);

/* Runs a search to its end or to the limit of rounds. SIM_OK; SIM_NO_MEMORY; SIM_BAD_PROBLEM after reporting on
 * stderr. */
SimStatus dfo_search(const DfoProblem *problem, DfoForm form, const DfoMethod *method, int ranks, DfoHistory *history);

#endif
