/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the first event in a segment of a motion. Times are fractions of the segment. */
#ifndef SIM_EVENT_CROSSING_H
#define SIM_EVENT_CROSSING_H

#include "sim/event/event.h"

typedef enum Crossing {
  CROSSING_NONE,
  CROSSING_LAW, /* the elongation of a spring, or the argument of another law, leaves the polynomial piece that
                 * describes the law (EventField.cross) */
  /* |v_i| passes the end of a branch of gamma, or falls below the speeds for which the series of gamma holds
   * (sim/law/friction_series.h) */
  CROSSING_BRANCH,
  CROSSING_END, /* x_i reaches or leaves an elastic stop; motion->meets has the stop */
  /* v_i reaches 0 or |lambda_i| reaches 1; motion->rests marks such dofs and all dofs with mass that stick */
  CROSSING_REST,
  CROSSING_STOP /* x_i reaches a rigid stop, given by motion->meets; motion->rests is set as for CROSSING_REST */
} Crossing;

/* First event of a dof in a segment. what: its type, CROSSING_NONE if there is no event. at: its time, as a fraction of
 * the segment. */
typedef struct Candidate {
  double at;
  Crossing what;
  /* for CROSSING_STOP and CROSSING_END: the stop that is reached, -1 lower or 1 upper; for CROSSING_BRANCH: 1 if the
   * next branch of gamma begins, -1 if the previous one begins, 0 if the branch stays and its series is computed
   * again */
  int side;
} Candidate;

/* Finds the first event of all dofs, and sets *at to its time. each: whether to set motion->candidates to the first
 * event of every dof, even if it is later than *at. */
Crossing crossing_find(const EventSystem *system, EventMotion *motion, bool each, double *at);

/* Marks the events of motion->candidates up to the time `at`: sets motion->meets, rests and changes_branch. Returns the
 * type of these events; if there are several, the largest value of Crossing. */
Crossing crossing_mark(const EventSystem *system, EventMotion *motion, double at);

#endif
