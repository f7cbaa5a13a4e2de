/* The variational equation of a motion between its events, along which derivatives go forward (tangent.h) and back (adjoint.h):
 *
 *     X_x' = X_v,    M_SS X_v,S' = [dg/dz - D X_v - A X_x + C gamma'(v) X_v]_S,    X_v,K = 0
 *
 * with A + G'h'(e)G for A where springs have a law,
 *
 * and what an event does to it. */
#ifndef SIM_EVENT_VARIATION_H
#define SIM_EVENT_VARIATION_H

#include "sim/core/sensitivity.h"
#include "sim/event/event.h"
#include "sim/law/friction_table.h"

enum { VARIATION_ORDER = 80 }; /* of the series of derivatives, at most */

/* Where in its segment of a piecewise linear control the motion's segment begins, and how long this is, as parts of that one. */
typedef struct VariationRamp {
  double from, rise;
} VariationRamp;
VariationRamp variation_ramp(const EventSystem *system, const EventMotion *motion);

/* By how much of u_entry the control's node `node` (of a constant: the control itself) is made. */
double variation_share(const SimProblem *problem, int entry, long node);

/* dg_i/dz of an order in the segment under way, N, z being dof i's c, M_ii, D_ii or beta: lower orders have been asked for. */
double variation_forcing(const EventSystem *system, const EventMotion *motion, SimDependence on, int i, int order);

/* Of a friction table's numbers: what has gamma's coefficients for factors, C_i slip_i z^power, N, as series of the segment under way,
 * [VARIATION_POWERS][POLYNOMIAL_ORDER + 1][d]; 0 of a dof that sticks or has no threshold. dg_i/dF of a point is then their sum with
 * friction_row_partials of dof i's row, at.branch, for factors. */
enum { VARIATION_POWERS = SIM_TABLE_ORDER + 1 };
void variation_powers(const EventSystem *system, const EventMotion *motion, double *powers);

/* c_i gamma'(v_i) as a series of a part of the segment under way, [POLYNOMIAL_ORDER + 1][d] kg/s: of the ramp a number, of sqrt
 * c_i beta_i epsilon_i^2 (epsilon_i^2 + v_i^2)^(-3/2). Nothing is written where there is no law. */
void variation_slopes(const EventSystem *system, const EventMotion *motion, double from, double part, double *slope);

/* In how many pieces the segment, up to its event, is gone through: derivatives have modes that the motion has not. slope, stiffening: of
 * that part, of springs with a law (spring_series.h); inverse: of M_SS. */
double variation_pieces(const EventSystem *system, const EventMotion *motion, const double *slope,
                        const double *stiffening, const double *inverse);

/* Who has come to rest at the event before the segment under way (where several have, the first), -1: nobody, or it is an impact.
 * slip, before: [d] slips and v' as they were. *smooth becomes false where derivatives need not exist: several have, or meet ends, or
 * one only touches rest, or an end. */
int variation_stop(const EventSystem *system, const EventMotion *motion, const double *before, const signed char *slip,
                   bool *smooth);

#endif
