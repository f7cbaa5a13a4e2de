/* Some dofs near an event, as a small system of their own: the same equation in their rows, in which the others move as their
 * series say. */
#ifndef SIM_EVENT_REGION_H
#define SIM_EVENT_REGION_H

#include "sim/event/event.h"

enum { REGION_DOFS = EVENT_FEW_DOFS /* at most */ };

typedef struct EventRegion {
  EventSystem system; /* of `count` dofs */
  EventMotion motion; /* of it; room for REGION_DOFS */
  int count;
  int *dof;               /* [REGION_DOFS] which they are, ascending where region_take has been called */
  int *place;             /* [d] where in dof it is, and 1; 0: it is not there; -1: a neighbour of one that is */
  int border;             /* so many of these */
  int *neighbour;         /* [REGION_DOFS entries of a row] which they are; in one block with the two above */
  bool edge[REGION_DOFS]; /* it has such a neighbour */
  double *numbers;        /* owned, as place and the rows of system */
} EventRegion;

/* The most entries of a row of A, D or M that a system with regions has; M is a band. */
enum { REGION_ENTRIES = 9 };

/* SIM_OK, SIM_NO_MEMORY. */
SimStatus region_init(const EventSystem *whole, EventRegion *region);
void region_clear(EventRegion *region);

/* No dofs are in it. */
void region_empty(EventRegion *region);
/* False: they become too many. */
bool region_add(EventRegion *region, int i);
bool region_add_neighbours(const EventSystem *whole, EventRegion *region);

/* The system's numbers. */
void region_take(const EventSystem *whole, const EventMotion *motion, EventRegion *region);

/* Those whose M v' the dofs that slide are in. */
bool region_add_coupled(const EventSystem *whole, const EventMotion *motion, EventRegion *region);

/* motion's segment.force less what neighbour number `k` does by springs, by its M v', by dampers; its x is a series [order + 1] over segment.width. */
void region_pull(const EventSystem *whole, EventRegion *region, int k, int order, const double *x);
void region_push(const EventSystem *whole, EventRegion *region, int k, int order, const double *x);
void region_drag(const EventSystem *whole, EventRegion *region, int k, int order, const double *x);

#endif
