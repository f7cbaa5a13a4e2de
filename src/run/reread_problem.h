/* A problem read again from its echo, as the motion itself is run: by the scheme `event`, or in finer steps. */
#ifndef SRC_RUN_REREAD_PROBLEM_H
#define SRC_RUN_REREAD_PROBLEM_H

#include "src/problem/file.h"

/* Whether its kind has a scheme `event` that takes it. */
bool reread_by_event(const SimProblem *sim);

typedef enum RereadAs {
  REREAD_EVENT,  /* by that scheme, with the keys that the problem's own has if it is the same */
  REREAD_LAW,    /* by the problem's scheme, unregularized and with each step solved exactly */
  REREAD_SOLVED, /* likewise, by the multiplier's law that the problem has */
} RereadAs;

/* At `finer` times as many steps. Collective over the problem's group. Returns 0, EXIT_USAGE when that
 * cannot be, told to found, or EXIT_INTERNAL; own: to be cleared, if 0. */
int reread_problem(const Problem *problem, RereadAs as, long finer, Diagnostics *found, Problem *own);

#endif
