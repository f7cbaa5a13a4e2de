/* One instant of a segment, and what it leaves of each row of the equation: from the problem's own functions, not from the segment's
 * series of them. Of the segment only x, v and, of what sticks, lambda are taken, and v' as the slope of v. */
#ifndef SIM_EVENT_INSTANT_H
#define SIM_EVENT_INSTANT_H

#include "sim/event/residual.h"

/* [d] each. */
typedef struct Instant {
  double part, t;              /* of the segment; s */
  double x[EVENT_SIZE_MAX];    /* m */
  double rate[EVENT_SIZE_MAX]; /* x', m/s */
  double v[EVENT_SIZE_MAX];    /* m/s */
  double a[EVENT_SIZE_MAX];    /* v', m/s^2 */
  double hold[EVENT_SIZE_MAX]; /* c lambda of what sticks, or what holds it at an end, N; less the bias of thresholds */
  double c[EVENT_SIZE_MAX];    /* half the sum of the thresholds of both directions, N */
  double bias[EVENT_SIZE_MAX]; /* half their difference */
  double left[EVENT_SIZE_MAX]; /* the sum of the row's terms, N: 0 of a motion that is right */
  double most[EVENT_SIZE_MAX]; /* the largest of them */
  double doubt
      [EVENT_SIZE_MAX]; /* what round-off may do to the sum; found where that is not small beside the largest term */
} Instant;

/* f + B u at t, [d] N. */
void instant_force(const EventSystem *system, const EventMotion *motion, const SimOriginals *originals, double t,
                   double *f);

/* Where `part` of the segment under way has passed. */
void instant_take(const EventSystem *system, const EventMotion *motion, double part, Instant *instant);

#endif
