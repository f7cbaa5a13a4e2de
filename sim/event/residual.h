/* SPDX-License-Identifier: BSD-2-Clause */
/* Independent check of a motion (sim/residual.h): inserts each segment into the equation of motion, evaluated by the
 * problem's own functions, and compares x and v before and after events. */
#ifndef SIM_EVENT_RESIDUAL_H
#define SIM_EVENT_RESIDUAL_H

#include "sim/event/instant.h"

/* Kinds of residuals of a dof in a segment, and their units. */
enum {
  WORST_EQUATION,  /* N: residual of row i of the equation */
  WORST_THRESHOLD, /* N: friction force beyond its threshold */
  WORST_PATH,      /* m/s: difference of x_i' and v_i */
  WORST_BEYOND,    /* m: distance of x_i beyond a rigid stop */
  WORST_BACKWARD,  /* m/s: velocity opposite to the direction of slip, or velocity of a dof that sticks */
  EVENT_WORST
};

/* Data of the examination of one motion; owned by the motion. */
typedef struct EventResidual {
  const SimOriginals *originals; /* borrowed */
  /* [d] largest |f_i| over all times, in N; the rounding error of every piece is relative to it. Owned, in one memory
   * block with all arrays below. */
  double *most_force;
  double *x, *v;         /* [d] state at the end of the previous segment */
  double most_x, most_v; /* largest |x| and |v| in the previous segment, in m and m/s */
  double *jump;          /* [d] change of v at an event, in m/s */
  double *terms;         /* [d] largest term of row i of the equation of motion in a segment, in N */
  struct EventWorst {
    double *size, *when; /* [d] largest residual of each dof in a segment, and its time */
  } worst[EVENT_WORST];
  Instant at;
} EventResidual;

void residual_drop(EventMotion *motion);
/* Creates motion->residual, and destroys an earlier one. originals: the problem's functions; NULL: the motion is not
 * examined. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus residual_equip(const EventSystem *system, const SimOriginals *originals, EventMotion *motion);

/* Raises most [d] to upper bounds of the forces |f_i| over all their pieces, in N. */
void residual_find_forces(const SimProblem *problem, double *most);

/* Examines the current segment up to motion->part: raises motion->at.residual. */
void residual_examine(const EventSystem *system, EventMotion *motion);
/* Examines the jumps of x and v from the previous segment to the current one. */
void residual_enter(const EventSystem *system, EventMotion *motion);

/* Returns a pseudo-random value between 0 and 1 that depends only on t. A segment that starts at the time t, in s, is
 * tested at this fraction of its length, which is the same in each run of the program. */
double residual_anywhere(double t);

/* Replaces *largest by a residual of a dof at time t, in s, if this residual is larger. of: its kind. */
void residual_raise(SimResidual *largest, double residual, double t, int dof, SimResidualOf of);

#endif
