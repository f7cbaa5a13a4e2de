/* What a way back along a motion needs to know of it: its legs, each from one event, or break of the force or the control, to the
 * next. */
#ifndef SIM_EVENT_RECORD_H
#define SIM_EVENT_RECORD_H

#include "sim/core/adjoint.h"
#include "sim/event/variation.h"

/* What a dof does in a leg: marks of a set. */
enum {
  LEG_SLIDES = 1,
  LEG_PUSHED = 2, /* by an elastic end */
  LEG_RESTS = 4,  /* at an end */
  LEG_STOPPED = 8 /* it came to rest where the leg begins */
};

typedef struct EventLeg {
  double width;       /* s */
  VariationRamp ramp; /* of a piecewise linear control */
  int node;           /* the control's segment */
  int order;          /* of the series below */
  double pieces;      /* in which it is gone through */
  int stop;           /* whose stop there has made accelerations jump; -1: nobody's */
  int struck;         /* who meets an end there; -1: nobody */
  int jump;           /* of its own numbers, those of stop or struck */
  size_t numbers; /* where in EventRecord.numbers its own are: the jump over v' of who stops [d], or of who is struck
                         * that of x and v over its speed [2 d], the impact's map [d][d] and its dv/dM_ii [d][d]; c gamma' as a series
                         * [order + 1][d] where there is a law, h' of springs that have one [order + 1][3d], dg/dz likewise for each of EventRecord.on;
                         * of a table's numbers variation_powers [VARIATION_POWERS][order + 1][d], and the row that holds [d] */
} EventLeg;

typedef struct EventRecord {
  const EventSystem *system; /* borrowed */
  SimAdjoint *adjoint;       /* who keeps it: what is wanted, stops; borrowed */
  EventLeg *legs;            /* [leg_room], of which leg_count are filled; owned, as all below */
  size_t leg_count, leg_room;
  signed char *marks; /* [mark_room] LEG_.. of each leg's dofs: [leg_count][d] */
  size_t mark_room;
  signed char *set, *open; /* [d] of a sweep: whether it slides in a leg; whether its last stop has not been met */
  double *numbers;         /* [number_room] */
  size_t number_count, number_room;
  SimDependence on[DEPENDENCES]; /* what is wanted besides control, x0, v0 */
  int wanted;
  double *
      moments; /* [VARIATION_POWERS][d][width] of a sweep and a leg: what variation_powers gives to J; NULL: no table's numbers are wanted */
  double *slope; /* [POLYNOMIAL_ORDER + 1][d] a series of the leg under way; of a sweep; in one block with the next */
  double *stiffening;  /* likewise h'(e) of springs that have a law [POLYNOMIAL_ORDER + 1][3d] */
  double *forcing;     /* as slope */
  double *powers;      /* of a leg under way, where moments are wanted */
  double *series;      /* [VARIATION_ORDER + 2][d][COLUMNS_TOGETHER] M_SS^-1 q of a piece, of some columns; adjoint.c */
  double *here, *next; /* [d][width] what B u of a piece gives to J, by the nodes before and behind it */
  double *before;      /* [d] v' before an event */
  double *stiff, *p, *q;  /* [d][COLUMNS_TOGETHER] of a piece; the first also of an impact that is recorded */
  EventInverses inverses; /* of a sweep; as those of a motion */
} EventRecord;

/* SIM_OK, SIM_NO_MEMORY. */
SimStatus record_init(const EventSystem *system, SimAdjoint *adjoint, EventRecord *record);
void record_clear(EventRecord *record);

/* A new motion begins. */
void record_begin(EventRecord *record);
/* A segment begins; slip: [d] as it was before. SIM_OK, SIM_NO_MEMORY. */
SimStatus record_enter(EventMotion *motion, EventRecord *record, const signed char *slip);
/* It ends where motion->part says. SIM_OK, SIM_NO_MEMORY. */
SimStatus record_leave(EventMotion *motion, EventRecord *record);

#endif
