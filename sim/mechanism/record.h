/* SPDX-License-Identifier: BSD-2-Clause */
/* The record of a mechanism's motion for adjoint sweeps: the linear maps of its pieces (map.h), and the jumps of
 * derivatives at events between segments. */
#ifndef SIM_MECHANISM_RECORD_H
#define SIM_MECHANISM_RECORD_H

#include "sim/core/adjoint.h"
#include "sim/event/event.h"

/* A piece of the motion. Its stored numbers are the linear map [2 d][n] of map.h. If coordinate i came to rest at the
 * start of the piece, they are preceded by the jumps of all accelerations divided by v'_i, [d]. */
typedef struct MechanismLeg {
  int node;           /* index of the control's segment */
  double place, pace; /* for a piecewise linear control: fraction of its segment at which the piece begins, 0..1, and 1
                       * over the segment's length, in 1/s */
  int stop;           /* coordinate that came to rest at the start of the piece, so that accelerations jump; -1: none */
  bool has_map;       /* whether the piece has a map; false if its length is 0 */
  size_t numbers;     /* offset of its values in MechanismRecord.numbers */
} MechanismLeg;

typedef struct MechanismRecord {
  SimAdjoint *adjoint;              /* borrowed */
  int d, n, n_forces, n_parameters; /* numbers of coordinates, of columns, and of columns for forces and for
                                     * parameters in each map; the parameters have the last columns */
  const int *force;                 /* [n_forces] coordinate on which each force acts; borrowed from the motion's map */
  MechanismLeg *legs;               /* [leg_room] pieces, of which leg_count are used; owned, as all arrays below */
  size_t leg_count, leg_room;
  signed char *marks; /* [mark_room] marks (record.c) of the coordinates, [d] for each piece */
  size_t mark_room;
  double *numbers;
  size_t number_count, number_room;
  MechanismLeg next;      /* event at the start of the next piece */
  double *before, *jump;  /* [d] accelerations before the event; [d] jump of the accelerations for `next` */
  signed char *stopped;   /* [d] marks of the coordinates that come to rest at the event */
  signed char *open;      /* [d] during the adjoint sweep, which goes backwards: whether it is still in the coordinate's
                           * last period of rest */
  double *state, *forces; /* scratch: [2 d][together] dJ/dq and dJ/dv; dJ by forces and by their rates */
} MechanismRecord;

/* Implements SimScheme.equip_adjoint. */
SimStatus mechanism_record_equip(const SimModel *model, SimAdjoint *adjoint);
/* Begins the record of a new motion. */
void mechanism_record_begin(MechanismRecord *record, const EventMotion *motion);
/* mechanism_record_leave records the end of a segment, at its fraction motion->part. mechanism_record_enter records the
 * start of the next segment; slip: [d] directions of slip before it. Both return SIM_OK or SIM_NO_MEMORY. */
SimStatus mechanism_record_leave(const EventSystem *system, EventMotion *motion, MechanismRecord *record);
SimStatus mechanism_record_enter(const EventSystem *system, EventMotion *motion, MechanismRecord *record,
                                 const signed char *slip);

#endif
