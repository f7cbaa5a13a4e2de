/* A run of SQP from one start: through motions with less friction first, where it begins by one, and from twice as much where something
 * that must move sticks. */
#ifndef CONTROL_TRAIL_H
#define CONTROL_TRAIL_H

#include "control/motion.h"
#include "control/sqp/sqp.h"

typedef struct CtlTrail {
  CtlSqp sqp;
  CtlMotion motion; /* by which it runs now */
  int doubled;      /* how often its start was, to make all move */
  bool again;       /* it has begun again at its best point */
} CtlTrail;

/* Begins at a control [n], by a motion; or at what a question about patterns (control/motion.h) of it is answered. The sqp has been initialised. */
void ctl_trail_begin(CtlTrail *trail, CtlMotion motion, const double *control);

/* The trial's outcome, as of ctl_sqp_tell. Where a motion with less friction has ended, it goes on by the next from there, or from
 * `given` [n]: then that control is the next trial. Returns whether there is a next trial. */
bool ctl_trail_tell(CtlTrail *trail, const double *given, const double *x, const double *v, const double *rows);

/* A run that has ended without meeting its targets begins again at the best point it had, [n], which nearly met them: to the point nearest to
 * that which does, and on by small steps. Returns false where it has done so before. */
bool ctl_trail_again(CtlTrail *trail, const double *best, bool box);

/* Whether an answer of cost J is less than the run will come to, as it goes on; near: it began near an answer. */
bool ctl_trail_loses(const CtlTrail *trail, bool near, double J);

/* To bytes, or from any bytes (bytes->bad). */
void ctl_trail_serialize(CtlTrail *trail, CtlBytes *bytes);

#endif
