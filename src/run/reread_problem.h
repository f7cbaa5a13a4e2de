/* A problem read again from its echo, as the motion itself is run: by the scheme `event`, or in finer steps; or with a finer
 * control. */
#ifndef SRC_RUN_REREAD_PROBLEM_H
#define SRC_RUN_REREAD_PROBLEM_H

#include "src/problem/file.h"

/* Whether its kind has a scheme `event` that takes it. */
bool reread_by_event(const SimProblem *sim);

typedef enum RereadScheme {
  REREAD_BY_ITS_OWN,
  REREAD_BY_LAW,  /* by its own, unregularized and with each step solved exactly */
  REREAD_SOLVED,  /* likewise, by the multiplier's law that the problem has */
  REREAD_BY_EVENT /* with the keys that its own has if it is that */
} RereadScheme;

typedef struct Reread {
  RereadScheme scheme;
  long finer;   /* times as many steps */
  int segments; /* of the control's signal, for SQP from 0. 0: as they are */
  double end;   /* s, in as many steps. 0: T as it is */
} Reread;

/* Collective over the problem's group. Returns 0, EXIT_USAGE when that cannot be, told to found, or EXIT_INTERNAL; own: to be cleared,
 * if 0. */
int reread_problem(const Problem *problem, Reread as, Diagnostics *found, Problem *own);

#endif
