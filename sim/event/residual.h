/* A second opinion on a motion (sim/residual.h): what a segment leaves of the equation, from the problem's own functions, and what an
 * event does to x and v. */
#ifndef SIM_EVENT_RESIDUAL_H
#define SIM_EVENT_RESIDUAL_H

#include "sim/event/instant.h"

/* What may be wrong of a dof in a segment. */
enum {
  WORST_EQUATION,  /* N: what is left of the row */
  WORST_THRESHOLD, /* N: friction beyond its threshold */
  WORST_PATH,      /* m/s: x' less v */
  WORST_BEYOND,    /* m: x past a rigid stop */
  WORST_BACKWARD,  /* m/s: v against its friction */
  EVENT_WORST
};

/* Of one motion. Owned by it. */
typedef struct EventResidual {
  const SimOriginals *originals; /* borrowed */
  double *
      most_force; /* [d] largest |f_i| of all pieces, N: they are as good as round-off of it; owned, in one block with all below */
  double *x, *v;         /* [d] where the segment before has ended */
  double most_x, most_v; /* the farthest x, the fastest speed in it, m, m/s */
  double *jump;          /* [d] of v at an event, m/s */
  double *terms;         /* [d] the largest of a row in a segment, N */
  struct EventWorst {
    double *size, *when; /* [d] what is the worst of each dof in a segment, and when */
  } worst[EVENT_WORST];
  Instant at;
} EventResidual;

void residual_drop(EventMotion *motion);
/* Replaces what motion->residual has. SIM_OK, SIM_NO_MEMORY. */
SimStatus residual_equip(const EventSystem *system, const SimOriginals *originals, EventMotion *motion);

/* The largest |f_i| of all pieces, from above, [d] N. */
void residual_find_forces(const SimProblem *problem, double *most);

/* The segment under way, up to motion->part: raises motion->at.residual. */
void residual_examine(const EventSystem *system, EventMotion *motion);
/* The next one has begun. */
void residual_enter(const EventSystem *system, EventMotion *motion);

/* A place between 0 and 1, another one of each segment, the same of each run. t: where it begins, s. */
double residual_anywhere(double t);

/* Raises *largest to another residual. */
void residual_raise(SimResidual *largest, double residual, double t, int dof, SimResidualOf of);

#endif
