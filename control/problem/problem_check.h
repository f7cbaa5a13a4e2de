/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks of a control problem, and helpers for the checks of its search. */
#ifndef CONTROL_PROBLEM_CHECK_H
#define CONTROL_PROBLEM_CHECK_H

#include "control/internal.h"

typedef struct CtlCheck {
  const CtlProblem *problem;
  const SimReport *report; /* may be NULL */
  int mistakes;            /* number of errors that have been reported */
  bool no_memory;          /* whether memory was lacking, so that some checks were not made */
} CtlCheck;

/* Counts an error and reports it with its key. */
void ctl_check_complain(CtlCheck *check, const char *key, const char *format, ...);

/* reports an error unless all values are finite; returns whether they are */
bool ctl_check_finite(CtlCheck *check, const char *key, int count, const double *values);

/* Reason for refusing a problem with one of these features: the key of the problem file and the text of the message. */
typedef struct CtlFeatureReason {
  SimFeatures features;
  const char *key, *text;
} CtlFeatureReason;

/* Reports features that a problem has but that are not supported together with a key, such as "search.bound". lacking:
 * these features. n: number of reasons. A feature without a reason in the list is reported by its own key. */
void ctl_check_features(CtlCheck *check, const char *key, int n, const CtlFeatureReason *reasons, SimFeatures lacking);

/* Checks the keys of the sections time and control: end, weight, bounds, rate, start, target. With roles, checks the
 * variables and values instead. */
void ctl_check_control(CtlCheck *check);

#endif
