/* Derivatives of an expansion by its state and by constants, in GRAPH_COLUMNS directions at once. */
#ifndef SIM_MECHANISM_COLUMNS_H
#define SIM_MECHANISM_COLUMNS_H

#include "sim/mechanism/expansion.h"

typedef struct ExpansionColumns {
  const Expansion *expansion;
  GraphColumns *columns;
} ExpansionColumns;

/* NULL without memory. The expansion is borrowed. */
ExpansionColumns *expansion_columns_create(const Expansion *expansion);
void expansion_columns_destroy(ExpansionColumns *columns); /* NULL: nothing */

/* After expansion_make: the series' derivatives, of those of q [d], v [d] and of the constants [n_constants], of which only those that
 * the equations name are read; NULL: 0. What sticks keeps v = 0. Aligned as GraphColumn is, as all columns here. */
void expansion_columns_make(ExpansionColumns *columns, const GraphColumn *q, const GraphColumn *v,
                            const GraphColumn *constants);
/* The derivative of the coefficient of (t - t0)^k of a force, k 0 or 1, and that of t0: 0 until they are set, and kept. */
void expansion_columns_push(ExpansionColumns *columns, int force, int k, const GraphColumn *value);
void expansion_columns_shift(ExpansionColumns *columns, const GraphColumn *value);
/* The derivative of the coefficient of (t - t0)^k of a rate, k up to order + 1. */
const GraphColumn *expansion_columns_speed(const ExpansionColumns *columns, int i, int k);
/* After expansion_order_0, by columns that are used for nothing else: derivatives of r [d] by q and by v, [d][d] each,
 * with accelerations 0. */
void expansion_columns_loads(ExpansionColumns *columns, double *by_q, double *by_v);
/* Derivatives of q [d] and v [d] a time after t0, at that time. */
void expansion_columns_state(const ExpansionColumns *columns, double after, GraphColumn *q, GraphColumn *v);

#endif
