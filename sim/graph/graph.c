/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/graph/graph.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 16 };

void graph_init(Graph *graph, GraphFolding folding) { *graph = (Graph){.folding = folding}; }

void graph_clear(Graph *graph) {
  free(graph->nodes);
  free(graph->table);
  graph_init(graph, graph->folding);
}

static uint64_t hash_of(const GraphNode *node) {
  uint64_t part[6] = {(uint64_t)node->kind, (uint64_t)node->a, (uint64_t)node->b, (uint64_t)node->c, 0, 0};
  uint64_t hash = 1469598103934665603U;
  memcpy(&part[4], &node->factor, sizeof node->factor);
  memcpy(&part[5], &node->offset, sizeof node->offset);
  for (int i = 0; i < 6; i++) {
    hash = (hash ^ part[i]) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29;
  }
  return hash;
}

/* Whether two nodes are equal. Numbers are compared by their bits: -0 differs from 0. */
static bool same(const GraphNode *x, const GraphNode *y) {
  return x->kind == y->kind && x->a == y->a && x->b == y->b && x->c == y->c &&
         memcmp(&x->factor, &y->factor, sizeof x->factor) == 0 && memcmp(&x->offset, &y->offset, sizeof x->offset) == 0;
}

/* Returns the entry of the hash table that has the number of an equal node, or the free entry for this node. */
static int *slot_of(const Graph *graph, const GraphNode *node) {
  uint64_t mask = (uint64_t)graph->table_size - 1, at = hash_of(node) & mask;
  while (graph->table[at] >= 0 && !same(&graph->nodes[graph->table[at]], node)) at = (at + 1) & mask;
  return &graph->table[at];
}

/* Ensures that the arrays can store one more node; returns false if there is no memory. */
static bool grow(Graph *graph) {
  if (graph->n < graph->room) return true;
  int room = graph->room ? 2 * graph->room : FIRST_ROOM;
  GraphNode *nodes = realloc(graph->nodes, (size_t)room * sizeof *nodes);
  if (!nodes) return false;
  graph->nodes = nodes;
  int *table = malloc(2 * (size_t)room * sizeof *table);
  if (!table) return false;
  free(graph->table);
  graph->table = table;
  graph->table_size = 2 * room;
  graph->room = room;
  for (int i = 0; i < graph->table_size; i++) table[i] = -1;
  for (int i = 0; i < graph->n; i++) *slot_of(graph, &nodes[i]) = i;
  return true;
}

/* Returns the number of a node that equals `node`. Adds the node if the graph does not have it yet. */
static int keep(Graph *graph, GraphNode node) {
  int *slot = graph->n ? slot_of(graph, &node) : NULL;
  if (slot && *slot >= 0) return *slot;
  if (!grow(graph)) return -1;
  graph->nodes[graph->n] = node;
  *slot_of(graph, &node) = graph->n;
  return graph->n++;
}

int graph_number(Graph *graph, double value) { return keep(graph, (GraphNode){.kind = GRAPH_NUMBER, .offset = value}); }

int graph_variable(Graph *graph, int which) { return keep(graph, (GraphNode){.kind = GRAPH_VARIABLE, .a = which}); }

/* A node written as factor x + offset. For a number the factor is 0 and x is -1. */
typedef struct Affine {
  int x;
  double factor, offset;
} Affine;

/* Whether a node can be written as factor x + offset under the graph's folding rules. If so, sets *affine. */
static bool read_affine(const Graph *graph, int node, Affine *affine) {
  const GraphNode *made = &graph->nodes[node];
  switch (made->kind) {
  case GRAPH_NUMBER: *affine = (Affine){-1, 0, made->offset}; return true;
  case GRAPH_AFFINE: *affine = (Affine){made->a, made->factor, made->offset}; return true;
  case GRAPH_VARIABLE: *affine = (Affine){node, 1, 0}; return true;
  default: *affine = (Affine){node, 1, 0}; return graph->folding == GRAPH_TIDY;
  }
}

static int make_affine(Graph *graph, Affine made) {
  if (made.x < 0 || made.factor == 0) return graph_number(graph, made.offset);
  if (made.factor == 1 && made.offset == 0) return made.x;
  return keep(graph, (GraphNode){GRAPH_AFFINE, made.x, 0, 0, made.factor, made.offset + 0.0});
}

int graph_affine(Graph *graph, double factor, int a, double offset) {
  Affine of;
  if (a < 0) return -1;
  if (!read_affine(graph, a, &of)) return keep(graph, (GraphNode){GRAPH_AFFINE, a, 0, 0, factor, offset});
  return make_affine(graph, (Affine){of.x, factor * of.factor, factor * of.offset + offset});
}

/* Whether the sum, product, .. (`kind`) of two affine functions is again affine. If so, sets *made to it. */
static bool combine(GraphKind kind, Affine x, Affine y, Affine *made) {
  double sign = kind == GRAPH_SUBTRACT ? -1 : 1;
  switch (kind) {
  case GRAPH_ADD:
  case GRAPH_SUBTRACT:
    if (x.x >= 0 && y.x >= 0 && x.x != y.x) return false;
    *made = (Affine){x.x >= 0 ? x.x : y.x, x.factor + sign * y.factor, x.offset + sign * y.offset};
    return true;
  case GRAPH_MULTIPLY:
    if (x.x >= 0 && y.x >= 0) return false;
    if (x.x < 0) *made = (Affine){y.x, y.factor * x.offset, y.offset * x.offset};
    if (x.x >= 0) *made = (Affine){x.x, x.factor * y.offset, x.offset * y.offset};
    return true;
  case GRAPH_DIVIDE:
    if (y.x >= 0 || y.offset == 0) return false;
    *made = (Affine){x.x, x.factor / y.offset, x.offset / y.offset};
    return true;
  default: return false;
  }
}

/* Replaces a sum or product of affine functions by one affine function where possible. GRAPH_AS_WRITTEN keeps the
 * rounding of the text: t/3 remains a division, and 2*t/3 is not folded. */
static bool fold_affine(Graph *graph, GraphKind kind, int a, int b, Affine *made) {
  Affine x, y;
  if (kind < GRAPH_ADD || kind > GRAPH_DIVIDE || !read_affine(graph, a, &x) || !read_affine(graph, b, &y)) return false;
  if (kind == GRAPH_DIVIDE && x.x == a && graph->folding == GRAPH_AS_WRITTEN) return false;
  return combine(kind, x, y, made);
}

/* Writes the powers x^0 to x^4 as products: with GRAPH_AS_WRITTEN only if x is a variable, with GRAPH_TIDY for any
 * node x. Returns -1 if the power is not of this form. */
static int fold_power(Graph *graph, int a, int b) {
  double exponent = graph->nodes[b].offset;
  bool folds = graph->nodes[a].kind == GRAPH_VARIABLE || graph->folding == GRAPH_TIDY;
  if (graph->nodes[b].kind != GRAPH_NUMBER || !folds) return -1;
  if (exponent == 0) return graph_number(graph, 1);
  if (exponent != 1 && exponent != 2 && exponent != 3 && exponent != 4) return -1;
  int made = a;
  for (int i = 1; i < (int)exponent; i++) made = graph_multiply(graph, made, a);
  return made;
}

static bool is_one(const Graph *graph, int node) {
  return graph_is_number(graph, node) && graph->nodes[node].offset == 1;
}

/* Splits a constant factor off an operand of a product, so that (2 x) y can be written 2 (x y). Replaces *node by the
 * node without the factor, and multiplies *factor. Returns false if the node has no such factor. */
static bool take_factor(const Graph *graph, int *node, double *factor) {
  const GraphNode *of = &graph->nodes[*node];
  if (graph->folding != GRAPH_TIDY || of->kind != GRAPH_AFFINE || of->offset != 0) return false;
  *factor *= of->factor;
  *node = of->a;
  return true;
}

static int make_product(Graph *graph, GraphKind kind, int a, int b) {
  if (is_one(graph, b)) return a;
  if (is_one(graph, a) && kind == GRAPH_MULTIPLY) return b;
  double up = 1, down = 1;
  bool of_a = take_factor(graph, &a, &up), of_b = take_factor(graph, &b, kind == GRAPH_DIVIDE ? &down : &up);
  if (of_a || of_b) return graph_affine(graph, up / down, graph_make(graph, kind, a, b, 0), 0);
  if (kind == GRAPH_MULTIPLY && a > b) return keep(graph, (GraphNode){.kind = kind, .a = b, .b = a});
  return keep(graph, (GraphNode){.kind = kind, .a = a, .b = b});
}

static bool all_numbers(const Graph *graph, int operands, int a, int b, int c) {
  return graph_is_number(graph, a) && (operands < 2 || graph_is_number(graph, b)) &&
         (operands < 3 || graph_is_number(graph, c));
}

int graph_make(Graph *graph, GraphKind kind, int a, int b, int c) {
  int operands = graph_operands(kind);
  if (a < 0 || (operands > 1 && b < 0) || (operands > 2 && c < 0)) return -1;
  if (operands < 2) b = 0;
  if (operands < 3) c = 0;
  const GraphNode node = {.kind = kind, .a = a, .b = b, .c = c};
  if (all_numbers(graph, operands, a, b, c))
    return graph_number(graph,
                        graph_apply(&node, graph->nodes[a].offset, graph->nodes[b].offset, graph->nodes[c].offset));
  Affine made;
  if (operands == 2 && fold_affine(graph, kind, a, b, &made)) return make_affine(graph, made);
  bool tidy = graph->folding == GRAPH_TIDY;
  switch (kind) {
  case GRAPH_NEGATE: return tidy ? graph_affine(graph, -1, a, 0) : keep(graph, node);
  case GRAPH_POWER: {
    int folded = fold_power(graph, a, b);
    return folded >= 0 ? folded : keep(graph, node);
  }
  case GRAPH_DIVIDE:
    if (tidy && graph_is_number(graph, a) && graph->nodes[a].offset == 0) return a;
    return make_product(graph, kind, a, b);
  case GRAPH_MULTIPLY: return make_product(graph, kind, a, b);
  case GRAPH_ADD: return keep(graph, (GraphNode){.kind = kind, .a = a < b ? a : b, .b = a < b ? b : a});
  case GRAPH_CHOOSE:
    return b == c ? b : graph_is_number(graph, a) ? (graph->nodes[a].offset != 0 ? b : c) : keep(graph, node);
  default: return keep(graph, node);
  }
}

double graph_apply(const GraphNode *node, double a, double b, double c) {
  switch (node->kind) {
  case GRAPH_NUMBER: return node->offset;
  case GRAPH_VARIABLE: return NAN;
  case GRAPH_AFFINE: return a * node->factor + node->offset;
  case GRAPH_NEGATE: return -a;
  case GRAPH_SIN: return sin(a);
  case GRAPH_COS: return cos(a);
  case GRAPH_TAN: return tan(a);
  case GRAPH_ASIN: return asin(a);
  case GRAPH_ACOS: return acos(a);
  case GRAPH_ATAN: return atan(a);
  case GRAPH_SINH: return sinh(a);
  case GRAPH_COSH: return cosh(a);
  case GRAPH_TANH: return tanh(a);
  case GRAPH_ASINH: return asinh(a);
  case GRAPH_ACOSH: return acosh(a);
  case GRAPH_ATANH: return atanh(a);
  case GRAPH_EXP: return exp(a);
  case GRAPH_LN: return log(a);
  case GRAPH_LOG2: return log2(a);
  case GRAPH_LOG10: return log10(a);
  case GRAPH_SQRT: return sqrt(a);
  case GRAPH_ABS: return fabs(a);
  case GRAPH_SIGN: return a < 0 ? -1 : a > 0;
  case GRAPH_RINT: return floor(a + 0.5);
  case GRAPH_ADD: return a + b;
  case GRAPH_SUBTRACT: return a - b;
  case GRAPH_MULTIPLY: return a * b;
  case GRAPH_DIVIDE: return a / b;
  case GRAPH_POWER: return pow(a, b);
  case GRAPH_ATAN2: return atan2(a, b);
  case GRAPH_MIN: return b < a ? b : a;
  case GRAPH_MAX: return a < b ? b : a;
  case GRAPH_LESS: return a < b;
  case GRAPH_AT_MOST: return a <= b;
  case GRAPH_EQUAL: return a == b;
  case GRAPH_UNEQUAL: return a != b;
  case GRAPH_AND: return a != 0 && b != 0;
  case GRAPH_OR: return a != 0 || b != 0;
  case GRAPH_CHOOSE: return a != 0 ? b : c;
  }
  return NAN;
}

void graph_mark(const Graph *graph, int count, const int *nodes, bool *marked) {
  for (int i = 0; i < graph->n; i++) marked[i] = false;
  for (int i = 0; i < count; i++) marked[nodes[i]] = true;
  for (int i = graph->n - 1; i >= 0; i--) {
    const GraphNode *node = &graph->nodes[i];
    int operands = marked[i] ? graph_operands(node->kind) : 0;
    if (operands > 0) marked[node->a] = true;
    if (operands > 1) marked[node->b] = true;
    if (operands > 2) marked[node->c] = true;
  }
}
