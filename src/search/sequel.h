/* State of the steps after a search. */
#ifndef SRC_SEQUEL_H
#define SRC_SEQUEL_H

#include "src/run/lower_bound.h"
#include "src/run/verification.h"
#include "src/search/certification.h"
#include "src/search/further_searches.h"

struct Sequel {
  CtlState state;   /* of the finished search */
  CtlProblem tried; /* the problem with the number of starts of the last search, or with another start */
  double *start;    /* this start; owned; NULL: none */
  CtlSearch *more;  /* search of `tried` to which state belongs; NULL: state belongs to the run's search */
  Verification verification;
  Refinement refinement;
  FurtherSearches further;
  ScenarioOutcome scenarios;
  LowerBound bound;
  Certificate certificate;
  Summary summary; /* its texts are owned */
};

void sequel_free(Sequel *sequel); /* may be NULL */
/* Clears everything that belongs to one answer; the bound is kept, as it applies to any answer. */
void sequel_clear_answer(Sequel *sequel);

/* Whether no motion could be evaluated; then only the reason is reported. */
bool sequel_is_without_motion(const CtlState *state);

/* Prints on the standard output how the search ended, and its answer. */
void sequel_print(const SearchRun *run);
/* Exit code of a finished search; if it is not 0, reports the reason. */
int sequel_verdict(const SearchRun *run);

/* After a direct search over scenarios, which is local: another search from the control for the file's own numbers. So the answer is no
 * worse than that control. (`bundle` already has it among its starts.) */

/* Runs it after the search of sequel->state. If J decreases, its answer replaces that one; counts are kept. Does nothing if it is not
 * applicable. until: ctl_seconds at which it stops; 0: no limit. Returns 0, EXIT_STOPPED on a signal, or EXIT_INTERNAL after reporting an
 * error. */
int nominal_start_run(SearchRun *run, double until);

#endif
