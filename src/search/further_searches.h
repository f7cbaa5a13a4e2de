/* Searches of related problems that follow on a search by `auto`. What they lead to is refined, and is the answer where it costs less, or where there is none.
 *
 * On the motion itself, where refinement has found none of it, or a much dearer one: the steps' answer lies elsewhere.
 * Where fewer forces act than there are degrees of freedom, waves move the others, and there are many local minima:
 * - with more time, and from there back to T in steps of SQP, for J changes little from one T to the next;
 * - with less time, after so many segments of u = 0;
 * - beside the answer, by SQP from random changes of it, as long as these lead to less. */
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
  FURTHER_NOMINAL, /* nominal_start.h */
  FURTHER_KINDS
} FurtherKind;

/* What has come of them. */
typedef struct FurtherSearches {
  bool tried;
  FurtherKind taken; /* the last whose answer was taken */
  double from;       /* s, T of the longer search that has met the target; 0: none has */
  double end;        /* s, the shortest T reached from there */
  double shorter;    /* s, T of the shorter search whose answer was taken */
  int steps;         /* from one T to a shorter one */
  long evaluations;
  bool itself;  /* the longer search was of the motion itself, the run's own was not */
  bool stopped; /* for good, by a second signal */
} FurtherSearches;

/* Of a search that has ended so. until: ctl_seconds, after which nothing more is simulated; 0: no limit. Returns 0, EXIT_STOPPED on a signal, or EXIT_INTERNAL after
 * telling. */
int further_searches_run(SearchRun *run, const CtlState *state, double until, Refinement *refinement,
                         FurtherSearches *found);

/* outcome.further: a new reference; NULL: nothing was tried, or no memory. */
json_t *further_searches_json(const FurtherSearches *found);

/* In a line on the standard output where an answer was taken. */
void further_searches_print(const FurtherSearches *found);

/* Of a search that has found no control that meets the target: what may find one. */

enum { MISS_ADVICE_SIZE = 256 };

/* The search's problem, its end, and what the motion itself does there: settings and times, the likeliest first, with commas between. */
void miss_advice(const Problem *problem, const CtlState *state, const Verification *verification,
                 const FurtherSearches *further, char text[MISS_ADVICE_SIZE]);

#endif
