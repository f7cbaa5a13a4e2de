/* SPDX-License-Identifier: BSD-2-Clause */
/* Data of the steps that follow a search: refinement, bound, further searches, proof and results. */
#ifndef SRC_SEQUEL_H
#define SRC_SEQUEL_H

#include "src/run/lower_bound.h"
#include "src/run/verification.h"
#include "src/search/certification.h"
#include "src/search/further_searches.h"

struct Sequel {
  CtlState state;   /* final state of the search */
  CtlProblem tried; /* problem of the last repeated search, which has more starts than the file, or another start */
  double *start;    /* start of `tried`, if it is not the start in the file; owned; otherwise NULL */
  CtlSearch *more;  /* search of `tried`, if `state` is its final state; NULL: `state` is that of the search of the
                     * run */
  Verification verification;
  Refinement refinement;
  FurtherSearches further;
  ScenarioOutcome scenarios;
  LowerBound bound;
  Certificate certificate;
  Summary summary;  /* summary of the run; it owns its texts, except that of `advice` */
  char advice[160]; /* text of sequel_advise_minimum */
};

void sequel_free(Sequel *sequel); /* NULL is allowed */
/* Clears the data of the present answer. The bound is kept, as it applies to any answer. */
void sequel_clear_answer(Sequel *sequel);

/* Returns whether no motion could be evaluated; only the reason for this is then reported. */
bool sequel_is_without_motion(const CtlState *state);

/* Prints how the search ended, and its answer, on standard output. */
void sequel_print(const SearchRun *run);
/* If the answer meets the target and there are controls of less effort near it: returns what may find a lower J, a text
 * in sequel->advice. Otherwise returns NULL. */
const char *sequel_advise_minimum(SearchRun *run);
/* Returns the exit code of a finished search. If it is not 0, reports the reason. */
int sequel_verdict(SearchRun *run);

/* After a direct search over scenarios, which finds only a local minimum, searches once more with another start: the
 * best control for the numbers in the file. If this gives a better result, it replaces the answer in sequel->state; the
 * counts there are kept. Thus the answer is never worse than that start. Does nothing for other searches; the method
 * `bundle` already has this control among its starts. until: time (ctl_seconds) at which the search stops; 0: no limit.
 * Returns 0, EXIT_STOPPED after a signal, or EXIT_INTERNAL after reporting an error. */
int nominal_start_run(SearchRun *run, double until);

#endif
