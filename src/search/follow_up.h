/* Additional searches after a run's search, by the same pool or in this process. */
#ifndef SRC_FOLLOW_UP_H
#define SRC_FOLLOW_UP_H

#include "src/file/sections/with.h"
#include "src/search/search_run.h"

/* All members are borrowed. */
typedef struct FollowUp {
  SearchRun *run;
  CtlSearch *search;
  const CtlEvaluator *evaluator; /* of this process */
  const EvaluatedModel *sent;    /* model sent to the workers; NULL: they have it */
  double until;                  /* ctl_seconds at which it stops with its current result; 0: no limit */
  const char *purpose;           /* text for the progress line */
} FollowUp;

/* Repeats the search for the run's problem with other starts, by the same evaluators. until, purpose, times, result: as
 * above. again: must outlive *search, which the caller destroys. */
int follow_up_again(SearchRun *run, const CtlProblem *again, double until, const char *purpose, CtlSearch **search,
                    CtlTimes *times);

/* A modified problem and its simulation on this rank. */
typedef struct Related {
  Problem problem;
  RolloutContext rollout;
} Related;

/* Opens the modified problem. Returns 0; EXIT_USAGE if it is not possible; or EXIT_INTERNAL. Close it if 0. */
int related_open(const Problem *problem, ProblemChanges as, Related *related);
void related_close(Related *related);

/* Searches a modified problem on all ranks. until, purpose, result: as above. *search: the caller destroys it; NULL: no
 * memory. */
int follow_up_related(SearchRun *run, const Related *related, double until, const char *purpose, CtlSearch **search);

#endif
