/* A field is an equation of motion: it gives each order of a motion's series from the lower orders. The other files
 * (expansion, decision, motion) call it through the table EventField. There is a table for masses, M v' = load with
 * constant matrices, one for systems in which some dofs have no mass, and one for mechanisms (sim/mechanism/field.c). A
 * new equation of motion needs a new table. */
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

  /* Computes the series and the width of a segment, after expansion_begin has set its force. SIM_OK, SIM_NON_FINITE. */
  SimStatus (*complete)(const EventSystem *system, EventMotion *motion);
  /* Computes segment.spent, the series of the energies. */
  void (*spend)(const EventSystem *system, EventMotion *motion);
  /* For expansion_by_orders: computes the segment order by order until `row` successive orders are at most `small`
   * relative to the largest coefficient. inverse: expansion_inverse. Returns whether this was reached. */
  bool (*expand)(const EventSystem *system, EventMotion *motion, int row, double small, const double *inverse);

  /* Advances all columns of forward derivatives to the fraction `part` of the segment (tangent.h). */
  void (*advance)(const EventSystem *system, EventMotion *motion, struct EventTangent *tangent, double part);

  /* The functions from here on are NULL if the matrices are constant. place: computes system->mass at the state
   * motion->at, before an impact. SIM_OK, SIM_NON_FINITE. */
  SimStatus (*place)(const EventSystem *system, EventMotion *motion);
  /* Returns whether the argument of a law leaves the law's piece before *first, a fraction of the segment; then sets
   * *first to this time. */
  bool (*cross)(const EventSystem *system, EventMotion *motion, double *first);
  /* leave: called at the end of a segment, at motion->part. enter: called when the next segment is complete; slip: [d]
   * before the event between the two segments. */
  SimStatus (*leave)(const EventSystem *system, EventMotion *motion);
  SimStatus (*enter)(const EventSystem *system, EventMotion *motion, const signed char *slip);
  /* Kinetic plus potential energy of the state x, v at the time t, J. */
  double (*stored)(const EventSystem *system, EventMotion *motion, double t, const double *x, const double *v);
} EventField;

extern const EventField event_field_masses;   /* expansion.c */
extern const EventField event_field_massless; /* massless.c */

#endif
