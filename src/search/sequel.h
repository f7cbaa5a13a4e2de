/* SPDX-License-Identifier: BSD-2-Clause */
/* State of the steps that follow a search: refinement, bound, further searches, proof and results. */
#ifndef SRC_SEQUEL_H
#define SRC_SEQUEL_H

#include "src/run/lower_bound.h"
#include "src/run/verification.h"
#include "src/search/certification.h"
#include "src/search/further_searches.h"

struct Sequel {
  CtlState state;   /* final state of the search */
  CtlProblem tried; /* the problem of the last search, with more starts or another start than in the file */
  double *start;    /* start control of `tried` if it differs from that of the problem; owned; NULL: none */
  CtlSearch *more;  /* search of `tried`, if `state` belongs to it; NULL: `state` belongs to the search of the run */
  Verification verification;
  Refinement refinement;
  FurtherSearches further;
  ScenarioOutcome scenarios;
  LowerBound bound;
  Certificate certificate;
  Summary summary; /* summary of the run; owns its texts */
};

void sequel_free(Sequel *sequel); /* NULL is allowed */
/* Clears everything that belongs to one answer. The bound is kept, as it applies to any answer. */
void sequel_clear_answer(Sequel *sequel);

/* Returns whether no motion could be evaluated. Then only the reason is reported. */
bool sequel_is_without_motion(const CtlState *state);

/* Prints how the search ended, and its answer, on standard output. */
void sequel_print(const SearchRun *run);
/* Returns the exit code of a finished search. Unless it is 0, reports the reason. */
int sequel_verdict(const SearchRun *run);

/* Searches again after a direct search over scenarios, which is local, starting from the best control for the file's
 * own numbers. If J decreases, the answer replaces that of sequel->state, and counts are kept. So the answer is no
 * worse than that control. Does nothing in other cases; `bundle` already has this control among its starts. until: time
 * (ctl_seconds) at which it stops; 0: no limit. Returns 0, EXIT_STOPPED on a signal, or EXIT_INTERNAL after reporting
 * an error. */
int nominal_start_run(SearchRun *run, double until);

#endif
