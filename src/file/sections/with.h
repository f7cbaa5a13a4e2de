/* SPDX-License-Identifier: BSD-2-Clause */
/* Copies a problem with another scheme, other steps or another control. */
#ifndef SRC_PROBLEM_WITH_H
#define SRC_PROBLEM_WITH_H

#include "src/base/diagnostics.h"
#include "src/base/problem.h"

/* Returns whether there is a scheme `event` for this kind of model that supports the problem. */
bool problem_takes_event(const Problem *problem);

typedef enum ProblemScheme {
  SCHEME_OWN,    /* the problem's scheme with its constants */
  SCHEME_LAW,    /* the problem's scheme with the unregularized multiplier and the exact solver */
  SCHEME_SOLVED, /* the problem's scheme with its own multiplier law and the exact solver */
  SCHEME_EVENT,  /* scheme `event`, with the problem's constants if it is the problem's scheme */
  SCHEME_NAMED   /* the scheme `name`, with the constants of the file if it is the scheme of the problem, otherwise with
                  * default constants */
} ProblemScheme;

typedef struct ProblemChanges {
  ProblemScheme scheme;
  const char *name; /* for SCHEME_NAMED; NULL: the problem's scheme */
  long steps;       /* new number of steps; 0: unchanged */
  long finer;       /* factor by which the number of steps is multiplied; 0 means 1 */
  int segments;     /* number of segments of a piecewise constant or linear control, for a search by SQP that starts at
                     * u = 0; 0: the control is unchanged */
  double end;       /* new end time T, in s, with the same number of steps; 0: T is unchanged */
} ProblemChanges;

/* Creates the changed problem *variant and derives all data that depend on the change: force at other times, bounds,
 * checks. Constants of the scheme keep their resolved values. The result has no scenarios, and shares expressions and
 * the group of ranks with the problem. Collective over this group. Returns 0, and the caller clears *variant;
 * EXIT_USAGE if the change is impossible, which is reported to `found`; or EXIT_INTERNAL. */
int problem_with(const Problem *problem, ProblemChanges changes, Diagnostics *found, Problem *variant);

#endif
