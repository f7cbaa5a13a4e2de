/* Derivatives of a motion with regard to what it depends on, columns X = d(x, v)/dz.
 *
 * Between events they follow the variational equation (variation.h), by the same powers of time as the motion.
 * Where a sliding dof i comes to rest at tau, a- and a+ being v' before and after:
 *
 *     X_v+ = X_v- + (a- - a+) dtau,    dtau = -(row of v_i in X_v-)/a_i-
 *
 * Where x_i meets a stop at tau, with P what the impact makes of velocities (impact.h):
 *
 *     X_x+ = X_x- + (v- - v+) dtau,   X_v+ = P (X_v- + a- dtau) - a+ dtau,   dtau = -(row of x_i in X_x-)/v_i-
 *
 * Where one begins to slide, and at breaks of the force and the control, nothing jumps. */
#ifndef SIM_EVENT_TANGENT_H
#define SIM_EVENT_TANGENT_H

#include "sim/event/variation.h"

typedef struct EventTangent {
  SimSensitivity *columns; /* x, v at motion->at.t; borrowed */
  double *series;          /* v of a column under way [VARIATION_ORDER + 2][d]; owned, as the rest in one block */
  double *path;            /* x likewise, where springs have a law */
  double *stiffening;      /* h'(e) of these [POLYNOMIAL_ORDER + 1][3d]: spring_series.h */
  double *slope;           /* c gamma'(v) of a segment [POLYNOMIAL_ORDER + 1][d] */
  double *forcing;         /* dg/dz of a column, likewise, N */
  double *
      powers; /* [VARIATION_POWERS][POLYNOMIAL_ORDER + 1][d] of a segment, where a table's numbers are columns, else none */
  double *before;          /* [d] v' before an event */
  double *kept;            /* columns' x and v while others are shown */
  double *x, *v, *now, *r; /* [d] of a column under way */
} EventTangent;

/* SIM_OK, SIM_NO_MEMORY. */
SimStatus tangent_init(int d, SimSensitivity *columns, EventTangent *tangent);
void tangent_clear(EventTangent *tangent);

/* Over the first part of the segment under way, 0..1, and what x, v are there: state [2 d][columns]. The columns stay as they are. */
void tangent_show(const EventSystem *system, EventMotion *motion, EventTangent *tangent, double part, double *state);
/* To the end of the segment under way. */
void tangent_leave(const EventSystem *system, EventMotion *motion, EventTangent *tangent);
/* What jumps where the next one begins; slip: [d] as it was before. */
void tangent_enter(const EventSystem *system, EventMotion *motion, EventTangent *tangent, const signed char *slip);

#endif
