/* Independent check of a motion (sim/residual.h): the residual of a segment in the equation, by the problem's own
 * functions, and the jumps of x and v at events. */
#ifndef SIM_EVENT_RESIDUAL_H
#define SIM_EVENT_RESIDUAL_H

#include "sim/event/instant.h"

/* Kinds of residuals of a dof in a segment. */
enum {
  WORST_EQUATION,  /* N: residual of the row */
  WORST_THRESHOLD, /* N: friction beyond its threshold */
  WORST_PATH,      /* m/s: x' - v */
  WORST_BEYOND,    /* m: x past a rigid stop */
  WORST_BACKWARD,  /* m/s: v against its friction */
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
  double *terms;         /* [d] largest term of a row in a segment, N */
  struct EventWorst {
    double *size, *when; /* [d] largest residual of each dof in a segment, and its time */
  } worst[EVENT_WORST];
  Instant at;
} EventResidual;

void residual_drop(EventMotion *motion);
/* Replaces motion->residual. SIM_OK, SIM_NO_MEMORY. */
SimStatus residual_equip(const EventSystem *system, const SimOriginals *originals, EventMotion *motion);

/* Raises most [d] to upper bounds of |f_i| over all pieces, N. */
void residual_find_forces(const SimProblem *problem, double *most);

/* Examines the current segment up to motion->part: raises motion->at.residual. */
void residual_examine(const EventSystem *system, EventMotion *motion);
/* Examines the transition to the next segment, which has begun. */
void residual_enter(const EventSystem *system, EventMotion *motion);

/* Returns a pseudo-random number between 0 and 1 for a segment that starts at t, s; the same in each run. */
double residual_anywhere(double t);

/* Sets *largest to another residual if that is larger. */
void residual_raise(SimResidual *largest, double residual, double t, int dof, SimResidualOf of);

#endif
