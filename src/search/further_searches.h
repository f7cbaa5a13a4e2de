/* Searches of modified problems after a search by `auto`. Their results are refined and become the answer if they cost
 * less, or if there is none yet.
 *
 * On the exact motion, if refinement found no answer there or a much more expensive one: the answer by time steps is
 * then near another minimum. With fewer controls than degrees of freedom, waves move the other joints and there are
 * many local minima. Then also: - with a longer time, and from there back to T in steps of SQP, since J changes little
 * between similar T; - with a shorter time, after some segments of u = 0; - near the answer, by SQP from random changes
 * of it, as long as J decreases. */
#ifndef SRC_FURTHER_SEARCHES_H
#define SRC_FURTHER_SEARCHES_H

#include "control/internal.h"
#include "src/file/sections/file.h"
#include "src/run/refinement.h"
#include "src/run/verification.h"
#include "src/search/search_run.h"

typedef enum FurtherKind {
  FURTHER_NONE,
  FURTHER_EVENT,
  FURTHER_LONGER,
  FURTHER_SHORTER,
  FURTHER_BESIDE,
  FURTHER_NOMINAL, /* see nominal_start.h */
  FURTHER_KINDS
} FurtherKind;

/* Results of the further searches. */
typedef struct FurtherSearches {
  bool tried;
  FurtherKind taken; /* kind of the last accepted answer */
  double from;       /* s, T of the longer search that met the target; 0: none did */
  double end;        /* s, shortest T reached from there */
  double shorter;    /* s, T of the accepted answer of a shorter search */
  int steps;         /* number of steps to shorter T */
  long evaluations;
  bool itself;  /* the longer search used the exact motion, the run's own did not */
  bool stopped; /* stopped for good, by a second signal */
} FurtherSearches;

/* Runs further searches after a search that ended in `state`. until: ctl_seconds after which nothing more is simulated;
 * 0: no limit. Returns 0, EXIT_STOPPED on a signal, or EXIT_INTERNAL after reporting an error. */
int further_searches_run(SearchRun *run, const CtlState *state, double until, Refinement *refinement,
                         FurtherSearches *found);

/* Returns outcome.further: a new reference; NULL: nothing was tried, or no memory. */
json_t *further_searches_json(const FurtherSearches *found);

/* Prints a line on the standard output if an answer was accepted. */
void further_searches_print(const FurtherSearches *found);

/* Advice after a search that found no control that meets the target. */

enum { MISS_ADVICE_SIZE = 256 };

/* Writes advice from the search's problem, its final state, and the exact motion: settings and times, the most promising first, separated
 * by commas. */
void miss_advice(const Problem *problem, const CtlState *state, const Verification *verification,
                 const FurtherSearches *further, char text[MISS_ADVICE_SIZE]);

#endif
