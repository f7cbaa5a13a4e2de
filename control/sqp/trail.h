/* SPDX-License-Identifier: BSD-2-Clause */
/* A sequence of SQP runs from one initial control. If a run was made with reduced friction, the next one continues with
 * more friction. If a dof that must move sticks at the initial control, this control is doubled. */
#ifndef CONTROL_TRAIL_H
#define CONTROL_TRAIL_H

#include "control/motion.h"
#include "control/sqp/sqp.h"

typedef struct CtlTrail {
  CtlSqp sqp;
  CtlMotion motion; /* motion that the run simulates at present */
  int doubled;      /* number of times that the initial control has been doubled */
  bool again;       /* whether the run was restarted at its best point */
} CtlTrail;

/* Begins at a control [n] with a motion. For a pattern query (control/motion.h) it begins at the control that answers
 * the query. trail->sqp must be initialised. */
void ctl_trail_begin(CtlTrail *trail, CtlMotion motion, const double *control);

/* Accepts the outcome of the trial. Arguments are those of ctl_sqp_tell. When a run with reduced friction ends, the
 * next run starts at the point found or at `given` [n]; this point is then the next trial. Returns whether there is a
 * next trial. */
bool ctl_trail_tell(CtlTrail *trail, const double *given, const double *x, const double *v, const double *rows);

/* Restarts a run that ended near its targets, at its best point [n]. box: whether the restarted run proceeds as from
 * any initial point; otherwise its steps are made in boxes on the way to the nearest point that meets the targets
 * (CTL_SQP_CENTRE). Returns false if the run was restarted before. */
bool ctl_trail_again(CtlTrail *trail, const double *best, bool box);

/* Whether the effort J of another run's result is lower than what this run is expected to reach. near: whether this run
 * began near a result. */
bool ctl_trail_loses(const CtlTrail *trail, bool near, double J);

/* Writes or reads the state. Reading accepts any bytes and sets bytes->bad for invalid ones. */
void ctl_trail_serialize(CtlTrail *trail, CtlBytes *bytes);

#endif
