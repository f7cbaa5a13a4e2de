/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides which dofs slide after an event. */
#ifndef SIM_EVENT_DECISION_H
#define SIM_EVENT_DECISION_H

#include "sim/event/event.h"

enum { DECISION_DERIVATIVES = 6 /* highest derivative of the acceleration that is used for a decision */ };

/* Role of a dof in a decision. SLIDES: the dof slides. RESTS: the dof rests and may begin to slide in either direction.
 * ONE_WAY: the dof may begin to slide in one direction only. STICKS: the dof sticks. */
typedef enum Part { SLIDES, RESTS, ONE_WAY, STICKS } Part;

typedef struct Decision {
  signed char *part; /* [d] role of each dof, a value of Part */
  signed char *way;  /* [d] direction in which a dof with the role ONE_WAY may begin to slide: -1 or 1 */
} Decision;

/* Computes motion->y, the minimizer of y'H y/2 - b'y plus c_i |y_i| for the dofs at rest, with H = system->form and b =
 * motion->b. Sets motion->reaction to b - H y, the force of friction on dofs at rest, and motion->doubt to its rounding
 * error, which follows from motion->size (doubt.h). Returns SIM_OK or SIM_NOT_CONVERGED. */
SimStatus decision_minimise(const EventSystem *system, EventMotion *motion, const Decision *decision);

/* Computes coefficient `order` of the time series segment.load, all forces except c_i lambda_i, in N. Sets
 * motion->b to this coefficient minus the friction of dofs that certainly slide. Raises motion->size, from which the
 * rounding error follows (doubt.h). */
void decision_load(const EventSystem *system, EventMotion *motion, const Decision *decision, int order);

/* Decides which of the dofs at rest (motion->rests) at motion->at.t slide: sets slip and rest_order. Call it after
 * expansion_begin. The acceleration is the unique minimizer of
 *
 *   a'M a/2 - a'(load) + sum over dofs i at rest of c_i |a_i| + sum over sliding dofs i of c_i slip_i a_i.
 *
 * If a dof is at its threshold and its acceleration is 0, the same problem for the next derivatives decides. A dof that
 * remains undecided sticks, and counts as a graze (SimFinal.grazes). Returns SIM_OK or SIM_NOT_CONVERGED. */
SimStatus decision_make(const EventSystem *system, EventMotion *motion);

#endif
