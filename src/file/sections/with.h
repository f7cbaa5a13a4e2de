/* Copies a problem with another scheme, other steps or another control. */
#ifndef SRC_PROBLEM_WITH_H
#define SRC_PROBLEM_WITH_H

#include "src/base/diagnostics.h"
#include "src/base/problem.h"

/* Whether a scheme `event` exists for the problem's kind and supports it. */
bool problem_takes_event(const Problem *problem);

typedef enum ProblemScheme {
  SCHEME_OWN,    /* unchanged, with its constants */
  SCHEME_LAW,    /* its own scheme, without regularization and with each step solved exactly */
  SCHEME_SOLVED, /* the same, with the multiplier's law of the problem */
  SCHEME_EVENT,  /* with the problem's constants if its scheme is event */
  SCHEME_NAMED   /* as in a file: its own with the given constants and formulas, another with defaults */
} ProblemScheme;

typedef struct ProblemChanges {
  ProblemScheme scheme;
  const char *name; /* of SCHEME_NAMED; NULL: its own scheme */
  long steps;       /* number of steps; 0: unchanged */
  long finer;       /* factor of the number of steps; 0 means 1 */
  int segments;     /* segments of the control's signal, for SQP starting from 0. 0: unchanged */
  double end;       /* s, with the same number of steps. 0: T unchanged */
} ProblemChanges;

/* Creates the changed problem and derives what follows: its force at other times, bounds, checks. Constants of the
 * scheme keep their resolved values, as in an echo. The result has no scenarios. Collective over the problem's group.
 * Returns 0; EXIT_USAGE if the change is impossible, reported to found; or EXIT_INTERNAL. If 0, the caller clears
 * variant. Expressions and the group are shared. */
int problem_with(const Problem *problem, ProblemChanges changes, Diagnostics *found, Problem *variant);

#endif
