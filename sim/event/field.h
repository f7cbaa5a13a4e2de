/* How the orders of a motion's series follow one another. The engine (expansion, decision, motion) calls a field by its table: one of masses, M v' = load
 * with matrices that do not change; one in which some dofs have no mass. Another equation of motion is another table. */
#ifndef SIM_EVENT_FIELD_H
#define SIM_EVENT_FIELD_H

#include "sim/event/decision.h"

typedef struct EventField {
  bool always_decides; /* at the start of every segment, not only after an event */

  /* Before a decision, after expansion_begin: moves the dofs that the load at motion->at.t moves at once. SIM_OK, SIM_NON_FINITE,
   * SIM_NOT_CONVERGED. */
  SimStatus (*begin)(const EventSystem *system, EventMotion *motion);

  /* Of a decision's order: segment.load, motion->b, N, of x and v up to this order, and size. */
  void (*load)(const EventSystem *system, EventMotion *motion, const Decision *decision, int order);
  /* The rates of this order: motion->y, with reaction and doubt, from b and size. SIM_OK, SIM_NOT_CONVERGED. */
  SimStatus (*rates)(const EventSystem *system, EventMotion *motion, const Decision *decision);
  /* x and v of order + 1 from the rates y [d] of this order: accelerations of masses. */
  void (*take)(const EventSystem *system, EventMotion *motion, int order, const double *y);

  /* All orders of the segment, until `row` in a row are small, as a part of the largest ones. inverse: expansion_inverse. Returns whether
   * they have become so. */
  bool (*expand)(const EventSystem *system, EventMotion *motion, int row, double small, const double *inverse);
} EventField;

extern const EventField event_field_masses;   /* expansion.c */
extern const EventField event_field_massless; /* massless.c */

#endif
