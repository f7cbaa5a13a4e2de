/* SPDX-License-Identifier: BSD-2-Clause */
/* Record of a motion for adjoint sweeps. J is the number that a sweep differentiates (adjoint.h). The record consists
 * of legs. A leg is a segment of the motion up to its end: from one event, or break of the force or the control, to the
 * next. A sweep passes a leg in pieces (adjoint.c). */
#ifndef SIM_EVENT_RECORD_H
#define SIM_EVENT_RECORD_H

#include "sim/core/adjoint.h"
#include "sim/event/variation.h"

/* Bits that describe a dof in a leg. LEG_SLIDES: the dof slides. */
enum {
  LEG_SLIDES = 1,
  LEG_PUSHED = 2,  /* an elastic stop pushes the dof */
  LEG_RESTS = 4,   /* the dof rests at a rigid stop */
  LEG_STOPPED = 8, /* the dof came to rest at the start of the leg */
  LEG_OWN = 16     /* the acceleration jumped at the start of the leg because this dof itself came to rest or
                    * reversed */
};

typedef struct EventLeg {
  double width;       /* length of the leg, in s */
  VariationRamp ramp; /* position of the leg in the control's segment, for piecewise linear controls */
  int node;           /* index of the control's segment */
  int order;          /* order of the leg's series */
  double pieces;      /* number of pieces into which a sweep divides the leg */
  int stop;           /* dof that came to rest at the start of the leg, so that accelerations jumped; -1: none */
  int struck;         /* dof that met a stop at the start of the leg; -1: none */
  int jump;           /* number of doubles that describe the jump at the start, if a dof came to rest or met a stop
                       * there */
  /* Offset of the leg's data in EventRecord.numbers. The data are, in this order, each only if needed:
   * - after a dof came to rest: jumps of accelerations [d], each divided by v' of the dof that caused it
   *   (variation_stop_of);
   * - after an impact: jump of x and v divided by the dof's speed [2 d], the impact's map [d][d], and its dv/dM_ii
   *   [d][d];
   * - with a law of gamma: series of c gamma' [order + 1][d];
   * - with spring laws: series of h' [order + 1][3d];
   * - for each entry of EventRecord.on: series of dg/dz [order + 1][d];
   * - for the entries of a table: variation_powers [VARIATION_POWERS][order + 1][d], and the current row of each dof
   *   [d]. */
  size_t numbers;
} EventLeg;

typedef struct EventRecord {
  const EventSystem *system; /* borrowed */
  SimAdjoint *adjoint; /* the adjoint to which this record belongs; it lists the quantities by which to differentiate;
                        * borrowed */
  EventLeg *legs;      /* [leg_room], of which leg_count are used; owned, as all arrays below */
  size_t leg_count, leg_room;
  signed char *marks; /* [mark_room] bits LEG_.. of each dof in each leg: [leg_count][d] */
  size_t mark_room;
  /* [d] during a sweep: whether a dof slides in the current leg (set), and whether the sweep, which goes backwards, is
   * still in the dof's last period of rest (open) */
  signed char *set, *open;
  double *numbers; /* [number_room] data of all legs */
  size_t number_count, number_room;
  SimDependence on[DEPENDENCES]; /* [wanted] kinds of quantities by which to differentiate: threshold c, mass M_ii,
                                  * damping D_ii or drop of friction beta */
  int wanted;
  /* [VARIATION_POWERS][d][width] integrals of r, the adjoint of the acceleration (adjoint.h), times powers of the speed
   * over the current leg; NULL: not needed */
  double *moments;
  /* [POLYNOMIAL_ORDER + 1][d] series of the slope c gamma'(v) of the friction law in the current leg, in a motion or a
   * sweep; in one memory block with all arrays below */
  double *slope;
  double *stiffening; /* series of the slopes h'(e) of springs with a law, [POLYNOMIAL_ORDER + 1][3d] */
  double *forcing; /* [POLYNOMIAL_ORDER + 1][d] series of dg/dz, the effect on the forces g of the quantity z by which
                       * J is differentiated (adjoint.h) */
  double *powers;  /* series of the powers of the speed (variation_powers) in the current leg, if `moments` are
                       * needed */
  /* [VARIATION_ORDER + 2][d][COLUMNS_TOGETHER] series of the adjoint r = M_SS^-1 q in a piece (adjoint.h), for some
   * columns */
  double *series;
  double *here, *next; /* [d][width] derivatives of J by B u in a piece, at the nodes of the control before and after
                        * it */
  double *before;      /* [d] v' before an event, in m/s^2 */
  /* [d][COLUMNS_TOGETHER] scratch of a piece; stiff is also used for the impact that is being recorded */
  double *stiff, *p, *q;
  EventInverses inverses; /* inverses (M_SS)^-1 for a sweep, like those of a motion */
} EventRecord;

/* Creates an empty record for an adjoint of a system. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus record_init(const EventSystem *system, SimAdjoint *adjoint, EventRecord *record);
void record_clear(EventRecord *record);

/* Starts the record of a new motion. */
void record_begin(EventRecord *record);
/* Begins the leg of the current segment. slip: [d] directions before the event at its start. Returns SIM_OK or
 * SIM_NO_MEMORY. */
SimStatus record_enter(EventMotion *motion, EventRecord *record, const signed char *slip);
/* Completes the leg of the current segment, which ends at motion->part. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus record_leave(EventMotion *motion, EventRecord *record);

#endif
