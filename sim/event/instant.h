/* Residual of each row of the equation at one instant of a segment, by the problem's own functions instead of the
 * segment's series. It uses only x, v and, for dofs that stick, lambda of the segment, and v' as the derivative of
 * v. */
#ifndef SIM_EVENT_INSTANT_H
#define SIM_EVENT_INSTANT_H

#include "sim/event/event.h"

/* Forces at an instant, and the state of (1). [d] each. */
typedef struct Acting {
  double *force;       /* f + B u, N */
  double *spring;      /* G'g(G x), N */
  double *spring_most; /* largest g among its terms */
  double *x, *v, *a;   /* state of (1); differs from the segment's with moving surfaces */
  double *speed;       /* speed of the surface, m/s */
  double *on_ground;   /* x of (1) for springs with a law */
} Acting;

/* An instant. [d] each, except the last. */
typedef struct Instant {
  double part, t; /* fraction of the segment; time, s */
  double *x;      /* m */
  double *rate;   /* x', m/s */
  double *v;      /* m/s */
  double *a;      /* v', m/s^2 */
  /* load c lambda of dofs that stick, or the force by which a stop holds a dof, N; minus the bias of thresholds */
  double *hold;
  double *c;     /* half the sum of the thresholds of both directions, N */
  double *bias;  /* half their difference */
  double *left;  /* sum of the row's terms, N; 0 for an exact motion */
  double *most;  /* the largest of them */
  double *doubt; /* rounding error of the sum; computed if it is not small relative to the largest term */
  Acting acts;
  double *course; /* [2d] scratch */
} Instant;

/* Computes f + B u at t, [d] N. */
void instant_force(const EventSystem *system, const EventMotion *motion, const SimOriginals *originals, double t,
                   double *f);

/* Evaluates the instant at fraction `part` of the current segment. */
void instant_take(const EventSystem *system, const EventMotion *motion, double part, Instant *instant);

#endif
