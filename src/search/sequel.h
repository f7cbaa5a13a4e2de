/* What has followed on a search so far. */
#ifndef SRC_SEQUEL_H
#define SRC_SEQUEL_H

#include "src/run/lower_bound.h"
#include "src/run/verification.h"
#include "src/search/certification.h"
#include "src/search/further_searches.h"

struct Sequel {
  CtlState state;   /* of the search, which has ended */
  CtlProblem tried; /* the problem with as many starts as searches have had last, or with another start */
  double *start;    /* that start; owned; NULL: there is none */
  CtlSearch *more;  /* of it; the search from these that state is of; NULL: it is of the run's */
  Verification verification;
  Refinement refinement;
  FurtherSearches further;
  ScenarioOutcome scenarios;
  LowerBound bound;
  Certificate certificate;
  Summary summary; /* its texts are owned */
};

void sequel_free(Sequel *sequel); /* may be NULL */
/* All that is of one answer, but for the bound, which holds of any. */
void sequel_clear_answer(Sequel *sequel);

/* Whether there is no motion that could be compared: then there is nothing to show but why. */
bool sequel_is_without_motion(const CtlState *state);

/* On the standard output: how the search has ended, and its answer. */
void sequel_print(const SearchRun *run);
/* Exit code of a search that ran to its end, after telling why where it is not 0. */
int sequel_verdict(const SearchRun *run);

/* Of a search over scenarios by direct search, which is local: another from the control for the file's own numbers. So the answer is no worse
 * than that control, which `bundle` has among its starts. */

/* After the run's search, of which sequel->state is; where the other leads to less its answer takes the place of that one's, and the counts stay.
 * Nothing where it is not wanted. until: ctl_seconds, when it is left off; 0: to its end. Returns 0, EXIT_STOPPED on a signal, or EXIT_INTERNAL
 * after reporting. */
int nominal_start_run(SearchRun *run, double until);

#endif
