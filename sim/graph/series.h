/* Taylor series of a tape, and their derivatives.
 *
 *     graph_series_set(series, i, 0, ..);      variables; not the late ones
 *     graph_series_begin(series, true);        order 0; outputs without late variables: r_0
 *     graph_series_slopes(series, j, ..);      d output / d late variable j, where there are any
 *     graph_series_set(series, late, 0, ..);   solved for by the caller
 *     graph_series_take(series, 0);
 *     for k = 1, 2, ..: set variables of order k, graph_series_advance(series, k), set the late ones, graph_series_take(series, k)
 *
 * Results have the same bits by every instruction set: nothing is contracted, and sums have one order. */
#ifndef SIM_GRAPH_SERIES_H
#define SIM_GRAPH_SERIES_H

#include "sim/graph/tape.h"

typedef struct GraphSeries {
  const GraphTape *tape;
  double *c;                    /* [GRAPH_ORDER_MAX + 1][rows] coefficients */
  double *x, *y, *p;            /* [GRAPH_ORDER_MAX + 1][room] factors of products, and P */
  double *alpha, *beta, *gamma; /* [n_steps] */
  double *weight;               /* [room] the tape's, aligned */
  double *signs;                /* [n_kinks] -1, 0 or 1: the state */
  double *change;               /* [rows] of one order, by late variables */
  void *block;                  /* memory of all of these */
} GraphSeries;

/* NULL without memory. */
GraphSeries *graph_series_create(const GraphTape *tape);
void graph_series_destroy(GraphSeries *series); /* NULL: nothing */

static inline void graph_series_set(GraphSeries *series, int variable, int order, double value) {
  series->c[(size_t)order * (size_t)series->tape->rows + (size_t)series->tape->variable[variable]] = value;
}
static inline double graph_series_get(const GraphSeries *series, int output, int order) {
  return series->c[(size_t)order * (size_t)series->tape->rows + (size_t)series->tape->output[output]];
}
/* The coefficient of a kink's switching function. */
static inline double graph_series_kink(const GraphSeries *series, int kink, int order) {
  return series->c[(size_t)order * (size_t)series->tape->rows + (size_t)series->tape->kink_row[kink]];
}

/* Order 0 of all rows, late variables as 0, and the slopes. look: the signs of kinks become those of their values; a value of 0
 * keeps the sign. Else the signs stand as the caller has set them. */
void graph_series_begin(GraphSeries *series, bool look);
/* Order k > 0 of all rows, late variables as 0. */
void graph_series_advance(GraphSeries *series, int k);
/* Adds what the late variables of order k, as set, do. To be called once an order, also without late variables. */
void graph_series_take(GraphSeries *series, int k);
/* d output / d late variable j, of the same order, [n_outputs]: the same for all orders. */
void graph_series_slopes(GraphSeries *series, int j, double *slopes);

/* Where a kink's switching function is 0 at t0, its sign becomes that of its first order up to k that is not 0: that just after t0.
 * Returns whether a sign has changed: then the series are to be computed again, from graph_series_begin(series, false) on. */
bool graph_series_signs(GraphSeries *series, int k);

/* Derivatives of series in GRAPH_COLUMNS directions at once. Parameters of which derivatives are taken have the role
 * GRAPH_VARIES, with coefficients of order 0 alone. */
typedef double GraphColumn __attribute__((vector_size(8 * GRAPH_COLUMNS), may_alias));

enum { GRAPH_COLUMN_ORDERS = GRAPH_ORDER_MAX + 1 };

typedef struct GraphColumns {
  const GraphSeries *series;
  GraphColumn *c; /* [rows][GRAPH_COLUMN_ORDERS]: the orders of a row stand side by side */
  double *x, *y;  /* [room][GRAPH_COLUMN_ORDERS] factors of products, of the series */
  GraphColumn *p; /* [room] of one order */
  GraphColumn *alpha, *beta, *gamma;
  GraphColumn *change;
  void *block;
} GraphColumns;

/* NULL without memory. The series is borrowed. */
GraphColumns *graph_columns_create(const GraphSeries *series);
void graph_columns_destroy(GraphColumns *columns); /* NULL: nothing */

static inline GraphColumn *graph_columns_row(const GraphColumns *columns, int row, int order) {
  return &columns->c[(size_t)row * GRAPH_COLUMN_ORDERS + (size_t)order];
}
static inline GraphColumn *graph_columns_variable(GraphColumns *columns, int variable, int order) {
  return graph_columns_row(columns, columns->series->tape->variable[variable], order);
}
static inline const GraphColumn *graph_columns_output(const GraphColumns *columns, int output, int order) {
  return graph_columns_row(columns, columns->series->tape->output[output], order);
}

/* As of the series, each after it: the series has order k, late variables as well. */
void graph_columns_advance(GraphColumns *columns, int k);
void graph_columns_take(GraphColumns *columns, int k);

#endif
