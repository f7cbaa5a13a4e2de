/* The first event within a segment. */
#ifndef SIM_EVENT_CROSSING_H
#define SIM_EVENT_CROSSING_H

#include "sim/event/event.h"

typedef enum Crossing {
  CROSSING_NONE,
  CROSSING_SPRING, /* an elongation leaves its piece of its law: spring_series.h */
  CROSSING_BRANCH, /* |v_i| passes the end of a branch of gamma, or comes down to where its series holds no longer: law_series.h */
  CROSSING_END,  /* an x_i comes to an elastic end, or leaves one: motion->meets */
  CROSSING_REST, /* a v_i reaches 0, or a |lambda_i| 1: motion->rests has them, and all masses that stick */
  CROSSING_STOP  /* an x_i meets an end: motion->meets; motion->rests all the same; of a rigid one */
} Crossing;

/* What can happen to a dof in a segment. */
typedef struct Candidate {
  double at;
  Crossing what;
  int side; /* CROSSING_STOP, CROSSING_END: of the end; CROSSING_BRANCH: to the next branch, the one before, or 0: the same goes on */
} Candidate;

/* *at: when, in 0..1 of the segment. each: motion->candidates are what happens to each dof first, also where it does after *at. */
Crossing crossing_find(const EventSystem *system, EventMotion *motion, bool each, double *at);

/* Of the candidates those no later than `at` happen: motion->meets, rests, changes_branch. */
Crossing crossing_mark(const EventSystem *system, EventMotion *motion, double at);

#endif
