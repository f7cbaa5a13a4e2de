/* SPDX-License-Identifier: BSD-2-Clause */
/* Computes Taylor series of a tape (tape.h), and derivatives of these series. Late variables are unknowns, for example
 * accelerations, that the caller solves for in each order. Calls for one series:
 *
 *     graph_series_set(series, i, 0, ..);      variables except late variables
 *     graph_series_begin(series, true);        order 0; outputs for late variables 0: r_0
 *     graph_series_slopes(series, n, ..);      d output / d late variable, if there are any
 *     graph_series_set(series, late, 0, ..);   values that the caller has solved for
 *     graph_series_take(series, 0);
 *     for k = 1, 2, ..: set variables of order k, graph_series_advance(series, k), set late variables of order k,
 *                       graph_series_take(series, k)
 *
 * Results have the same bits with every instruction set: there are no fused multiply-adds, and the order of each sum is
 * fixed. */
#ifndef SIM_GRAPH_SERIES_H
#define SIM_GRAPH_SERIES_H

#include "sim/graph/tape.h"

typedef struct GraphSeries {
  const GraphTape *tape;
  double *c;         /* [GRAPH_ORDER_MAX + 1][rows] coefficients; those of late rows that are not carried lack
                                 * what late variables contribute */
  double *x, *y, *p; /* [GRAPH_ORDER_MAX + 1][room] series of the factors X and Y of the products, and of
                                 * their sums P (tape.h) */
  double *ahead;     /* [room] after an even order: the terms of P of the next order that are known */
  double *alpha, *beta, *gamma; /* [n_steps] slopes of each step's result by its operands (tape.h) */
  double *signs;                /* [n_kinks] sign, -1, 0 or 1, of each kink's switching function (tape.h); part of
                                 * the motion's state */
  double *slopes;               /* [n_late][carried_room] derivatives of the carried rows (tape.h) by late variables,
                                 * the unknowns for which the caller solves; since graph_series_begin */
  double *start;                /* [carried_room] order 0 of these rows for late variables 0 */
  double *change;               /* [carried_room] scratch: changes of one order of these rows by late variables */
  double *changes;              /* [rows][GRAPH_COLUMNS] scratch: derivatives by late variables */
  void *block;                  /* memory of all arrays above */
} GraphSeries;

/* Allocates the storage for the Taylor series of all values of a tape (tape.h), which is borrowed. Returns NULL if
 * memory is lacking. */
GraphSeries *graph_series_create(const GraphTape *tape);
void graph_series_destroy(GraphSeries *series); /* may be NULL */

static inline void graph_series_set(GraphSeries *series, int variable, int order, double value) {
  series->c[(size_t)order * (size_t)series->tape->rows + (size_t)series->tape->variable[variable]] = value;
}
static inline double graph_series_get(const GraphSeries *series, int output, int order) {
  return series->c[(size_t)order * (size_t)series->tape->rows + (size_t)series->tape->output[output]];
}
/* Returns coefficient `order` of the switching function (tape.h) of a kink. */
static inline double graph_series_kink(const GraphSeries *series, int kink, int order) {
  return series->c[(size_t)order * (size_t)series->tape->rows + (size_t)series->tape->kink_row[kink]];
}

/* Computes order 0 of all rows, with 0 for the late variables (those that the caller solves for), and the slopes of
 * the steps. look: whether to set each kink's sign to that of its switching function; a sign is kept where the
 * function is 0. If look is false, the signs that the caller has set are used. */
void graph_series_begin(GraphSeries *series, bool look);
/* Computes order k > 0 of all rows, with 0 for the late variables (those that the caller solves for in each order). */
void graph_series_advance(GraphSeries *series, int k);
/* Adds the effect of the late variables of order k, which the caller has solved for and set. This function must be
 * called once for each order, also if there are no late variables. */
void graph_series_take(GraphSeries *series, int k);
/* Computes the derivatives of the first `count` outputs by late variables (unknowns that the caller solves for): slopes
 * [count][n_late]. Order k of an output depends on order k of a late variable by these derivatives, for every k. */
void graph_series_slopes(GraphSeries *series, int count, double *slopes);

/* For each kink with a switching function that is 0 at t0: sets its sign to that of the function just after t0, which
 * is the sign of the function's first nonzero coefficient up to order k. Returns whether a sign has changed. The series
 * must then be computed again, from graph_series_begin(series, false) on. */
bool graph_series_signs(GraphSeries *series, int k);

/* Derivatives of a series in GRAPH_COLUMNS directions at once. Parameters by which the series is differentiated must
 * have the role GRAPH_DIFFERENTIATED or GRAPH_VARIES, with coefficients of order 0 only. */
typedef double GraphColumn __attribute__((vector_size(8 * GRAPH_COLUMNS), may_alias));

enum { GRAPH_COLUMN_ORDERS = GRAPH_ORDER_MAX + 1 };

typedef struct GraphColumns {
  const GraphSeries *series;
  GraphColumn *c; /* [rows][GRAPH_COLUMN_ORDERS] derivatives; the orders of a row are adjacent */
  double *x, *y;  /* [room][GRAPH_COLUMN_ORDERS] factors of the products of the series */
  GraphColumn *p; /* [room] derivatives of one order of the sums P of products (tape.h) */
  GraphColumn *alpha, *beta, *gamma;
  GraphColumn *change;
  void *block;
} GraphColumns;

/* Allocates derivatives of a series, which is borrowed. Returns NULL if there is no memory. */
GraphColumns *graph_columns_create(const GraphSeries *series);
void graph_columns_destroy(GraphColumns *columns); /* may be NULL */

static inline GraphColumn *graph_columns_row(const GraphColumns *columns, int row, int order) {
  return &columns->c[(size_t)row * GRAPH_COLUMN_ORDERS + (size_t)order];
}
static inline GraphColumn *graph_columns_variable(GraphColumns *columns, int variable, int order) {
  return graph_columns_row(columns, columns->series->tape->variable[variable], order);
}
static inline const GraphColumn *graph_columns_output(const GraphColumns *columns, int output, int order) {
  return graph_columns_row(columns, columns->series->tape->output[output], order);
}

/* These functions do for the derivatives what graph_series_advance and graph_series_take do for the series. Call
 * each after its counterpart; the series must have order k including late variables. */
void graph_columns_advance(GraphColumns *columns, int k);
void graph_columns_take(GraphColumns *columns, int k);
/* Computes the derivatives of order 0 of all rows, with 0 for the late variables. Before higher orders, call
 * graph_columns_advance(columns, 0) instead. */
void graph_columns_values(GraphColumns *columns);

#endif
