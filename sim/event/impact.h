/* SPDX-License-Identifier: BSD-2-Clause */
/* Rigid stops (sim/joint/stops.h) in a motion by events. An end is the position of a stop, side_i is 1 at an upper and
 * -1 at a lower stop, and e_i is the coefficient of restitution. When x_i reaches an end with velocity v_i, the
 * velocities v jump to the v+ that minimizes
 *
 *   (v+ - v)'M (v+ - v)/2 with -side_i v+_i >= e_i max(side_i v_i, 0)
 *
 * for each dof that reaches an end or rests at one. Ever smaller bounces end in a finite time after infinitely many of
 * them. They are ended early if the rebound speed is below the tolerance, relative to the largest speed so far, or
 * would not change x by one bit. The remaining bounces would take the time 2 e |v|/((1-e) a), if the dof is pressed to
 * the end with acceleration a. This time is neglected, and the dof rests at the end. */
#ifndef SIM_EVENT_IMPACT_H
#define SIM_EVENT_IMPACT_H

#include "sim/event/event.h"

/* Computes the impact of the dofs in motion->meets at motion->at: sets v, slip, contact, the dofs at rest for a
 * decision, and motion->impact. Returns SIM_OK or SIM_NOT_CONVERGED. */
SimStatus impact_make(const EventSystem *system, EventMotion *motion);

/* Whether dof i reached a stop with nonzero speed in the last impact, and the stop held it. */
static inline bool impact_strikes(const EventMotion *motion, int i) {
  return motion->impact.many > 0 && motion->meets[i] && motion->impact.held[i] &&
         motion->meets[i] * motion->impact.before[i] > 0;
}

/* Applies the linear map of the impact, from velocities before it to those after it, to a derivative v [d] of
 * velocities. */
void impact_map(const EventSystem *system, EventMotion *motion, double *v);

/* Subtracts from v [d] the velocities (M_FF)^-1 impulse_F of the dofs F that no stop holds. impulse: [d], in kg m/s. */
void impact_yield(const EventSystem *system, EventMotion *motion, const double *impulse, double *v);

/* Adds the derivative by M_ii of the velocities v+ after the impact to v [d]. */
void impact_add_mass(const EventSystem *system, EventMotion *motion, int i, double *v);

/* Switches elastic stops on or off for the dofs that reach or leave them at motion->at (motion->meets), and clears
 * these marks. */
void impact_turn_springs(const EventSystem *system, EventMotion *motion);

/* Divides the load on each dof that rests at a stop between friction and the stop, at the positions x [d]. threshold:
 * thresholds at this time, load: loads in N; [d] each. Before the call lambda [d] is load/threshold; for dofs at a stop
 * the function replaces it by the part of the load that friction bears, divided by the threshold. reaction [d]: force
 * of the stop, in N; 0 for other dofs. */
void impact_show(const EventSystem *system, const EventMotion *motion, const double *x, const double *threshold,
                 const double *load, double *lambda, double *reaction);

#endif
