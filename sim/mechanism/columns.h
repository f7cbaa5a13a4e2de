/* SPDX-License-Identifier: BSD-2-Clause */
/* Derivatives of the Taylor series of a motion (an Expansion) by its initial state and by constants. They are computed
 * for GRAPH_COLUMNS directions at once; a direction is called a column. */
#ifndef SIM_MECHANISM_COLUMNS_H
#define SIM_MECHANISM_COLUMNS_H

#include "sim/mechanism/expansion.h"

typedef struct ExpansionColumns {
  const Expansion *expansion;
  GraphColumns *columns;
} ExpansionColumns;

/* Returns NULL if there is no memory. The expansion is borrowed. */
ExpansionColumns *expansion_columns_create(const Expansion *expansion);
void expansion_columns_destroy(ExpansionColumns *columns); /* NULL: nothing */

/* Computes the derivatives of the series. Call it after expansion_make. q [d], v [d], constants [n_constants]: their
 * derivatives at t0; NULL: 0. Of the constants only those are used on which the equations depend. A coordinate that
 * sticks keeps v = 0. All columns are aligned as GraphColumn is. */
void expansion_columns_make(ExpansionColumns *columns, const GraphColumn *q, const GraphColumn *v,
                            const GraphColumn *constants);
/* expansion_columns_push sets the derivative of the coefficient of (t - t0)^k of a force, k = 0 or 1. The next function
 * sets that of t0. Both are 0 until they are set, and then remain until they are set again. */
void expansion_columns_push(ExpansionColumns *columns, int force, int k, const GraphColumn *value);
void expansion_columns_shift(ExpansionColumns *columns, const GraphColumn *value);
/* Returns the derivative of the coefficient of (t - t0)^k of a velocity v_i, for k up to order + 1. */
const GraphColumn *expansion_columns_speed(const ExpansionColumns *columns, int i, int k);
/* Computes the derivatives [d][d] of the residual r [d] by q and by v, with accelerations 0. Call it after
 * expansion_order_0, with columns that are used for nothing else. */
void expansion_columns_loads(ExpansionColumns *columns, double *by_q, double *by_v);
/* Computes the derivatives, after expansion_order_0 and expansion_along, of the residual r and of the thresholds c,
 * both of order 0, and of order 1 of r: load, threshold and rate [d][n]. v: [d] velocities; where v_i = 0 the threshold
 * is the mean of those of both directions at rest, and half their difference is added to r_i; NULL: r and c of all. The n = 2 d + n_constants + 1 columns are
 * derivatives by q, v, the constants and t. Those by constants that are not differentiated are 0. The columns must be
 * used for nothing else. The next function computes those of the function of a kink. */
void expansion_columns_along(ExpansionColumns *columns, const double *v, double *load, double *threshold, double *rate);
void expansion_columns_kink(ExpansionColumns *columns, int kink, double *by);
/* Computes the derivatives of q [d] and v [d] at the time `after` after t0, at fixed time. */
void expansion_columns_state(const ExpansionColumns *columns, double after, GraphColumn *q, GraphColumn *v);

#endif
