/* Independent check of a motion (sim/residual.h): the residual of a segment in the equation, by the problem's own
 * functions, and the jumps of x and v at events. */
#ifndef SIM_EVENT_RESIDUAL_H
#define SIM_EVENT_RESIDUAL_H

#include "sim/event/instant.h"

/* Kinds of residuals of a dof in a segment, and their units. */
enum {
  WORST_EQUATION,  /* N: residual of row i of the equation */
  WORST_THRESHOLD, /* N: friction force beyond its threshold */
  WORST_PATH,      /* m/s: difference of x_i' and v_i */
  WORST_BEYOND,    /* m: distance of x_i beyond a rigid stop */
  WORST_BACKWARD,  /* m/s: velocity against the direction of slip, or velocity of a dof that sticks */
  EVENT_WORST
};

/* Data of the examination of one motion; owned by the motion. */
typedef struct EventResidual {
  const SimOriginals *originals; /* borrowed */
  /* [d] largest |f_i| of all pieces, N; all pieces have its rounding error. Owned, in one block with all below. */
  double *most_force;
  double *x, *v;         /* [d] state at the end of the segment before */
  double most_x, most_v; /* largest |x| and |v| in the segment before, m, m/s */
  double *jump;          /* [d] jump of v at an event, m/s */
  double *terms;         /* [d] largest term of row i of the equation in a segment, N */
  struct EventWorst {
    double *size, *when; /* [d] largest residual of each dof in a segment, and its time */
  } worst[EVENT_WORST];
  Instant at;
} EventResidual;

void residual_drop(EventMotion *motion);
/* Creates motion->residual, and destroys an earlier one. originals NULL: none. SIM_OK, SIM_NO_MEMORY. */
SimStatus residual_equip(const EventSystem *system, const SimOriginals *originals, EventMotion *motion);

/* Raises most [d] to upper bounds of |f_i| over all pieces, N. */
void residual_find_forces(const SimProblem *problem, double *most);

/* Examines the current segment up to motion->part: raises motion->at.residual. */
void residual_examine(const EventSystem *system, EventMotion *motion);
/* Examines the jumps of x and v from the last segment to the next, which has begun. */
void residual_enter(const EventSystem *system, EventMotion *motion);

/* Returns a pseudo-random number between 0 and 1 for a segment that starts at t, s; the same in each run. */
double residual_anywhere(double t);

/* Sets *largest to a residual, at time t, s, of a dof and of a kind, if this is larger. */
void residual_raise(SimResidual *largest, double residual, double t, int dof, SimResidualOf of);

#endif
