/* SPDX-License-Identifier: BSD-2-Clause */
/* Searches on changed problems after a search by the method `auto`. Each result is refined for the original problem. It
 * becomes the answer, i.e. the control that the run reports, if it costs less, or if there is no answer yet.
 *
 * The first change is the exact motion in place of time steps. It is tried if refining on the exact motion has found no
 * answer or a much more expensive one, since the answer found with time steps is then near another minimum.
 *
 * If there are fewer controls than degrees of freedom, waves move the other joints, and there may be many local minima.
 * SQP from random controls near the answer then counts the minima. If the answer is the cheapest of a few minima, no
 * more is tried. Otherwise three further changes are tried:
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
  FURTHER_NOMINAL, /* the search of nominal_start_run, which starts at the best control for the numbers in the file */
  FURTHER_KINDS
} FurtherKind;

/* Results of the further searches. */
typedef struct FurtherSearches {
  bool tried;
  FurtherKind taken; /* kind of the last search that has found a new answer */
  double from;       /* longer end time with which a search met the target, in s; 0: there was no such search */
  double end;        /* shortest end time that was then reached in steps, in s */
  double shorter;    /* end time of the search with a shorter time that has found a new answer, in s */
  int steps;         /* number of steps from the longer end time towards T */
  long evaluations;
  bool itself;  /* whether the search with a longer time used the exact motion although the search of the run did not */
  bool stopped; /* whether a second signal has stopped the further searches, so that they are not continued */
} FurtherSearches;

/* Runs further searches after a search that ended in `state`. until: time (ctl_seconds) after which no further motion
 * is simulated; 0: no limit. Returns 0, EXIT_STOPPED after a signal, or EXIT_INTERNAL after reporting an error. */
int further_searches_run(SearchRun *run, const CtlState *state, double until, Refinement *refinement,
                         FurtherSearches *found);

/* Returns the member outcome.further of summary.json. The caller owns the reference; NULL if no further search was
 * made, or there is no memory. */
json_t *further_searches_json(const FurtherSearches *found);

/* Prints a line on standard output if a further search has found the answer. */
void further_searches_print(const FurtherSearches *found);

/* Size of the buffer for the text of miss_advice. */

enum { MISS_ADVICE_SIZE = 320 };

/* Writes advice for a search that has found no control that meets the target. It lists settings and times to try,
 * separated by commas, the most promising first. It is derived from the problem, the final state of the search, and the
 * exact motion. */
void miss_advice(const Problem *problem, const CtlState *state, const Verification *verification,
                 const FurtherSearches *further, char text[MISS_ADVICE_SIZE]);

#endif
