/* One search of a problem of the set, by the public interface, as so many ranks would carry it out that evaluate side by side:
 * a round is as many points as the method has to ask for, one a rank at most. */
#ifndef BENCH_DFO_SEARCH_H
#define BENCH_DFO_SEARCH_H

#include "bench/dfo/problems.h"
#include "sim/sim.h"

/* How a method is set. With every one `step` is max(1, |x0|_inf), as in the paper, and the rest as by default. */
typedef struct DfoMethod {
  const char *name;   /* here */
  const char *method; /* search.method */
  bool several;       /* asks for several points at a time, so that ranks save rounds */
  bool matched;       /* scheme_size is max(3n, ranks); else as by default, 64 */
  bool roots;         /* takes squares alone: sum |F_i| is sum sqrt(|F_i|)^2 to it */
} DfoMethod;

enum { DFO_METHODS = 7 };
extern const DfoMethod dfo_methods[DFO_METHODS];

/* How far the best value fell in how many rounds. */
typedef struct DfoStep {
  double f;
  long rounds;
} DfoStep;

typedef struct DfoHistory {
  int count;
  DfoStep *steps;           /* [count] f falls, rounds grow; owned, freed by its owner */
  long rounds, evaluations; /* of all the search */
  bool failed;              /* its library ended with an error */
} DfoHistory;

/* 100 (n + 1): where a search is broken off, as in the paper. */
long dfo_budget(const DfoProblem *problem);

/* To its own end, or to the budget in rounds. SIM_OK; SIM_NO_MEMORY; SIM_BAD_PROBLEM after telling on stderr. */
SimStatus dfo_search(const DfoProblem *problem, DfoForm form, const DfoMethod *method, int ranks, DfoHistory *history);

#endif
