/* Another search that follows on a run's, by the same pool or here. */
#ifndef SRC_FOLLOW_UP_H
#define SRC_FOLLOW_UP_H

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

/* A search of a related problem, by all ranks; rollout: of it. until, purpose: as above. Returns likewise. */
int follow_up_problem(SearchRun *run, const Problem *problem, const RolloutContext *rollout, CtlSearch *search,
                      double until, const char *purpose);

#endif
