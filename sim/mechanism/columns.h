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

/* Creates the storage for derivatives of `expansion`, which is borrowed. Returns NULL if there is no memory. */
ExpansionColumns *expansion_columns_create(const Expansion *expansion);
void expansion_columns_destroy(ExpansionColumns *columns); /* may be NULL */

/* Computes the derivatives of the series after expansion_make. q [d], v [d], constants [n_constants]: the derivatives
 * of these numbers at t0; NULL: 0. Only those constants are used on which the equations depend. A sticking coordinate
 * keeps v = 0. All columns are aligned as GraphColumn is. */
void expansion_columns_make(ExpansionColumns *columns, const GraphColumn *q, const GraphColumn *v,
                            const GraphColumn *constants);
/* expansion_columns_push sets the derivative of the coefficient of (t - t0)^k of a force, k = 0 or 1, and
 * expansion_columns_shift the derivative of t0. These derivatives are 0 until they are set, and keep their values until
 * they are set again. */
void expansion_columns_push(ExpansionColumns *columns, int force, int k, const GraphColumn *value);
void expansion_columns_shift(ExpansionColumns *columns, const GraphColumn *value);
/* Returns the derivative of the coefficient of (t - t0)^k of the velocity v_i, for k up to order + 1. */
const GraphColumn *expansion_columns_speed(const ExpansionColumns *columns, int i, int k);
/* Computes the derivatives by_q, by_v [d][d] of the residual r [d] by q and by v, with accelerations 0. Call this
 * function after expansion_order_0. It overwrites the columns. */
void expansion_columns_loads(ExpansionColumns *columns, double *by_q, double *by_v);
/* expansion_columns_along computes the derivatives of r of order 0 (load), of the thresholds c of order 0 (threshold)
 * and of r of order 1 (rate), all [d][n]. v: [d] velocities; where v_i = 0 the threshold is the mean of those of both
 * directions at rest, and half their difference is added to the load; NULL: r and c for all. The n = 2 d + n_constants +
 * 1 columns are derivatives by q, v, the constants and t; those by constants that are not differentiated are 0.
 * expansion_columns_kink computes the n derivatives `by` of a kink's switching function. Both need expansion_order_0 and
 * expansion_along before, and overwrite the columns. */
void expansion_columns_along(ExpansionColumns *columns, const double *v, double *load, double *threshold, double *rate);
void expansion_columns_kink(ExpansionColumns *columns, int kink, double *by);
/* Computes the derivatives of q [d] and v [d] at the time t0 + after, with this time held fixed. */
void expansion_columns_state(const ExpansionColumns *columns, double after, GraphColumn *q, GraphColumn *v);

#endif
