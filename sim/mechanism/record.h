/* The record of a mechanism's motion for adjoint sweeps: the maps of its pieces (map.h), and the jumps between segments. */
#ifndef SIM_MECHANISM_RECORD_H
#define SIM_MECHANISM_RECORD_H

#include "sim/core/adjoint.h"
#include "sim/event/event.h"

/* A piece. With a stop at its start, numbers begin with the jump of accelerations over v' of that coordinate [d]; then comes the map
 * [2 d][n]. */
typedef struct MechanismLeg {
  int node;           /* segment of the control */
  double place, pace; /* where in this segment the piece begins, 0..1, and 1/s: of a piecewise linear control */
  int stop;           /* coordinate that came to rest at the start, so that accelerations jump; -1: none */
  bool has_map;       /* false: a segment without length */
  size_t numbers;     /* offset in MechanismRecord.numbers */
} MechanismLeg;

typedef struct MechanismRecord {
  SimAdjoint *adjoint;              /* borrowed */
  int d, n, n_forces, n_parameters; /* of the map; parameters are its last columns */
  const int *force;                 /* [n_forces], of the motion's map; borrowed */
  MechanismLeg *legs;               /* [leg_room], of which leg_count are filled; owned, as all below */
  size_t leg_count, leg_room;
  signed char *marks; /* [mark_room] of each leg [d] */
  size_t mark_room;
  double *numbers;
  size_t number_count, number_room;
  MechanismLeg next;      /* what the next piece begins with */
  double *before, *jump;  /* [d] v' before the event; the jump of `next` */
  signed char *stopped;   /* [d] which come to rest there */
  signed char *open;      /* [d] in a sweep: whether the last stop is still ahead */
  double *state, *forces; /* [2 d][together] */
} MechanismRecord;

/* SimScheme.equip_adjoint. */
SimStatus mechanism_record_equip(const SimModel *model, SimAdjoint *adjoint);
/* Starts the record of a new motion. */
void mechanism_record_begin(MechanismRecord *record, const EventMotion *motion);
/* Records the end of a segment, at motion->part, and the start of the next one; slip: [d] before it. SIM_OK, SIM_NO_MEMORY. */
SimStatus mechanism_record_leave(const EventSystem *system, EventMotion *motion, MechanismRecord *record);
SimStatus mechanism_record_enter(const EventSystem *system, EventMotion *motion, MechanismRecord *record,
                                 const signed char *slip);

#endif
