/* Checks of a control problem, and helpers for the checks of its search. */
#ifndef CONTROL_PROBLEM_CHECK_H
#define CONTROL_PROBLEM_CHECK_H

#include "control/internal.h"

typedef struct CtlCheck {
  const CtlProblem *problem;
  const SimReport *report; /* may be NULL */
  int mistakes;            /* number of errors so far */
  bool no_memory;          /* some checks could not be made */
} CtlCheck;

/* Counts an error and reports it by its key. */
void ctl_check_complain(CtlCheck *check, const char *key, const char *format, ...);

/* checks that all values are finite */
bool ctl_check_finite(CtlCheck *check, const char *key, int count, const double *values);

/* Checks the sections time and control: end, weight, bounds, rate, start, target; or, with roles, variables and
 * values. */
void ctl_check_control(CtlCheck *check);

#endif
