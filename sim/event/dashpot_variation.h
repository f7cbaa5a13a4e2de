/* SPDX-License-Identifier: BSD-2-Clause */
/* Derivatives X = d(x, v)/dz of a dash-pot's motion by its start and its force. Let K be the springs that act, in N/m,
 * and R = V'(w), negative on a falling branch. Along a segment, X' is the derivative by its variable z, and t' = dt/dz:
 *
 *     X_x' = t' X_v,    (m R/t') X_v' = R (dF - K X_x) - X_v;    for Coulomb's law m X_v' = t' (dF - K X_x)
 *
 * If the mass sticks or stays at the speed of a fold, X_v = 0. Between two branches q is a function of mu, and X_v =
 * q'(mu) (dF - K X_x). An event is a zero of a quantity E along the motion. A change dE shifts the event's time by
 * -dE/E'. With v' = a- before the event and a+ after it,
 *
 *     X_v+ = X_v - (a- - a+) dE/E'
 *
 * E is v itself, or the distance of v from the speed of a fold or of a tie, or the distance of mu from the w of a fold.
 * Each segment and each event maps X and dF linearly. Such a map is called a link. */
#ifndef SIM_EVENT_DASHPOT_VARIATION_H
#define SIM_EVENT_DASHPOT_VARIATION_H

#include "sim/event/dashpot.h"

/* A link maps X to map X + force dF. dF [2]: derivatives of the force, in N, at the control's nodes `node` and `node` +
 * 1. */
typedef struct DashpotLink {
  double map[2][2], force[2][2];
  long node;
  bool stops;  /* whether the mass comes to rest at the event */
  bool smooth; /* whether the derivatives exist */
} DashpotLink;

/* Data of the segment before an event. */
typedef struct DashpotBefore {
  DashpotMode mode;
  DashpotCrossing crossing;
  long slip, branch;
  double a, w, mu; /* values at the segment's end: acceleration a in m/s^2; force w of the law and load mu, in N
                    * (dashpot.h) */
} DashpotBefore;

/* Returns the link over the first part, a fraction 0..1, of the current segment. */
DashpotLink dashpot_link_segment(const DashpotSystem *system, const DashpotMotion *motion, double part);
/* Returns the data of the current segment at its event, which is at motion->part. */
DashpotBefore dashpot_before(const DashpotSystem *system, const DashpotMotion *motion);
/* Returns the link over the event at the start of the current segment. before: data of the segment before it. */
DashpotLink dashpot_link_event(const DashpotSystem *system, const DashpotMotion *motion, const DashpotBefore *before);

#endif
