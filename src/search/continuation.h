/* After a search of fewer forces than degrees of freedom: a control that meets the target with more time, and from there back to the time that there
 * is. Waves have many local minima; with more time a search comes upon better ones, or upon any at all, and J changes little from one T to the next. */
#ifndef SRC_SEARCH_CONTINUATION_H
#define SRC_SEARCH_CONTINUATION_H

#include "src/run/refinement.h"
#include "src/search/search_run.h"

/* What has come of it. */
typedef struct Continuation {
  bool tried;
  double from;   /* s, T of the search that has met the target; 0: none has */
  double end, J; /* the shortest T, s, at which a control is known then, and its effort */
  int steps;     /* from one T to a shorter one */
  long evaluations;
} Continuation;

/* Of a search that has ended so. What costs less than the answer so far is the refined one, or what there is at all. until: ctl_seconds, after which nothing
 * more is simulated; 0: no limit. Returns 0, EXIT_STOPPED on a signal, or EXIT_INTERNAL after telling. */
int continuation_run(SearchRun *run, const CtlState *state, double until, Refinement *refinement, Continuation *found);

/* outcome.continuation: a new reference; NULL: nothing was tried, or no memory. */
json_t *continuation_json(const Continuation *found);

/* In a line on the standard output; none where nothing was tried. end: T, s. */
void continuation_print(const Continuation *found, double end);

#endif
