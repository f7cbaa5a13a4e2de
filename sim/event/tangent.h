/* SPDX-License-Identifier: BSD-2-Clause */
/* Forward derivatives of a motion, columns X = d(x, v)/dz.
 *
 * Between events they satisfy the variational equation (variation.h), and are series in the same powers of time as the
 * motion. When a sliding dof i comes to rest at tau, with v' = a- before and a+ after:
 *
 *   X_v+ = X_v- + (a- - a+) dtau, dtau = -(row of v_i in X_v-)/a_i-
 *
 * When x_i reaches a stop at tau, with P the linear map of the impact (impact.h):
 *
 *   X_x+ = X_x- + (v- - v+) dtau, X_v+ = P (X_v- + a- dtau) - a+ dtau, dtau = -(row of x_i in X_x-)/v_i-
 *
 * When a dof begins to slide, and at breaks of the force and the control, nothing jumps. Columns are derivatives at
 * fixed time since the start t_k of the current segment k of the control. At the end of this segment, of length h_k,
 *
 *   X_x+ = X_x- + v dh_k, X_v+ = X_v- + a- dh_k
 *
 * f depends on t itself; relative to the start of the segment, its jump is earlier by dt_k: X_v+ = X_v- - (a- - a+)
 * dt_k. */
#ifndef SIM_EVENT_TANGENT_H
#define SIM_EVENT_TANGENT_H

#include "sim/event/variation.h"

typedef struct EventTangent {
  SimSensitivity *columns; /* the columns: derivatives of x and v at motion->at.t; borrowed */
  /* [VARIATION_ORDER + 2][d] series of the derivatives of v in the current column; owned, in one block with all arrays
   * below */
  double *series;
  double *path;       /* series of the derivatives of x in the current column, in the same form, if springs have a
                       * nonlinear law */
  double *stiffening; /* series of the slopes h'(e) of springs with a law, [POLYNOMIAL_ORDER + 1][3d]
                       * (spring_series.h) */
  double *slope;      /* series of the slopes c gamma'(v) of the friction law in a segment, [POLYNOMIAL_ORDER + 1][d] */
  double *forcing;    /* series of dg/dz of the current column, in N, [POLYNOMIAL_ORDER + 1][d] */
  /* [VARIATION_POWERS][POLYNOMIAL_ORDER + 1][d] variation_powers of a segment, if columns differentiate by entries of a
   * friction table; otherwise not allocated */
  double *powers;
  bool breaks;    /* whether the event at the end of the last segment is a break of the force f inside a segment of
                   * the control */
  bool timed;     /* whether any column differentiates by T or by the length of a segment */
  double *before; /* [d] v' just before an event, in m/s^2 */
  double *kept;   /* copy of the columns' x and v, from which they are restored after tangent_show has overwritten
                   * them */
  double *x, *v, *now, *r; /* [d] scratch for the current column */
} EventTangent;

/* Creates the data for the forward derivatives `columns` of a motion of d dofs. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus tangent_init(int d, SimSensitivity *columns, EventTangent *tangent);
void tangent_clear(EventTangent *tangent);

/* Computes the columns at the fraction `part` of the current segment: state [2 d][columns], without changing them. */
void tangent_show(const EventSystem *system, EventMotion *motion, EventTangent *tangent, double part, double *state);
/* Advances the columns to the end of the current segment. */
void tangent_leave(const EventSystem *system, EventMotion *motion, EventTangent *tangent);
/* Applies the jumps of derivatives at the start of the next segment. slip: [d] directions before the event. */
void tangent_enter(const EventSystem *system, EventMotion *motion, EventTangent *tangent, const signed char *slip);

/* Implements EventField.advance for constant matrices. Several steps in a segment may be necessary, since derivatives
 * contain fast modes that the motion does not have, and these modes may need shorter series. */
void tangent_advance(const EventSystem *system, EventMotion *motion, EventTangent *tangent, double part);
/* Computes dg/dz of a column as a series over the segment, in N: forcing [POLYNOMIAL_ORDER + 1][d]. powers:
 * variation_powers of the segment; NULL if no column is the derivative by an entry of a friction table. */
void tangent_forcing(const EventSystem *system, EventMotion *motion, const SimColumn *column, const double *powers,
                     double *forcing);

#endif
