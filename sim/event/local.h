/* Events of many dofs, each of which changes the motion of a few: a segment is a window, in which every dof has a series that begins at an
 * instant of its own. At an event those dofs get new series whose motion it changes by more than round-off of the tolerance until the window
 * ends; the others keep theirs. */
#ifndef SIM_EVENT_LOCAL_H
#define SIM_EVENT_LOCAL_H

#include "sim/event/region.h"

/* Of one motion: what segment.x, v, lambda are besides. Vectors [d], series [POLYNOMIAL_ORDER + 2][d]. Owned. */
typedef struct EventLocal {
  double *from; /* where the series of dof i begins, as a part of the segment: it is one of s - from_i, on 0..limit */
  double limit; /* where the window ends */
  double since; /* up to there it has been examined */
  double *
      first; /* [2 leaves] a tree: behind `leaves` when the next event of each dof is, before it the least of each two below; INFINITY: none */
  int leaves;         /* a power of 2 */
  double *force;      /* f + B u, N, each from from_i on; if watched */
  double *resistance; /* D v + C (lambda - gamma), N, likewise */
  int *sliding;       /* [d] room for a list */
  double *series[3];  /* of one function each, while it runs */
  double push;        /* largest |M_ij|/M_ii of neighbours */
  double coupling;    /* largest |A_ij|/M_ii of neighbours, 1/s^2 */
  double drag;        /* largest |D_ij|/M_ii, 1/s */
  double reach;       /* s, how long an event takes to be felt by half the dofs that a region has room for */
  double mass, stiffness, damping; /* largest |M_ij|, |A_ij|, |D_ij| */
  EventState anchor;               /* where the window begins; x, v: the motion's */
  EventRegion region;
} EventLocal;

/* *local: NULL where all dofs get new series at an event. SIM_OK, SIM_NO_MEMORY. */
SimStatus local_create(const EventSystem *system, EventLocal **local);
void local_destroy(EventLocal *local); /* NULL: nothing */

/* Over how many neighbours, one behind the other, an event is felt within a time, s: at each the force of the one before changes by this, as a part of the
 * change of friction at the first. */
int local_layers(const EventSystem *system, const EventLocal *local, double time);

/* A window begins: the segment has its series. motion->part, crossing: what ends the window, or the next event. */
void local_begin(const EventSystem *system, EventMotion *motion);

/* The event at motion->part: *done; false: it changes the motion of too many, and ends the window. SIM_OK, SIM_EVENTS_ACCUMULATE. */
SimStatus local_pass(const EventSystem *system, EventMotion *motion, bool *done);

/* What the window has from `since` on until motion->part is examined (residual.h). */
void local_examine(const EventSystem *system, EventMotion *motion);

/* Values [d] of a series of the segment. */
void local_at(const EventSystem *system, const EventMotion *motion, const double *series, double part, double *values);
/* spent [SPENT] += what is, J, from from_i to `part`, of all dofs. */
void local_spend(const EventSystem *system, const EventMotion *motion, double part, double *spent);

/* How long a window is at most, s. */
double local_width(const EventSystem *system, const EventMotion *motion);
/* motion->at.pace, by which local_width goes: the mean time from event to event; the window under way ends at t. */
void local_pace(const EventSystem *system, EventMotion *motion, double t);

/* How long ago, as a part of the segment, the series of dof i began. */
static inline double local_since(const EventMotion *motion, int i) {
  return motion->part - (event_local(motion) ? motion->local->from[i] : 0);
}

#endif
