/* A field is the equation that gives each order of a motion's series from the lower ones. The other files (expansion,
 * decision, motion) call it through this table. There is one for masses, M v' = load with constant matrices, one in
 * which some dofs have no mass, and one for mechanisms (sim/mechanism/field.c). A new equation of motion needs a new table. */
#ifndef SIM_EVENT_FIELD_H
#define SIM_EVENT_FIELD_H

#include "sim/event/decision.h"

typedef struct EventField {
  bool always_decides; /* decides at the start of every segment, not only after an event */

  /* Called before a decision, after expansion_begin: moves the dofs that the load at motion->at.t moves instantly.
   * SIM_OK, SIM_NON_FINITE, SIM_NOT_CONVERGED. */
  SimStatus (*begin)(const EventSystem *system, EventMotion *motion);

  /* Computes for the order of a decision segment.load and motion->b, N, from x and v up to this order, and size. */
  void (*load)(const EventSystem *system, EventMotion *motion, const Decision *decision, int order);
  /* Computes the rates of this order from b and size: motion->y, with reaction and doubt. SIM_OK, SIM_NOT_CONVERGED. */
  SimStatus (*rates)(const EventSystem *system, EventMotion *motion, const Decision *decision);
  /* Computes x and v of order + 1 from the rates y [d] of this order: accelerations of masses. */
  void (*take)(const EventSystem *system, EventMotion *motion, int order, const double *y);

  /* Completes the segment after its force: series and width. SIM_OK, SIM_NON_FINITE. */
  SimStatus (*complete)(const EventSystem *system, EventMotion *motion);
  /* Computes segment.spent. */
  void (*spend)(const EventSystem *system, EventMotion *motion);
  /* For expansion_by_orders: computes orders of the segment until `row` successive ones are at most `small` relative to the largest. inverse:
   * expansion_inverse. Returns whether this was reached. */
  bool (*expand)(const EventSystem *system, EventMotion *motion, int row, double small, const double *inverse);

  /* Advances all columns to the fraction `part` of the segment (tangent.h). */
  void (*advance)(const EventSystem *system, EventMotion *motion, struct EventTangent *tangent, double part);

  /* The rest is NULL for constant matrices. Before an impact: system->mass at motion->at. SIM_OK, SIM_NON_FINITE. */
  SimStatus (*place)(const EventSystem *system, EventMotion *motion);
  /* Finds whether a law leaves its piece before *first, a fraction of the segment, and when. */
  bool (*cross)(const EventSystem *system, EventMotion *motion, double *first);
  /* Called at the end of a segment, at motion->part, and when the next one is complete; slip: [d] before it. */
  SimStatus (*leave)(const EventSystem *system, EventMotion *motion);
  SimStatus (*enter)(const EventSystem *system, EventMotion *motion, const signed char *slip);
  /* Kinetic and potential energy, J. */
  double (*stored)(const EventSystem *system, EventMotion *motion, double t, const double *x, const double *v);
} EventField;

extern const EventField event_field_masses;   /* expansion.c */
extern const EventField event_field_massless; /* massless.c */

#endif
