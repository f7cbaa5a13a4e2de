/* SPDX-License-Identifier: BSD-2-Clause */
/* Copies a problem with another scheme, other steps or another control. */
#ifndef SRC_PROBLEM_WITH_H
#define SRC_PROBLEM_WITH_H

#include "src/base/diagnostics.h"
#include "src/base/problem.h"

/* Returns whether the problem's kind has a scheme `event` that supports the problem. */
bool problem_takes_event(const Problem *problem);

typedef enum ProblemScheme {
  SCHEME_OWN,    /* the problem's scheme with its constants */
  SCHEME_LAW,    /* the problem's scheme with the unregularized multiplier and the exact solver */
  SCHEME_SOLVED, /* the problem's scheme with its own multiplier law and the exact solver */
  SCHEME_EVENT,  /* scheme `event`, with the problem's constants if it is the problem's scheme */
  SCHEME_NAMED   /* scheme `name`: as the file gives it if it is the problem's scheme, otherwise with default
                  * constants */
} ProblemScheme;

typedef struct ProblemChanges {
  ProblemScheme scheme;
  const char *name; /* for SCHEME_NAMED; NULL: the problem's scheme */
  long steps;       /* new number of steps; 0: unchanged */
  long finer;       /* factor by which the number of steps is multiplied; 0 means 1 */
  int segments;     /* number of segments of a control that varies in time, for SQP from u = 0; 0: the control is
                     * unchanged */
  double end;       /* new end time T, in s, with the same number of steps; 0: T is unchanged */
} ProblemChanges;

/* Creates the changed problem and derives what depends on the change: its force at other times, bounds, checks.
 * Constants of the scheme keep their resolved values, as in an echo. The result has no scenarios. The result shares
 * expressions and the group with the problem. Collective over the problem's group. Returns 0; EXIT_USAGE if the change
 * is impossible, which is reported to found; or EXIT_INTERNAL. If 0, the caller clears variant. */
int problem_with(const Problem *problem, ProblemChanges changes, Diagnostics *found, Problem *variant);

#endif
