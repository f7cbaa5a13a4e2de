/* A field is the equation that gives each order of a motion's series from the lower ones. The other files (expansion,
 * decision, motion) call it through this table. There is one for masses, M v' = load with constant matrices, and one in
 * which some dofs have no mass. A new equation of motion needs a new table. */
#ifndef SIM_EVENT_FIELD_H
#define SIM_EVENT_FIELD_H

#include "sim/event/decision.h"

typedef struct EventField {
  bool always_decides; /* whether a decision is made at the start of every segment, not only after an event */

  /* Called before a decision, after expansion_begin: moves the dofs that the load at motion->at.t moves instantly.
   * SIM_OK, SIM_NON_FINITE, SIM_NOT_CONVERGED. */
  SimStatus (*begin)(const EventSystem *system, EventMotion *motion);

  /* Computes the coefficient of an order of segment.load, and motion->b, N, from x and v up to this order. Raises
   * motion->size. */
  void (*load)(const EventSystem *system, EventMotion *motion, const Decision *decision, int order);
  /* Computes the rates of this order, motion->y, and motion->reaction and doubt, from motion->b and size. SIM_OK,
   * SIM_NOT_CONVERGED. */
  SimStatus (*rates)(const EventSystem *system, EventMotion *motion, const Decision *decision);
  /* Computes x and v of order + 1 from the rates y [d] of this order, which are accelerations of dofs with mass. */
  void (*take)(const EventSystem *system, EventMotion *motion, int order, const double *y);

  /* Computes orders of the segment until `row` successive ones are at most `small` relative to the largest. inverse:
   * expansion_inverse. Returns whether this was reached. */
  bool (*expand)(const EventSystem *system, EventMotion *motion, int row, double small, const double *inverse);
} EventField;

extern const EventField event_field_masses;   /* expansion.c */
extern const EventField event_field_massless; /* massless.c */

#endif
