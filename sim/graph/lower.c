/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/graph/lower.h"

#include <math.h>
#include <stdlib.h>

/* Largest integer power a^n that is computed by products. Unlike exp(n ln a), products have a Taylor series at a =
 * 0. */
enum { POWER_MAX = 64 };

int graph_rate(Graph *graph, int z, bool *over, double *sign) {
  const GraphNode node = graph->nodes[z];
  int a = node.a, square;
  *sign = node.kind == GRAPH_COS ? -1 : 1;
  *over = node.kind == GRAPH_LN || node.kind == GRAPH_ATAN || node.kind == GRAPH_ASIN ||
          (node.kind >= GRAPH_ASINH && node.kind <= GRAPH_ATANH);
  switch (node.kind) {
  case GRAPH_EXP: return z;
  case GRAPH_SIN: return graph_of(graph, GRAPH_COS, a);
  case GRAPH_COS: return graph_of(graph, GRAPH_SIN, a);
  case GRAPH_SINH: return graph_of(graph, GRAPH_COSH, a);
  case GRAPH_COSH: return graph_of(graph, GRAPH_SINH, a);
  case GRAPH_TAN: return graph_affine(graph, 1, graph_multiply(graph, z, z), 1);
  case GRAPH_TANH: return graph_affine(graph, -1, graph_multiply(graph, z, z), 1);
  case GRAPH_POWER: return graph_multiply(graph, node.b, graph_divide(graph, z, a));
  case GRAPH_LN: return a;
  default: break;
  }
  if (!*over) return -1;
  square = graph_multiply(graph, a, a);
  switch (node.kind) {
  case GRAPH_ATAN: return graph_affine(graph, 1, square, 1);
  case GRAPH_ATANH: return graph_affine(graph, -1, square, 1);
  case GRAPH_ASIN: return graph_of(graph, GRAPH_SQRT, graph_affine(graph, -1, square, 1));
  case GRAPH_ASINH: return graph_of(graph, GRAPH_SQRT, graph_affine(graph, 1, square, 1));
  default: return graph_of(graph, GRAPH_SQRT, graph_affine(graph, 1, square, -1));
  }
}

int graph_switch(Graph *graph, int z) {
  const GraphNode node = graph->nodes[z];
  if (node.kind == GRAPH_ABS || node.kind == GRAPH_SIGN) return node.a;
  if (node.kind >= GRAPH_MIN && node.kind <= GRAPH_UNEQUAL) return graph_subtract(graph, node.a, node.b);
  return -1;
}

/* Returns the node of a^n, n > 0, as products. */
static int lower_power(Graph *into, int a, int n) {
  if (n == 1) return a;
  int half = lower_power(into, a, n / 2), square = graph_multiply(into, half, half);
  return n % 2 ? graph_multiply(into, square, a) : square;
}

/* Returns the node of the graph `into` that replaces `node`. a, b, c: the operands of `node` in `into`. varies:
 * whether operand b depends on time. */
static int lower(Graph *into, const GraphNode *node, int a, int b, int c, bool varies) {
  switch (node->kind) {
  case GRAPH_NUMBER: return graph_number(into, node->offset);
  case GRAPH_VARIABLE: return graph_variable(into, node->a);
  case GRAPH_AFFINE: return graph_affine(into, node->factor, a, node->offset);
  case GRAPH_LOG2: return graph_affine(into, 1.44269504088896340736, graph_of(into, GRAPH_LN, a), 0);
  case GRAPH_LOG10: return graph_affine(into, 0.43429448190325182765, graph_of(into, GRAPH_LN, a), 0);
  case GRAPH_ACOS: return graph_affine(into, -1, graph_of(into, GRAPH_ASIN, a), 1.57079632679489661923);
  case GRAPH_POWER:
    if (a < 0 || b < 0) return -1;
    if (varies) return graph_of(into, GRAPH_EXP, graph_multiply(into, b, graph_of(into, GRAPH_LN, a)));
    if (graph_is_number(into, b)) {
      double n = fabs(into->nodes[b].offset);
      if (n == 0.5) {
        int root = graph_of(into, GRAPH_SQRT, a);
        return into->nodes[b].offset > 0 ? root : graph_divide(into, graph_number(into, 1), root);
      }
      if (n != floor(n) || n > POWER_MAX || n == 0) break;
      int power = lower_power(into, a, (int)n);
      return into->nodes[b].offset > 0 ? power : graph_divide(into, graph_number(into, 1), power);
    }
    break;
  case GRAPH_MIN:
  case GRAPH_MAX:
  case GRAPH_LESS:
  case GRAPH_AT_MOST:
  case GRAPH_EQUAL:
  case GRAPH_UNEQUAL:
    if (graph_subtract(into, a, b) < 0)
      return -1; /* the switching function must have a smaller number than the node
                                                    * that it switches */
    break;
  default: break;
  }
  return graph_make(into, node->kind, a, b, c);
}

/* Determines whether each node varies in time. */
static bool node_varies(const GraphNode *node, const bool *variables, const bool *varies) {
  int operands = graph_operands(node->kind);
  if (node->kind == GRAPH_VARIABLE) return variables[node->a];
  return (operands > 0 && varies[node->a]) || (operands > 1 && varies[node->b]) || (operands > 2 && varies[node->c]);
}

bool graph_lower(const Graph *graph, const bool *variables, int count, int *outputs, Graph *into, const char **why) {
  bool *marked = malloc((size_t)graph->n * sizeof *marked), *varies = calloc((size_t)graph->n, sizeof *varies);
  int *made = calloc((size_t)graph->n, sizeof *made);
  bool good = marked && varies && made;
  *why = NULL;
  graph_init(into, GRAPH_TIDY);
  if (good) graph_mark(graph, count, outputs, marked);
  for (int i = 0; good && i < graph->n; i++) {
    const GraphNode *node = &graph->nodes[i];
    if (!marked[i]) continue;
    varies[i] = node_varies(node, variables, varies);
    if (varies[i] && node->kind == GRAPH_RINT) *why = "rint has no series";
    if (varies[i] && node->kind == GRAPH_ATAN2) *why = "atan2 has no series (take atan)";
    int operands = graph_operands(node->kind);
    int a = operands > 0 ? made[node->a] : 0, b = operands > 1 ? made[node->b] : 0,
        c = operands > 2 ? made[node->c] : 0;
    made[i] = *why ? -1 : lower(into, node, a, b, c, operands > 1 && varies[node->b]);
    good = made[i] >= 0;
  }
  for (int i = 0; good && i < count; i++) outputs[i] = made[outputs[i]];
  for (int z = 0; good && z < into->n; z++) { /* into->n increases in this loop */
    bool over;
    double sign;
    graph_rate(into, z, &over, &sign);
    graph_switch(into, z);
  }
  free(marked);
  free(varies);
  free(made);
  if (!good) graph_clear(into);
  return good;
}
