/* Another search that follows on a run's, by the same pool or here. */
#ifndef SRC_FOLLOW_UP_H
#define SRC_FOLLOW_UP_H

#include "src/file/sections/with.h"
#include "src/search/search_run.h"

/* All borrowed. */
typedef struct FollowUp {
  SearchRun *run;
  CtlSearch *search;
  const CtlEvaluator *evaluator; /* this process's */
  const EvaluatedModel *sent;    /* what the workers build theirs of; NULL: they have it */
  double until;                  /* ctl_seconds, when it is left off as it stands; 0: at its end */
  const char *purpose;           /* words for the progress line */
} FollowUp;

/* To its end, or until then. times: may be NULL. Returns 0, EXIT_STOPPED on a signal, or EXIT_INTERNAL: out of memory, unreported. */
int follow_up_drive(const FollowUp *follow_up, CtlTimes *times);

/* Searches again, the run's problem with other starts, by the same evaluators. until, purpose, times, result: as above. again: must outlive *search,
 * which the caller destroys. */
int follow_up_again(SearchRun *run, const CtlProblem *again, double until, const char *purpose, CtlSearch **search,
                    CtlTimes *times);

/* A changed problem, and what simulates it on this rank. */
typedef struct Related {
  Problem problem;
  RolloutContext rollout;
} Related;

/* Opens the problem with changes. Returns 0, EXIT_USAGE if there is no such problem, or EXIT_INTERNAL; close it if 0. */
int related_open(const Problem *problem, ProblemChanges as, Related *related);
void related_close(Related *related);

/* Searches a related problem, by all ranks. until, purpose, result: as above. *search: the caller destroys it; NULL: out of memory. */
int follow_up_related(SearchRun *run, const Related *related, double until, const char *purpose, CtlSearch **search);

#endif
