/* Some dofs near an event as a small system of their own, with the same equation in their rows. The other dofs move as
 * given by their series. */
#ifndef SIM_EVENT_REGION_H
#define SIM_EVENT_REGION_H

#include "sim/event/event.h"

enum { REGION_DOFS = EVENT_FEW_DOFS /* maximum number of dofs */ };

typedef struct EventRegion {
  EventSystem system; /* system of `count` dofs */
  EventMotion motion; /* its motion; arrays for REGION_DOFS */
  int count;
  int *dof;               /* [REGION_DOFS] the dofs, ascending after region_take */
  int *place;             /* [d] index in `dof` plus 1; 0: not in the region; -1: neighbour of one that is */
  int border;             /* number of such neighbours */
  int *neighbour;         /* [REGION_DOFS entries of a row] these neighbours; in one block with the two above */
  bool edge[REGION_DOFS]; /* the dof has such a neighbour */
  double *numbers;        /* owned, like place and the rows of system */
} EventRegion;

/* Largest number of entries in a row of A, D or M, M being banded, for a system to use regions. */
enum { REGION_ENTRIES = 9 };

/* SIM_OK, SIM_NO_MEMORY. */
SimStatus region_init(const EventSystem *whole, EventRegion *region);
void region_clear(EventRegion *region);

/* Removes all dofs. */
void region_empty(EventRegion *region);
/* Add a dof, or all neighbours; return false if the region would become too large. */
bool region_add(EventRegion *region, int i);
bool region_add_neighbours(const EventSystem *whole, EventRegion *region);

/* Copies the numbers of its dofs from the whole system. */
void region_take(const EventSystem *whole, const EventMotion *motion, EventRegion *region);

/* Adds the dofs whose rows M couples to dofs of the region that slide. */
bool region_add_coupled(const EventSystem *whole, const EventMotion *motion, EventRegion *region);

/* Subtract from segment.force of the region's motion the force of neighbour number k by springs, by its M v', or by
 * dampers. x: its series [order + 1] over segment.width. */
void region_pull(const EventSystem *whole, EventRegion *region, int k, int order, const double *x);
void region_push(const EventSystem *whole, EventRegion *region, int k, int order, const double *x);
void region_drag(const EventSystem *whole, EventRegion *region, int k, int order, const double *x);

#endif
