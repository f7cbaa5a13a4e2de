/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/mechanism/sides.h"

#include <stdlib.h>

/* The limit of a node as q'_i = side e with e -> 0 from above: nodes of its value and of its derivative by e. A slope
 * of -1 means that it is not known. */
typedef struct Limit {
  int value, slope;
} Limit;

static bool is_zero(const Graph *graph, int node) {
  return node >= 0 && graph_is_number(graph, node) && graph->nodes[node].offset == 0;
}

/* Whether two nodes surely have equal values: they are the same node or equal numbers. */
static bool same(const Graph *graph, int a, int b) {
  bool numbers = graph_is_number(graph, a) && graph_is_number(graph, b);
  return a == b || (numbers && graph->nodes[a].offset == graph->nodes[b].offset);
}

/* Returns the slope (see Limit) of a node. a, b, c: the limits of its operands; unused ones are 0. */
static int slope_of(Graph *graph, const GraphNode *node, Limit a, Limit b, Limit c) {
  switch (node->kind) {
  case GRAPH_AFFINE: return graph_affine(graph, node->factor, a.slope, 0);
  case GRAPH_NEGATE:
  case GRAPH_ADD:
  case GRAPH_SUBTRACT: return graph_make(graph, node->kind, a.slope, b.slope, 0);
  case GRAPH_MULTIPLY:
    return graph_add(graph, graph_multiply(graph, a.slope, b.value), graph_multiply(graph, a.value, b.slope));
  default: break;
  }
  if (is_zero(graph, b.slope) && is_zero(graph, c.slope)) {
    if (node->kind == GRAPH_DIVIDE) return graph_divide(graph, a.slope, b.value);
    if (is_zero(graph, a.slope)) return a.slope;
  }
  return -1;
}

/* Returns the value (see Limit) of a node. If the operands of a sign or a comparison have equal values, their slopes
 * decide. */
static int value_of(Graph *graph, const GraphNode *node, Limit a, Limit b, Limit c) {
  bool compares = node->kind >= GRAPH_LESS && node->kind <= GRAPH_UNEQUAL;
  if (node->kind == GRAPH_AFFINE) return graph_affine(graph, node->factor, a.value, node->offset);
  if (node->kind == GRAPH_SIGN && is_zero(graph, a.value) && a.slope >= 0) return graph_of(graph, GRAPH_SIGN, a.slope);
  if (compares && same(graph, a.value, b.value) && a.slope >= 0 && b.slope >= 0)
    return graph_make(graph, node->kind, a.slope, b.slope, 0);
  return graph_make(graph, node->kind, a.value, b.value, c.value);
}

/* Computes the limits of the marked nodes, limits [n], where variable number `rate` is q'_i = side e. Returns false
 * without memory. */
static bool find_limits(Graph *graph, int n, const bool *marked, int rate, int side, Limit *limits) {
  int zero = graph_number(graph, 0), direction = graph_number(graph, side);
  bool good = zero >= 0 && direction >= 0;
  for (int k = 0; k < n && good; k++) {
    const GraphNode node = graph->nodes[k];
    int operands = graph_operands(node.kind);
    limits[k] = (Limit){k, zero};
    if (!marked[k]) continue;
    if (node.kind == GRAPH_VARIABLE && node.a == rate) limits[k] = (Limit){zero, direction};
    if (node.kind < GRAPH_AFFINE) continue;
    Limit a = limits[node.a], b = operands > 1 ? limits[node.b] : (Limit){zero, zero},
          c = operands > 2 ? limits[node.c] : (Limit){zero, zero};
    limits[k] = (Limit){value_of(graph, &node, a, b, c), slope_of(graph, &node, a, b, c)};
    good = limits[k].value >= 0;
  }
  return good;
}

/* Computes the limits of a threshold for q'_i -> 0: found [2] from above (q'_i > 0) and from below. rate: variable
 * number of q'_i. Returns false without memory. */
static bool find_sides(Graph *graph, int threshold, int rate, int *found) {
  int n = graph->n;
  bool *marked = malloc((size_t)n), depends = false, good = marked;
  Limit *limits = malloc((size_t)n * sizeof *limits);
  if (good) graph_mark(graph, 1, &threshold, marked);
  for (int k = 0; k < n && good; k++)
    depends = depends || (marked[k] && graph->nodes[k].kind == GRAPH_VARIABLE && graph->nodes[k].a == rate);
  good = good && limits;
  for (int side = 0; side < 2; side++) {
    if (depends) good = good && find_limits(graph, n, marked, rate, 1 - 2 * side, limits);
    found[side] = depends && good ? limits[threshold].value : threshold;
  }
  free(marked);
  free(limits);
  return good;
}

bool mechanism_sides(Graph *graph, int d, const int *thresholds, int *sides) {
  for (int i = 0; i < d; i++) {
    int found[2];
    if (!find_sides(graph, thresholds[i], d + i, found)) return false;
    bool differ = !same(graph, found[0], found[1]);
    for (int side = 0; side < 2; side++) sides[side * d + i] = differ ? found[side] : thresholds[i];
  }
  return true;
}

/* Returns the coordinate i if the row that a step computes is a multiple of q'_i; -1 if it is not. rides: the same for
 * the rows before. */
static int ride_of(const GraphStep *step, const int *rides) {
  int a = rides[step->a], b = rides[step->b];
  switch (step->op) {
  case TAPE_SUM:
    if (step->offset != 0) return -1;
    if (step->b == 0 || step->g == 0) return a;
    if (step->a == 0 || step->f == 0) return b;
    return a == b ? a : -1;
  case TAPE_SCALE:
  case TAPE_PRODUCT: return a >= 0 && b >= 0 ? -1 : a >= 0 ? a : b;
  case TAPE_DIVIDE_BY:
  case TAPE_QUOTIENT: return b >= 0 ? -1 : a;
  default: return -1;
  }
}

void mechanism_sides_ride(const GraphTape *tape, int d, int *rides) {
  for (int row = 0; row < tape->rows; row++) rides[row] = -1;
  for (int i = 0; i < d; i++) rides[tape->variable[d + i]] = i;
  for (int k = 0; k < tape->n_steps; k++) rides[tape->first + k] = ride_of(&tape->steps[k], rides);
}

double mechanism_sides_factor(const GraphSeries *series, const int *rides, int row) {
  const GraphTape *tape = series->tape;
  int k = row - tape->first;
  if (k < 0) return 1;
  const GraphStep *step = &tape->steps[k];
  double factor = 0;
  if (rides[step->a] >= 0) factor += series->alpha[k] * mechanism_sides_factor(series, rides, step->a);
  if (rides[step->b] >= 0) factor += series->beta[k] * mechanism_sides_factor(series, rides, step->b);
  return factor;
}
