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

/* Why something is refused for a problem with one of these features. */
typedef struct CtlFeatureReason {
  SimFeatures features;
  const char *key, *text;
} CtlFeatureReason;

/* Reports the features `lacking` of a problem, which a key, such as "search.bound", does not cover. n: number of
 * reasons. A feature without a reason is reported by its own key. */
void ctl_check_features(CtlCheck *check, const char *key, int n, const CtlFeatureReason *reasons, SimFeatures lacking);

/* Checks the sections time and control: end, weight, bounds, rate, start, target; or, with roles, variables and
 * values. */
void ctl_check_control(CtlCheck *check);

#endif
