/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/mechanism/columns.h"

#include <stdlib.h>

ExpansionColumns *expansion_columns_create(const Expansion *expansion) {
  ExpansionColumns *columns = calloc(1, sizeof *columns);
  if (!columns) return NULL;
  columns->expansion = expansion;
  columns->columns = graph_columns_create(expansion->series);
  if (columns->columns) return columns;
  expansion_columns_destroy(columns);
  return NULL;
}

void expansion_columns_destroy(ExpansionColumns *columns) {
  if (!columns) return;
  graph_columns_destroy(columns->columns);
  free(columns);
}

static GraphColumn *place(const ExpansionColumns *columns, int i, int k) {
  return graph_columns_variable(columns->columns, i, k);
}
static GraphColumn *speed(const ExpansionColumns *columns, int i, int k) {
  return place(columns, columns->expansion->d + i, k);
}
const GraphColumn *expansion_columns_speed(const ExpansionColumns *columns, int i, int k) {
  return speed(columns, i, k);
}

void expansion_columns_push(ExpansionColumns *columns, int force, int k, const GraphColumn *value) {
  const Expansion *expansion = columns->expansion;
  *place(columns, 3 * expansion->d + 1 + expansion->n_constants + force, k) = *value;
}

void expansion_columns_shift(ExpansionColumns *columns, const GraphColumn *value) {
  *place(columns, 3 * columns->expansion->d, 0) = *value;
}

/* Returns the derivatives of the i-th sliding coordinate's acceleration, order k of its Taylor series. */
static GraphColumn *acceleration(const ExpansionColumns *columns, int i, int k) {
  return place(columns, 2 * columns->expansion->d + columns->expansion->sliding[i], k);
}

/* Multiplies the forces, which are stored where the derivatives of the accelerations of order k will be, by (M_SS)^-1.
 * M_SS is the mass matrix of the sliding coordinates. */
static void solve(const ExpansionColumns *columns, int k) {
  const Expansion *expansion = columns->expansion;
  int d = expansion->d, n = expansion->n_sliding;
  const double *factor = expansion->factor;
  for (int i = 0; i < n; i++) {
    GraphColumn *x = acceleration(columns, i, k);
    for (int j = 0; j < i; j++) *x -= factor[i * d + j] * *acceleration(columns, j, k);
    *x *= factor[i * d + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    GraphColumn *x = acceleration(columns, i, k);
    for (int j = i + 1; j < n; j++) *x -= factor[j * d + i] * *acceleration(columns, j, k);
    *x *= factor[i * d + i];
  }
}

/* Computes the derivatives of the accelerations of order k: -(M_SS)^-1 times the derivatives of r_k + c_k s at fixed
 * accelerations, where r_k is the load, c_k the threshold and s the direction of slip (expansion.h). */
static void take_order(ExpansionColumns *columns, int k) {
  const Expansion *expansion = columns->expansion;
  int d = expansion->d;
  double by = 1.0 / (k + 1);
  for (int i = 0; i < expansion->n_sliding; i++) {
    int at = expansion->sliding[i];
    GraphColumn load = *graph_columns_output(columns->columns, at, k);
    if (expansion->has_friction) load += expansion->slips[i] * *graph_columns_output(columns->columns, d + at, k);
    *acceleration(columns, i, k) = -load;
  }
  solve(columns, k);
  graph_columns_take(columns->columns, k);
  for (int i = 0; i < expansion->n_sliding; i++)
    *speed(columns, expansion->sliding[i], k + 1) = *acceleration(columns, i, k) * by;
  for (int i = 0; i < d; i++) *place(columns, i, k + 1) = *speed(columns, i, k) * by;
}

void expansion_columns_make(ExpansionColumns *columns, const GraphColumn *q, const GraphColumn *v,
                            const GraphColumn *constants) {
  const Expansion *expansion = columns->expansion;
  int d = expansion->d, order = expansion->order;
  const GraphColumn zero = {0};
  for (int i = 0; i < d; i++) {
    *place(columns, i, 0) = q ? q[i] : zero;
    for (int k = 0; k <= order + 1; k++) *speed(columns, i, k) = zero;
  }
  for (int i = 0; v && i < expansion->n_sliding; i++)
    *speed(columns, expansion->sliding[i], 0) = v[expansion->sliding[i]];
  for (int i = 0; i < expansion->n_constants; i++)
    *place(columns, 3 * d + 1 + i, 0) = constants && expansion->differentiated[i] ? constants[i] : zero;
  for (int k = 0; k <= order; k++) {
    graph_columns_advance(columns->columns, k);
    take_order(columns, k);
  }
  for (int i = 0; i < d; i++) *place(columns, i, order + 2) = *speed(columns, i, order + 1) / (order + 2);
}

/* Sets the derivatives of order 0 for the columns first, .., first + GRAPH_COLUMNS - 1. Column number j differentiates
 * by the j-th of the numbers q, v and, if `all`, the constants and t, so its derivative of that number is 1. */
static void seed_order_0(ExpansionColumns *columns, int first, bool all) {
  const Expansion *expansion = columns->expansion;
  const GraphColumn zero = {0};
  int d = expansion->d, n = all ? 2 * d + expansion->n_constants + 1 : 2 * d;
  for (int i = 0; i < n; i++) {
    int constant = i - 2 * d;
    bool is_time = constant == expansion->n_constants;
    GraphColumn *seed = place(columns, i < 2 * d ? i : is_time ? 3 * d : 3 * d + 1 + constant, 0);
    *seed = zero;
    if (i >= 2 * d && !is_time && !expansion->differentiated[constant]) continue;
    if (i >= first && i < first + GRAPH_COLUMNS) (*seed)[i - first] = 1;
  }
}

void expansion_columns_loads(ExpansionColumns *columns, double *by_q, double *by_v) {
  int d = columns->expansion->d;
  for (int first = 0; first < 2 * d; first += GRAPH_COLUMNS) {
    seed_order_0(columns, first, false);
    graph_columns_values(columns->columns);
    for (int j = first; j < 2 * d && j < first + GRAPH_COLUMNS; j++)
      for (int i = 0; i < d; i++)
        (j < d ? by_q : by_v)[i * d + j % d] = (*graph_columns_output(columns->columns, i, 0))[j - first];
  }
}

/* Returns the derivative of output number i, order k, by the column in lane `lane`. */
static double output_by(const ExpansionColumns *columns, int i, int k, int lane) {
  return (*graph_columns_output(columns->columns, i, k))[lane];
}

void expansion_columns_along(ExpansionColumns *columns, const double *v, double *load, double *threshold,
                             double *rate) {
  int d = columns->expansion->d, n = 2 * d + columns->expansion->n_constants + 1, sides = columns->expansion->sides;
  for (int first = 0; first < n; first += GRAPH_COLUMNS) {
    seed_order_0(columns, first, true);
    for (int k = 0; k < 2; k++) {
      graph_columns_advance(columns->columns, k);
      graph_columns_take(columns->columns, k);
    }
    for (int j = first; j < n && j < first + GRAPH_COLUMNS; j++)
      for (int i = 0; i < d; i++) {
        load[i * n + j] = output_by(columns, i, 0, j - first);
        threshold[i * n + j] = output_by(columns, d + i, 0, j - first);
        rate[i * n + j] = output_by(columns, i, 1, j - first);
        if (!v || v[i] != 0) continue;
        double above = output_by(columns, sides + i, 0, j - first),
               below = output_by(columns, sides + d + i, 0, j - first);
        load[i * n + j] += (above - below) / 2;
        threshold[i * n + j] = (above + below) / 2;
      }
  }
}

void expansion_columns_kink(ExpansionColumns *columns, int kink, double *by) {
  int n = 2 * columns->expansion->d + columns->expansion->n_constants + 1;
  for (int first = 0; first < n; first += GRAPH_COLUMNS) {
    seed_order_0(columns, first, true);
    graph_columns_values(columns->columns);
    for (int j = first; j < n && j < first + GRAPH_COLUMNS; j++)
      by[j] = (*graph_columns_row(columns->columns, columns->expansion->tape->kink_row[kink], 0))[j - first];
  }
}

void expansion_columns_state(const ExpansionColumns *columns, double after, GraphColumn *q, GraphColumn *v) {
  int order = columns->expansion->order;
  for (int i = 0; i < columns->expansion->d; i++) {
    GraphColumn at = {0}, rate = {0};
    for (int k = order + 2; k >= 0; k--) at = at * after + *place(columns, i, k);
    for (int k = order + 1; k >= 0; k--) rate = rate * after + *speed(columns, i, k);
    q[i] = at;
    v[i] = rate;
  }
}
