/* One search of a problem of the set by the public interface, as if a number of ranks evaluated side by side. A
 * round has at most one point per rank. */
#ifndef BENCH_DFO_SEARCH_H
#define BENCH_DFO_SEARCH_H

#include "bench/dfo/problems.h"
#include "sim/internal.h"

/* Settings of a method. `step` is always max(1, |x0|_inf), as in the paper; the rest are defaults. */
typedef struct DfoMethod {
  const char *name;   /* name in the tables */
  const char *method; /* search.method */
  bool several;       /* hands out several points at a time, so ranks save rounds */
  bool matched;       /* scheme_size is max(3n, ranks); otherwise the default, 64 */
  bool roots;         /* accepts squares only: sum |F_i| is written as sum sqrt(|F_i|)^2 */
} DfoMethod;

enum { DFO_METHODS = 7 };
extern const DfoMethod dfo_methods[DFO_METHODS];

/* Best value after a number of rounds. */
typedef struct DfoStep {
  double f;
  long rounds;
} DfoStep;

typedef struct DfoHistory {
  int count;
  DfoStep *steps;           /* [count] f falls, rounds grow; owned by the caller */
  long rounds, evaluations; /* totals of the whole search */
  bool failed;              /* its library ended with an error */
} DfoHistory;

/* 100 (n + 1): limit of rounds, as in the paper. */
long dfo_budget(const DfoProblem *problem);

/* Runs a search to its end or to the limit of rounds. SIM_OK; SIM_NO_MEMORY; SIM_BAD_PROBLEM after a report on
 * stderr. */
SimStatus dfo_search(const DfoProblem *problem, DfoForm form, const DfoMethod *method, int ranks, DfoHistory *history);

#endif
