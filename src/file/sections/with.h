/* A problem with another scheme, other steps or another control, made in memory. */
#ifndef SRC_PROBLEM_WITH_H
#define SRC_PROBLEM_WITH_H

#include "src/base/diagnostics.h"
#include "src/base/problem.h"

/* Whether its kind has a scheme `event` that takes it. */
bool problem_takes_event(const Problem *problem);

typedef enum ProblemScheme {
  SCHEME_OWN,    /* as it is, with its constants */
  SCHEME_LAW,    /* its own, unregularized and with each step solved exactly */
  SCHEME_SOLVED, /* likewise, by the multiplier's law that the problem has */
  SCHEME_EVENT,  /* with the constants that its own has if it is that */
  SCHEME_NAMED /* as a file would have it: its own with the constants and formulas that are given, another with defaults */
} ProblemScheme;

typedef struct ProblemChanges {
  ProblemScheme scheme;
  const char *name; /* of SCHEME_NAMED; NULL: its own */
  long steps;       /* to the end; 0: as they are */
  long finer;       /* times as many steps; 0 as 1 */
  int segments;     /* of the control's signal, for SQP from 0. 0: as they are */
  double end;       /* s, in as many steps. 0: T as it is */
} ProblemChanges;

/* The problem changed, and what follows from that: its force at other times, bounds, checks. Constants of the scheme stay what they were found to be,
 * as in an echo. It has no scenarios. Collective over the problem's group. Returns 0, EXIT_USAGE when that cannot be, reported to found, or
 * EXIT_INTERNAL; variant: to be cleared, if 0. The expressions and the group are shared. */
int problem_with(const Problem *problem, ProblemChanges changes, Diagnostics *found, Problem *variant);

#endif
