/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes the residual of each row of equation (1) of sim/sim.h at one time of a segment, by the problem's own
 * functions instead of the segment's series. From the segment it uses only x, v, lambda of dofs that stick, and v' as
 * the derivative of v. */
#ifndef SIM_EVENT_INSTANT_H
#define SIM_EVENT_INSTANT_H

#include "sim/event/event.h"

/* Forces that act at one time, and the state x, x', x'' of equation (1) in sim/sim.h. Arrays are [d]. */
typedef struct Acting {
  double *force;       /* f + B u in N */
  double *spring;      /* G'g(G x), the forces of springs with a law g of the elongations G x, in N */
  double *spring_most; /* largest |term| in the sum `spring`, in N */
  double *x, *v, *a;   /* position x, velocity x' and acceleration x''; with moving surfaces they differ from those
                        * of the segment */
  double *speed;       /* speed of the surface, in m/s */
  double *on_ground;   /* position relative to the ground, at which springs with a law are evaluated */
} Acting;

/* Data at one time. Arrays are [d], except the last. */
typedef struct Instant {
  double part, t; /* part: fraction of the segment; t: time in s */
  double *x;      /* positions of the segment, in m */
  double *rate;   /* derivative x' of these positions, in m/s */
  double *v;      /* velocities of the segment, in m/s */
  double *a;      /* derivative v' of these velocities, in m/s^2 */
  /* force c lambda that holds a sticking dof, or force by which a stop holds a dof, in N; both without the bias of
   * thresholds */
  double *hold;
  double *c;     /* half the sum of the thresholds of both directions, in N */
  double *bias;  /* half the difference of the thresholds of both directions, in N */
  double *left;  /* residual: sum of all terms of row i of the equation of motion, in N; 0 for the exact motion */
  double *most;  /* magnitude of the largest term of row i, in N */
  double *doubt; /* rounding error of `left`; computed completely only if `left` is not small relative to `most` */
  Acting acts;
  double *course; /* [2d] scratch */
} Instant;

/* Computes f + B u at time t, [d] N. */
void instant_force(const EventSystem *system, const EventMotion *motion, const SimOriginals *originals, double t,
                   double *f);

/* Evaluates all members of *instant at the fraction `part` of the current segment. */
void instant_take(const EventSystem *system, const EventMotion *motion, double part, Instant *instant);

#endif
