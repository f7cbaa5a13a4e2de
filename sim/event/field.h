/* SPDX-License-Identifier: BSD-2-Clause */
/* A field is an equation of motion: it computes each coefficient of a motion's series from the lower ones. The other
 * files (expansion, decision, motion) call it through the table EventField. There are three tables: for masses, M v' =
 * load with constant matrices; for systems in which some dofs have no mass; and for mechanisms (sim/mechanism/field.c).
 * A new equation of motion needs a new table. */
#ifndef SIM_EVENT_FIELD_H
#define SIM_EVENT_FIELD_H

#include "sim/event/decision.h"

typedef struct EventField {
  bool always_decides; /* whether each segment begins with a decision which dofs slide; false: only segments that begin
                        * with an event */

  /* Called after expansion_begin, before the decision which dofs slide. Moves those dofs without mass that the forces
   * at motion->at.t displace immediately. Returns SIM_OK, SIM_NON_FINITE or SIM_NOT_CONVERGED. */
  SimStatus (*begin)(const EventSystem *system, EventMotion *motion);

  /* Computes coefficient `order` of the time series segment.load, and motion->b, in N, from the coefficients of x and v
   * up to this order. Raises motion->size, from which the rounding error follows (doubt.h). */
  void (*load)(const EventSystem *system, EventMotion *motion, const Decision *decision, int order);
  /* Computes coefficient `order` of the rates, motion->y, and motion->reaction and motion->doubt, from motion->b and
   * motion->size. The rate of a dof is its acceleration or, without mass, its velocity. Returns SIM_OK or
   * SIM_NOT_CONVERGED. */
  SimStatus (*rates)(const EventSystem *system, EventMotion *motion, const Decision *decision);
  /* Computes coefficients order + 1 of x and v from the rates y [d] of this order. */
  void (*take)(const EventSystem *system, EventMotion *motion, int order, const double *y);

  /* Computes the series and the width of a segment, after expansion_begin has set its force. Returns SIM_OK or
   * SIM_NON_FINITE. */
  SimStatus (*complete)(const EventSystem *system, EventMotion *motion);
  /* Computes segment.spent, the series of the energies (energy.h). */
  void (*spend)(const EventSystem *system, EventMotion *motion);
  /* For expansion_by_orders: computes the segment order by order until the coefficients of `row` successive orders are
   * at most `small`, relative to the largest coefficient. inverse: result of expansion_inverse. Returns false if the
   * maximum order is reached before. */
  bool (*expand)(const EventSystem *system, EventMotion *motion, int row, double small, const double *inverse);

  /* Advances all columns of forward derivatives to the fraction `part` of the segment (tangent.h). */
  void (*advance)(const EventSystem *system, EventMotion *motion, struct EventTangent *tangent, double part);
  /* Applies the jump of all columns of derivatives at the event at the start of the segment, if it is an impact or an
   * event of this equation's own. stops: whether friction brought a dof to rest in it. NULL: matrices are constant, and
   * only impacts cause jumps. */
  void (*jump)(const EventSystem *system, EventMotion *motion, struct EventTangent *tangent, bool stops);

  /* The following functions are NULL if the matrices are constant. This one computes system->mass at the state
   * motion->at, before an impact. It returns SIM_OK or SIM_NON_FINITE. */
  SimStatus (*place)(const EventSystem *system, EventMotion *motion);
  /* Returns whether the argument of a law, for example an elongation, leaves the polynomial piece of the law before the
   * fraction *first of the segment. If so, sets *first to this time. */
  bool (*cross)(const EventSystem *system, EventMotion *motion, double *first);
  /* `leave` is called at the end of a segment, which is at motion->part. `enter` is called when the next segment has
   * been computed; slip: [d] directions before the event between the two segments. */
  SimStatus (*leave)(const EventSystem *system, EventMotion *motion);
  SimStatus (*enter)(const EventSystem *system, EventMotion *motion, const signed char *slip);
  /* Returns the kinetic plus potential energy of the state x, v at the time t, in J. */
  double (*stored)(const EventSystem *system, EventMotion *motion, double t, const double *x, const double *v);
} EventField;

extern const EventField event_field_masses;   /* expansion.c */
extern const EventField event_field_massless; /* massless.c */

#endif
