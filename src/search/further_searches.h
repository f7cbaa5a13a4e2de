/* SPDX-License-Identifier: BSD-2-Clause */
/* Searches changed problems after a search by `auto`. Each result is refined for the original problem. It becomes
 * the answer if it costs less, or if there is no answer yet. The changes are
 * - the exact motion, if refinement found no answer there or a much more expensive one, since the answer by time
 *   steps is then near another minimum.
 *
 * If there are fewer controls than degrees of freedom, waves move the other joints and there may be many local minima.
 * SQP from random controls near the answer then counts them. If the answer is the cheapest of a few, that is all.
 * Otherwise there are three more:
 * - a longer time, and from there back to T in steps of SQP, since J changes little between neighbouring T;
 * - a shorter time, after some segments of u = 0;
 * - random changes of the answer, from which SQP starts, as long as J decreases. */
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
  FURTHER_NOMINAL, /* the search of nominal_start.h, from the best control for the numbers in the file */
  FURTHER_KINDS
} FurtherKind;

/* Results of the further searches. */
typedef struct FurtherSearches {
  bool tried;
  FurtherKind taken; /* kind of the last search of which the answer was taken */
  double from;       /* longer end time with which a search met the target, in s; 0: no such search did */
  double end;        /* shortest end time that was reached from that longer one, in s */
  double shorter;    /* end time of the shorter search of which the answer was taken, in s */
  int steps;         /* number of steps towards shorter T */
  long evaluations;
  bool itself;  /* whether the longer search used the exact motion, and the search of the run did not */
  bool stopped; /* whether a second signal has stopped the further searches for good */
} FurtherSearches;

/* Runs further searches after a search that ended in `state`. until: time (ctl_seconds) after which nothing more is
 * simulated; 0: no limit. Returns 0, EXIT_STOPPED on a signal, or EXIT_INTERNAL after reporting an error. */
int further_searches_run(SearchRun *run, const CtlState *state, double until, Refinement *refinement,
                         FurtherSearches *found);

/* Returns the member outcome.further of summary.json: a new reference; NULL if no further search was made or there
 * is no memory. */
json_t *further_searches_json(const FurtherSearches *found);

/* Prints a line on standard output if the answer of a further search was taken. */
void further_searches_print(const FurtherSearches *found);

/* Buffer size for the advice below. */

enum { MISS_ADVICE_SIZE = 320 };

/* Writes advice for a search that found no control that meets the target: settings and times to try, separated by
 * commas, the most promising first. It uses the problem, the final state of the search, and the exact motion. */
void miss_advice(const Problem *problem, const CtlState *state, const Verification *verification,
                 const FurtherSearches *further, char text[MISS_ADVICE_SIZE]);

#endif
