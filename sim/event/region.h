/* SPDX-License-Identifier: BSD-2-Clause */
/* A region is a small system of the dofs near an event (local.h). It has the rows of the equation of motion for these
 * dofs. All other dofs are taken to move as given by their series. */
#ifndef SIM_EVENT_REGION_H
#define SIM_EVENT_REGION_H

#include "sim/event/event.h"

enum { REGION_DOFS = EVENT_FEW_DOFS /* maximum number of dofs of a region */ };

typedef struct EventRegion {
  EventSystem system; /* the small system, of `count` dofs */
  EventMotion motion; /* motion of this system; its arrays have room for REGION_DOFS dofs */
  int count;          /* number of dofs of the region */
  int *dof;           /* [REGION_DOFS] indices of the region's dofs in the whole system, ascending after region_take */
  int *place;     /* [d] 1 + index in `dof` of each dof of the region; 0: not in the region; -1: neighbour of a dof in
                   * the region */
  int border;     /* number of neighbours outside the region */
  int *neighbour; /* [border] neighbours outside the region; in one block with dof and place */
  bool edge[REGION_DOFS]; /* whether a dof of the region has a neighbour outside it */
  double *numbers;        /* vectors and small matrices; owned, like place and the rows of system */
} EventRegion;

/* Local updates are used only if M is banded and the rows of A, D and M have at most this number of entries. */
enum { REGION_ENTRIES = 9 };

/* Creates an empty region for a system. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus region_init(const EventSystem *whole, EventRegion *region);
void region_clear(EventRegion *region);

/* Removes all dofs. */
void region_empty(EventRegion *region);
/* region_add adds dof i, and region_add_neighbours all neighbours of the region's dofs. Both return false if the region
 * would become too large. */
bool region_add(EventRegion *region, int i);
bool region_add_neighbours(const EventSystem *whole, EventRegion *region);

/* Copies matrices, constants and state of the region's dofs from the whole system. */
void region_take(const EventSystem *whole, const EventMotion *motion, EventRegion *region);

/* Adds the dofs that M couples to those dofs of the region that slide. Returns false if the region would become too
 * large. */
bool region_add_coupled(const EventSystem *whole, const EventMotion *motion, EventRegion *region);

/* These functions subtract the force of neighbour number k on the region's dofs from segment.force of the region's
 * motion: region_pull the force of springs, region_push that of M, region_drag that of dampers. x: the neighbour's
 * series [order + 1] over segment.width. */
void region_pull(const EventSystem *whole, EventRegion *region, int k, int order, const double *x);
void region_push(const EventSystem *whole, EventRegion *region, int k, int order, const double *x);
void region_drag(const EventSystem *whole, EventRegion *region, int k, int order, const double *x);

#endif
