/* Finds the first event in a segment. */
#ifndef SIM_EVENT_CROSSING_H
#define SIM_EVENT_CROSSING_H

#include "sim/event/event.h"

typedef enum Crossing {
  CROSSING_NONE,
  CROSSING_LAW, /* an elongation, or what an expression depends on, leaves its piece of a law (spring_series.h) */
  /* |v_i| passes the end of a branch of gamma, or falls below the range of its series (sim/law/friction_series.h) */
  CROSSING_BRANCH,
  CROSSING_END,  /* an x_i reaches or leaves an elastic end: motion->meets */
  CROSSING_REST, /* a v_i reaches 0 or a |lambda_i| 1: motion->rests marks them, and all masses that stick */
  CROSSING_STOP  /* an x_i reaches a rigid end: motion->meets; motion->rests is set, too */
} Crossing;

/* Next event of a dof in a segment. */
typedef struct Candidate {
  double at;
  Crossing what;
  /* CROSSING_STOP, CROSSING_END: side of the end; CROSSING_BRANCH: 1 to the next branch, -1 to the one before, 0: the
   * branch stays */
  int side;
} Candidate;

/* Finds the first event; *at: its time as a fraction of the segment. each: motion->candidates get the first event of
 * every dof, also after *at. */
Crossing crossing_find(const EventSystem *system, EventMotion *motion, bool each, double *at);

/* Applies the candidates up to time `at`: sets motion->meets, rests, changes_branch. */
Crossing crossing_mark(const EventSystem *system, EventMotion *motion, double at);

#endif
