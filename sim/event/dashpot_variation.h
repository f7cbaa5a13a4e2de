/* How a dash-pot's motion depends on where it begins and on what drives it, X = d(x, v)/dz. With K the springs that act, N/m, and with R = V'(w),
 * less than 0 on a branch that falls, along a segment in its variable z, t' = dt/dz:
 *
 *     X_x' = t' X_v,    (m R/t') X_v' = R (dF - K X_x) - X_v;    of Coulomb's law m X_v' = t' (dF - K X_x)
 *
 * where it sticks or stays at a fold's speed X_v = 0, and between two branches, where q is a function of mu, X_v = q'(mu) (dF - K X_x). An event
 * at which E = 0 comes later by -dE/E', and, a- and a+ being v' before and after,
 *
 *     X_v+ = X_v - (a- - a+) dE/E'
 *
 * with v itself, or its distance from a fold's speed, from that of a tie, or mu's from a fold for E. All is linear in X and dF: a link. */
#ifndef SIM_EVENT_DASHPOT_VARIATION_H
#define SIM_EVENT_DASHPOT_VARIATION_H

#include "sim/event/dashpot.h"

/* X becomes map X + force dF; dF: of the force at the control's nodes `node` and `node` + 1, N. */
typedef struct DashpotLink {
  double map[2][2], force[2][2];
  long node;
  bool stops;  /* the mass comes to rest there */
  bool smooth; /* there are derivatives */
} DashpotLink;

/* What an event needs to know of the segment before it. */
typedef struct DashpotBefore {
  DashpotMode mode;
  DashpotCrossing crossing;
  long slip, branch;
  double a, w, mu; /* where it ends: v', m/s^2; N */
} DashpotBefore;

/* Over the first part of the segment under way, 0..1. */
DashpotLink dashpot_link_segment(const DashpotSystem *system, const DashpotMotion *motion, double part);
/* Of the segment under way, up to motion->part. */
DashpotBefore dashpot_before(const DashpotSystem *system, const DashpotMotion *motion);
/* Over the event where the segment under way begins. */
DashpotLink dashpot_link_event(const DashpotSystem *system, const DashpotMotion *motion, const DashpotBefore *before);

#endif
