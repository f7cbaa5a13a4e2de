/* SPDX-License-Identifier: BSD-2-Clause */
/* The variational equation of a motion between its events, for forward (tangent.h) and adjoint (adjoint.h) derivatives:
 *
 *   X_x' = X_v, M_SS X_v,S' = [dg/dz - D X_v - A X_x + C gamma'(v) X_v]_S, X_v,K = 0
 *
 * X_x and X_v are the derivatives of x and v by a number z; dg/dz is the derivative of the forces by z at fixed x and
 * v. S are the dofs that slide, K the others. With spring laws A is replaced by A + G'h'(e)G. A column is the
 * derivative by one z. */
#ifndef SIM_EVENT_VARIATION_H
#define SIM_EVENT_VARIATION_H

#include "sim/core/sensitivity.h"
#include "sim/event/event.h"
#include "sim/law/friction_table.h"

enum { VARIATION_ORDER = 80 }; /* maximum order of the series of derivatives */

/* Start and length of the motion's segment, as fractions of the control's segment, if the control is piecewise
 * linear. */
typedef struct VariationRamp {
  double from, rise;
} VariationRamp;
VariationRamp variation_ramp(const EventSystem *system, const EventMotion *motion);

/* These functions return dh/dz and dt/dz for a column, with h the length and t the start of the control's segment
 * `node`. If `node` is the number of segments, t is the end time T. */
double variation_length(const SimProblem *problem, const SimColumn *column, long node);
double variation_begin(const SimProblem *problem, const SimColumn *column, long node);

/* Returns the derivative of u at the control's node `node` by entry `entry` of the control; 1 for a constant
 * control. */
double variation_share(const SimProblem *problem, int entry, long node);

/* Returns coefficient `order` of dg_i/dz in the current segment, in N, where z is c, M_ii, D_ii or beta of dof i. The
 * lower orders must have been computed before. */
double variation_forcing(const EventSystem *system, const EventMotion *motion, SimDependence on, int i, int order);

/* Computes time series for derivatives by the entries of a friction table: C_i slip_i z^power, in N, in the current
 * segment, where z is the position of the speed in its row of the table. They are the factors of gamma's coefficients:
 * [VARIATION_POWERS][POLYNOMIAL_ORDER + 1][d]; 0 for a dof that sticks or has no threshold. The derivative of g_i by
 * the friction F at a point of the table is the sum of their products with friction_row_partials of dof i's row,
 * at.branch. */
enum { VARIATION_POWERS = SIM_TABLE_ORDER + 1 };
void variation_powers(const EventSystem *system, const EventMotion *motion, double *powers);

/* Computes c_i gamma'(v_i) as a series over a part of the current segment, [POLYNOMIAL_ORDER + 1][d] kg/s. For the law
 * ramp it is constant; for sqrt it is c_i beta_i epsilon_i^2 (epsilon_i^2 + v_i^2)^(-3/2). Writes nothing if gamma is
 * 0. */
void variation_slopes(const EventSystem *system, const EventMotion *motion, double from, double part, double *slope);

/* Returns the number of pieces into which the segment up to its event is divided for derivatives. They need more pieces
 * than the motion, since they have fast modes that the motion does not have. slope: from variation_slopes; stiffening:
 * from spring_series_slopes, for springs with a law; both over that part of the segment. inverse: (M_SS)^-1. */
double variation_pieces(const EventSystem *system, const EventMotion *motion, const double *slope,
                        const double *stiffening, const double *inverse);

/* Returns the dof that came to rest at the event before the current segment (the first of several); -1: none, or an
 * impact. slip, before: [d] directions of slip and v' before the event. Sets *smooth to false if derivatives need not
 * exist: several dofs came to rest or met stops at the same time, a dof came to rest under almost no force, or a dof
 * met a stop with almost no speed. */
int variation_stop(const EventSystem *system, const EventMotion *motion, const double *before, const signed char *slip,
                   bool *smooth);

/* Returns the dof that makes the acceleration of dof i jump when it comes to rest. stop: the result of variation_stop.
 * The answer is i if i itself came to rest or reversed at the same time, so that dofs that do not act on each other
 * have the derivatives that each would have alone. Otherwise it is `stop`. */
int variation_stop_of(const EventMotion *motion, const double *before, const signed char *slip, int stop, int i);

#endif
