/* One instant of a segment, and what it leaves of each row of the equation: from the problem's own functions, not from the segment's
 * series of them. Of the segment only x, v and, of what sticks, lambda are taken, and v' as the slope of v. */
#ifndef SIM_EVENT_INSTANT_H
#define SIM_EVENT_INSTANT_H

#include "sim/event/event.h"

/* What acts at an instant besides x, v, v' of the segment. [d] each. */
typedef struct Acting {
  double *force;       /* f + B u, N */
  double *spring;      /* G'g(G x), N */
  double *spring_most; /* the largest g in it */
  double *x, *v, *a;   /* of (1): where surfaces move not those of the segment */
  double *speed;       /* of the surface, m/s */
  double *on_ground;   /* x of (1), whatever the equation is one of: that of springs with a law */
} Acting;

/* [d] each, but for the last. */
typedef struct Instant {
  double part, t; /* of the segment; s */
  double *x;      /* m */
  double *rate;   /* x', m/s */
  double *v;      /* m/s */
  double *a;      /* v', m/s^2 */
  double *hold;   /* c lambda of what sticks, or what holds it at an end, N; less the bias of thresholds */
  double *c;      /* half the sum of the thresholds of both directions, N */
  double *bias;   /* half their difference */
  double *left;   /* the sum of the row's terms, N: 0 of a motion that is right */
  double *most;   /* the largest of them */
  double *doubt;  /* what round-off may do to the sum; found where that is not small beside the largest term */
  Acting acts;
  double *course; /* [2d] room */
} Instant;

/* f + B u at t, [d] N. */
void instant_force(const EventSystem *system, const EventMotion *motion, const SimOriginals *originals, double t,
                   double *f);

/* Where `part` of the segment under way has passed. */
void instant_take(const EventSystem *system, const EventMotion *motion, double part, Instant *instant);

#endif
