/* SPDX-License-Identifier: BSD-2-Clause */
/* Derivatives X = d(x, v)/dz of a dash-pot's motion by its initial state and its force. Let K be the stiffness of the
 * springs that act, in N/m, and R = V'(w), negative on a branch with decreasing V. dF is the derivative of the force.
 * Along a segment, X' is the derivative by its variable z, and t' = dt/dz:
 *
 *   X_x' = t' X_v, (m R/t') X_v' = R (dF - K X_x) - X_v; for Coulomb's law m X_v' = t' (dF - K X_x)
 *
 * If the mass sticks or stays at the speed of a fold (extremum of V), X_v = 0. Between two branches q is a function of
 * mu, and X_v = q'(mu) (dF - K X_x). An event is a zero of a quantity E along the motion. A change dE shifts the
 * event's time by -dE/E'. With v' = a- before the event and a+ after it,
 *
 *   X_v+ = X_v - (a- - a+) dE/E'
 *
 * E is v itself, or the difference between v and the speed of a fold or of two equally near branches, or the difference
 * between mu and the w of a fold. Each segment and each event maps X and dF linearly. Such a map is called a link. */
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

/* Data at the end of the segment before an event. */
typedef struct DashpotBefore {
  DashpotMode mode;
  DashpotCrossing crossing;
  long slip, branch;
  double a, w, mu; /* values at the segment's end: acceleration a in m/s^2; force w of the law and load mu, in N
                    * (dashpot.h) */
} DashpotBefore;

/* Returns the link over the current segment from its start to the fraction `part`. */
DashpotLink dashpot_link_segment(const DashpotSystem *system, const DashpotMotion *motion, double part);
/* Returns the data of the current segment at its event, which is at motion->part. */
DashpotBefore dashpot_before(const DashpotSystem *system, const DashpotMotion *motion);
/* Returns the link over the event at the start of the current segment. before: data of the segment before it. */
DashpotLink dashpot_link_event(const DashpotSystem *system, const DashpotMotion *motion, const DashpotBefore *before);

#endif
