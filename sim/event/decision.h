/* Who begins to slide. */
#ifndef SIM_EVENT_DECISION_H
#define SIM_EVENT_DECISION_H

#include "sim/event/event.h"

/* How a dof takes part: slides; rests, and may go either way; may go one way alone; sticks. */
typedef enum Part { SLIDES, RESTS, ONE_WAY, STICKS } Part;

typedef struct Decision {
  signed char *part; /* [d] Part */
  signed char *way;  /* [d] of ONE_WAY: -1 or 1 */
} Decision;

/* motion->y: the minimum of y'H y/2 - b'y, H = system->form, and of friction of those that rest; b - H y in reaction, and doubt; with motion->b and size.
 * SIM_OK or SIM_NOT_CONVERGED. */
SimStatus decision_minimise(const EventSystem *system, EventMotion *motion, const Decision *decision);

/* segment.load of an order and, in motion->b, this less the friction of dofs that are known to slide, N; size. */
void decision_load(const EventSystem *system, EventMotion *motion, const Decision *decision, int order);

/* Of the dofs that rest (motion->rests), at motion->at.t, after expansion_begin: sets slip and rest_order. By the acceleration,
 * which is the unique minimum of
 *
 *     a'M a/2 - a'(load) + sum over resting i of c_i |a_i| + sum over sliding i of c_i slip_i a_i,
 *
 * and where that leaves a dof at its threshold without acceleration, by the next derivatives, likewise. A dof that these
 * leave open sticks, and counts as a graze. SIM_OK or SIM_NOT_CONVERGED. */
SimStatus decision_make(const EventSystem *system, EventMotion *motion);

#endif
