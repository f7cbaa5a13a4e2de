/* SPDX-License-Identifier: BSD-2-Clause */
/* Further searches that follow the search of a run. They use the same pool of workers, or this process alone. */
#ifndef SRC_FOLLOW_UP_H
#define SRC_FOLLOW_UP_H

#include "src/file/sections/with.h"
#include "src/search/search_run.h"

/* A further search. All members are borrowed. */
typedef struct FollowUp {
  SearchRun *run;
  CtlSearch *search;
  const CtlEvaluator *evaluator; /* evaluator of this process */
  const EvaluatedModel *sent;    /* model to send to the workers; NULL: the workers already have it */
  double until;                  /* time (ctl_seconds) at which the search stops with its present result; 0: no limit */
  const char *purpose;           /* what the search is for, in the progress line */
} FollowUp;

/* Repeats the search of a run with other starts and the same evaluators. again: the problem with these starts, which
 * must outlive *search. until: time (ctl_seconds) at which the search stops with its present result; 0: no limit.
 * purpose: what the search is for, in the progress line. times: may be NULL. The caller destroys *search. Returns 0,
 * EXIT_STOPPED or EXIT_INTERNAL. */
int follow_up_again(SearchRun *run, const CtlProblem *again, double until, const char *purpose, CtlSearch **search,
                    CtlTimes *times);

/* A problem that differs from that of the run, and its simulation on this rank. */
typedef struct Related {
  Problem problem;
  RolloutContext rollout;
} Related;

/* Opens a copy of a problem with the changes `as`. Returns 0, and the caller closes it; EXIT_USAGE if a change is
 * impossible; or EXIT_INTERNAL. */
int related_open(const Problem *problem, ProblemChanges as, Related *related);
void related_close(Related *related);

/* Searches on a changed problem, on all ranks. The arguments until and purpose are those of follow_up_again. The caller
 * destroys *search, which is NULL if there is no memory. Returns the same codes as follow_up_again. */
int follow_up_related(SearchRun *run, const Related *related, double until, const char *purpose, CtlSearch **search);

#endif
