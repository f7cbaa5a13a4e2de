/* Rigid stops (sim/joint/stops.h) in the motion itself. Where x_i meets an end at v_i, velocities jump to those of least
 *
 *     (v+ - v)'M (v+ - v)/2,    -side_i v+_i >= e_i max(side_i v_i, 0) of who meets an end or rests at one
 *
 * Bounces that become smaller come to their end in a finite time, after infinitely many of them. Where what comes back is less than
 * the motion's tolerance, as a part of the largest speed so far, or would not move x by one bit, that end is taken to have come: the rest of the bounces, a time of
 * 2 e |v|/((1-e) a) if it is pressed to the end with the acceleration a, is left out, and it rests there. */
#ifndef SIM_EVENT_IMPACT_H
#define SIM_EVENT_IMPACT_H

#include "sim/event/event.h"

/* At motion->at, of motion->meets: v, slip, contact, and who rests, for a decision; motion->impact. SIM_OK, SIM_NOT_CONVERGED. */
SimStatus impact_make(const EventSystem *system, EventMotion *motion);

/* Whether dof i has come to an end in the impact just made, at a speed, and that has held it. */
static inline bool impact_strikes(const EventMotion *motion, int i) {
  return motion->impact.many > 0 && motion->meets[i] && motion->impact.held[i] &&
         motion->meets[i] * motion->impact.before[i] > 0;
}

/* What an impact makes of a velocity v [d], a derivative as it is linear. */
void impact_map(const EventSystem *system, EventMotion *motion, double *v);

/* The derivative of v+ with regard to M_ii is added to v [d]. */
void impact_add_mass(const EventSystem *system, EventMotion *motion, int i, double *v);

/* Dofs that come to an elastic end, or leave one, at motion->at (motion->meets), which are then forgotten. */
void impact_turn_springs(const EventSystem *system, EventMotion *motion);

/* At x [d], with the thresholds of the instant and the load on each dof that rests, N, [d] each: lambda [d] enters as load over threshold, and is of dofs that rest at an end friction's share;
 * reaction [d], that of the end, N; 0 of others. */
void impact_show(const EventSystem *system, const EventMotion *motion, const double *x, const double *threshold,
                 const double *load, double *lambda, double *reaction);

#endif
