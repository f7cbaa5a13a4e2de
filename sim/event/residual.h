/* A second opinion on a motion (sim/residual.h): what a segment leaves of the equation, from the problem's own functions, and what an
 * event does to x and v. */
#ifndef SIM_EVENT_RESIDUAL_H
#define SIM_EVENT_RESIDUAL_H

#include "sim/event/event.h"

/* Of one motion. Owned by it. */
typedef struct EventResidual {
  const SimOriginals *originals;               /* borrowed */
  double most_force[EVENT_SIZE_MAX];           /* largest |f_i| of all pieces, N: they are as good as round-off of it */
  double x[EVENT_SIZE_MAX], v[EVENT_SIZE_MAX]; /* where the segment before has ended */
  double most_x, most_v;                       /* the farthest x, the fastest speed in it, m, m/s */
} EventResidual;

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
