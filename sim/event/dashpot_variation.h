/* Derivatives X = d(x, v)/dz of a dash-pot's motion by its start and its force. Let K be the springs that act, N/m, and
 * R = V'(w), negative on a falling branch. Along a segment in its variable z, with t' = dt/dz:
 *
 *     X_x' = t' X_v,    (m R/t') X_v' = R (dF - K X_x) - X_v;    for Coulomb's law m X_v' = t' (dF - K X_x)
 *
 * If it sticks or stays at a fold's speed, X_v = 0. Between two branches q is a function of mu, and X_v = q'(mu) (dF -
 * K X_x). An event at which E = 0 is later by -dE/E'; with v' = a- before and a+ after,
 *
 *     X_v+ = X_v - (a- - a+) dE/E'
 *
 * E is v itself, its distance from the speed of a fold or of a tie, or the distance of mu from a fold. All this is
 * linear in X and dF: a link. */
#ifndef SIM_EVENT_DASHPOT_VARIATION_H
#define SIM_EVENT_DASHPOT_VARIATION_H

#include "sim/event/dashpot.h"

/* Maps X to map X + force dF. dF: derivatives of the force at the control's nodes `node` and `node` + 1, N. */
typedef struct DashpotLink {
  double map[2][2], force[2][2];
  long node;
  bool stops;  /* the mass comes to rest at the event */
  bool smooth; /* the derivatives exist */
} DashpotLink;

/* Data of the segment before an event. */
typedef struct DashpotBefore {
  DashpotMode mode;
  DashpotCrossing crossing;
  long slip, branch;
  double a, w, mu; /* at its end: v', m/s^2; w and mu, N */
} DashpotBefore;

/* Link over the first part, 0..1, of the current segment. */
DashpotLink dashpot_link_segment(const DashpotSystem *system, const DashpotMotion *motion, double part);
/* Data of the current segment up to motion->part. */
DashpotBefore dashpot_before(const DashpotSystem *system, const DashpotMotion *motion);
/* Link over the event at the start of the current segment. */
DashpotLink dashpot_link_event(const DashpotSystem *system, const DashpotMotion *motion, const DashpotBefore *before);

#endif
