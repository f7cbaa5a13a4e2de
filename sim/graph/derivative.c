/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/graph/derivative.h"

#include <stdlib.h>

/* Stands for the node of a derivative that is 0 for all values; no node is created for such a derivative. */
enum { ZERO = -2 };

static int square(Graph *graph, int a) { return graph_multiply(graph, a, a); }
static int reciprocal(Graph *graph, int a) { return graph_divide(graph, graph_number(graph, 1), a); }
static int negative(Graph *graph, int a) { return graph_affine(graph, -1, a, 0); }
static int root(Graph *graph, int a) { return graph_of(graph, GRAPH_SQRT, a); }

/* Returns the node of the derivative f'(a), where node z is f(a). */
static int slope(Graph *graph, int z) {
  GraphNode node = graph->nodes[z];
  int a = node.a;
  switch (node.kind) {
  case GRAPH_AFFINE: return graph_number(graph, node.factor);
  case GRAPH_NEGATE: return graph_number(graph, -1);
  case GRAPH_SIN: return graph_of(graph, GRAPH_COS, a);
  case GRAPH_COS: return negative(graph, graph_of(graph, GRAPH_SIN, a));
  case GRAPH_TAN: return graph_affine(graph, 1, square(graph, z), 1);
  case GRAPH_ASIN: return reciprocal(graph, root(graph, graph_affine(graph, -1, square(graph, a), 1)));
  case GRAPH_ACOS: return negative(graph, reciprocal(graph, root(graph, graph_affine(graph, -1, square(graph, a), 1))));
  case GRAPH_ATAN: return reciprocal(graph, graph_affine(graph, 1, square(graph, a), 1));
  case GRAPH_SINH: return graph_of(graph, GRAPH_COSH, a);
  case GRAPH_COSH: return graph_of(graph, GRAPH_SINH, a);
  case GRAPH_TANH: return graph_affine(graph, -1, square(graph, z), 1);
  case GRAPH_ASINH: return reciprocal(graph, root(graph, graph_affine(graph, 1, square(graph, a), 1)));
  case GRAPH_ACOSH: return reciprocal(graph, root(graph, graph_affine(graph, 1, square(graph, a), -1)));
  case GRAPH_ATANH: return reciprocal(graph, graph_affine(graph, -1, square(graph, a), 1));
  case GRAPH_EXP: return z;
  case GRAPH_LN: return reciprocal(graph, a);
  case GRAPH_LOG2: return graph_divide(graph, graph_number(graph, 1.44269504088896340736), a);
  case GRAPH_LOG10: return graph_divide(graph, graph_number(graph, 0.43429448190325182765), a);
  case GRAPH_SQRT: return graph_divide(graph, graph_number(graph, 0.5), z);
  case GRAPH_ABS: return graph_of(graph, GRAPH_SIGN, a);
  default: return ZERO;
  }
}

/* Returns the node of the partial derivative of node z by its first operand (side 0) or its second operand (side 1). */
static int partial(Graph *graph, int z, int side) {
  GraphNode node = graph->nodes[z];
  int a = node.a, b = node.b;
  switch (node.kind) {
  case GRAPH_ADD: return graph_number(graph, 1);
  case GRAPH_SUBTRACT: return graph_number(graph, side ? -1 : 1);
  case GRAPH_MULTIPLY: return side ? a : b;
  case GRAPH_DIVIDE: return side ? negative(graph, graph_divide(graph, z, b)) : reciprocal(graph, b);
  case GRAPH_POWER:
    if (side) return graph_multiply(graph, z, graph_of(graph, GRAPH_LN, a));
    return graph_multiply(graph, b, graph_make(graph, GRAPH_POWER, a, graph_affine(graph, 1, b, -1), 0));
  case GRAPH_ATAN2: {
    int squares = graph_add(graph, square(graph, a), square(graph, b));
    return side ? negative(graph, graph_divide(graph, a, squares)) : graph_divide(graph, b, squares);
  }
  default: return slope(graph, z);
  }
}

/* plus returns the node of x + y, and times that of x y. x and y are nodes or ZERO. */
static int plus(Graph *graph, int x, int y) { return x == ZERO ? y : y == ZERO ? x : graph_add(graph, x, y); }
static int times(Graph *graph, int x, int y) { return x == ZERO || y == ZERO ? ZERO : graph_multiply(graph, x, y); }
static int value_of(Graph *graph, int x) { return x == ZERO ? graph_number(graph, 0) : x; }

/* Whether node z selects one of two operands, as ?:, min and max do. If so, sets *first and *second to these
 * operands and *condition to the node of the condition: z equals *first if the condition is not 0, else *second. */
static bool read_branches(Graph *graph, int z, int *condition, int *first, int *second) {
  GraphNode node = graph->nodes[z];
  bool least = node.kind == GRAPH_MIN;
  if (node.kind == GRAPH_CHOOSE) {
    *condition = node.a;
    *first = node.b;
    *second = node.c;
    return true;
  }
  if (!least && node.kind != GRAPH_MAX) return false;
  *condition = graph_make(graph, GRAPH_LESS, least ? node.b : node.a, least ? node.a : node.b, 0);
  *first = node.b;
  *second = node.a;
  return true;
}

/* Returns the tangent (directional derivative) of node z. tangents: those of all nodes with smaller numbers. */
static int tangent_of(Graph *graph, int z, const int *tangents) {
  GraphNode node = graph->nodes[z];
  int condition, first, second, made = ZERO;
  if (read_branches(graph, z, &condition, &first, &second)) {
    if (tangents[first] == ZERO && tangents[second] == ZERO) return ZERO;
    return graph_make(graph, GRAPH_CHOOSE, condition, value_of(graph, tangents[first]),
                      value_of(graph, tangents[second]));
  }
  int operands = graph_operands(node.kind);
  if (operands > 0 && tangents[node.a] != ZERO) made = times(graph, partial(graph, z, 0), tangents[node.a]);
  if (operands > 1 && tangents[node.b] != ZERO)
    made = plus(graph, made, times(graph, partial(graph, z, 1), tangents[node.b]));
  return made;
}

bool graph_tangent(Graph *graph, int count, const int *of, int n, const int *variables, const int *rates,
                   int *results) {
  int last = 0;
  for (int i = 0; i < count; i++) last = of[i] > last ? of[i] : last;
  int *tangents = malloc(((size_t)last + 1) * sizeof *tangents);
  bool *marked = malloc((size_t)graph->n * sizeof *marked), good = tangents && marked;
  if (good) graph_mark(graph, count, of, marked);
  for (int z = 0; good && z <= last; z++) {
    tangents[z] = ZERO;
    if (!marked[z]) continue;
    for (int k = 0; k < n; k++)
      if (variables[k] == z) tangents[z] = rates[k];
    if (graph->nodes[z].kind >= GRAPH_AFFINE) tangents[z] = tangent_of(graph, z, tangents);
    good = tangents[z] != -1;
  }
  for (int i = 0; good && i < count; i++) good = (results[i] = value_of(graph, tangents[of[i]])) >= 0;
  free(marked);
  free(tangents);
  return good;
}

/* Computes the gradient of node `of` by one forward tangent per variable, for graphs with ?:, min or max. A backward
 * pass would multiply the operand that is not selected by 0, which is NaN if that operand has an infinite derivative.
 * Returns false if there is no memory. */
static bool gradient_by_tangents(Graph *graph, int of, int n, const int *variables, int *results) {
  for (int k = 0; k < n; k++) {
    int one = graph_number(graph, 1);
    if (one < 0 || !graph_tangent(graph, 1, &of, 1, &variables[k], &one, &results[k])) return false;
  }
  return true;
}

/* Marks [n] the nodes that lie between the variables and node `of`. Returns false if one of them selects one of two
 * operands (?:, min, max); the backward pass must then not be used. */
static bool mark_active(const Graph *graph, int of, int n, const int *variables, bool *active) {
  bool smooth = true;
  graph_mark(graph, 1, &of, active);
  for (int z = 0; z <= of; z++) {
    const GraphNode *node = &graph->nodes[z];
    int operands = graph_operands(node->kind);
    bool depends = false;
    for (int k = 0; k < n; k++) depends = depends || variables[k] == z;
    depends = depends || (operands > 0 && active[node->a]) || (operands > 1 && active[node->b]) ||
              (operands > 2 && active[node->c]);
    active[z] = active[z] && depends;
    if (active[z] && (node->kind == GRAPH_MIN || node->kind == GRAPH_MAX || node->kind == GRAPH_CHOOSE)) smooth = false;
  }
  return smooth;
}

bool graph_gradient(Graph *graph, int of, int n, const int *variables, int *results) {
  int *adjoints = malloc(((size_t)of + 1) * sizeof *adjoints);
  bool *active = malloc((size_t)graph->n * sizeof *active), good = adjoints && active;
  if (good && !mark_active(graph, of, n, variables, active)) {
    good = gradient_by_tangents(graph, of, n, variables, results);
    goto end;
  }
  for (int z = 0; good && z <= of; z++) adjoints[z] = ZERO;
  if (good) good = (adjoints[of] = graph_number(graph, 1)) >= 0;
  for (int z = of; good && z >= 0; z--) {
    GraphNode node = graph->nodes[z];
    int operands = graph_operands(node.kind);
    if (!active[z] || adjoints[z] == ZERO) continue;
    for (int side = 0; good && side < operands; side++) {
      int operand = side ? node.b : node.a;
      if (!active[operand]) continue;
      adjoints[operand] = plus(graph, adjoints[operand], times(graph, adjoints[z], partial(graph, z, side)));
      good = adjoints[operand] != -1;
    }
  }
  for (int k = 0; good && k < n; k++)
    good = (results[k] = value_of(graph, variables[k] <= of ? adjoints[variables[k]] : ZERO)) >= 0;
end:
  free(active);
  free(adjoints);
  return good;
}
