/* SPDX-License-Identifier: BSD-2-Clause */
/* Expressions as a graph. A node is a variable, a number, or an operation on other nodes. Equal nodes are stored once,
 * so expressions share their common parts. A node is identified by its index; its operands have smaller indices. */
#ifndef SIM_GRAPH_GRAPH_H
#define SIM_GRAPH_GRAPH_H

#include <stdbool.h>
#include <stddef.h>

typedef enum GraphKind {
  GRAPH_NUMBER,   /* the number is in `offset` */
  GRAPH_VARIABLE, /* variable with the number a */
  GRAPH_AFFINE,   /* factor a + offset, with node a */
  /* kinds with one operand */
  GRAPH_NEGATE,
  GRAPH_SIN,
  GRAPH_COS,
  GRAPH_TAN,
  GRAPH_ASIN,
  GRAPH_ACOS,
  GRAPH_ATAN,
  GRAPH_SINH,
  GRAPH_COSH,
  GRAPH_TANH,
  GRAPH_ASINH,
  GRAPH_ACOSH,
  GRAPH_ATANH,
  GRAPH_EXP,
  GRAPH_LN,
  GRAPH_LOG2,
  GRAPH_LOG10,
  GRAPH_SQRT,
  GRAPH_ABS,
  GRAPH_SIGN, /* -1, 0 or 1 */
  GRAPH_RINT, /* the nearest integer; halves are rounded up */
  /* Kinds with two operands. A comparison is 1 or 0; as a condition any value but 0 is true. */
  GRAPH_ADD,
  GRAPH_SUBTRACT,
  GRAPH_MULTIPLY,
  GRAPH_DIVIDE,
  GRAPH_POWER,
  GRAPH_ATAN2,
  GRAPH_MIN,
  GRAPH_MAX,
  GRAPH_LESS,
  GRAPH_AT_MOST,
  GRAPH_EQUAL,
  GRAPH_UNEQUAL,
  GRAPH_AND,
  GRAPH_OR,
  /* kinds with three operands */
  GRAPH_CHOOSE /* a ? b : c */
} GraphKind;

/* Returns the number of operands of a kind. The operands are the members a, b, c of the node, in this order. */
static inline int graph_operands(GraphKind kind) {
  return kind < GRAPH_AFFINE ? 0 : kind < GRAPH_ADD ? 1 : kind < GRAPH_CHOOSE ? 2 : 3;
}

typedef struct GraphNode {
  GraphKind kind;
  int a, b, c; /* operands; 0 for those that the kind does not have */
  double factor, offset;
} GraphNode;

/* How far the graph may simplify expressions. */
typedef enum GraphFolding {
  /* For users' expressions: folds operations on numbers, affine functions of a variable (2*(3*t + 1)/4 is one node),
   * and powers of a variable up to 4. All other operations are rounded as written. */
  GRAPH_AS_WRITTEN,
  /* For expressions that the program generates, for example a mechanism's equations: also folds affine functions of
   * any node, 0 x = 0 and x^2 = x x, and moves constants out of products. There are fewer nodes, with other rounding
   * errors. */
  GRAPH_TIDY
} GraphFolding;

typedef struct Graph {
  GraphFolding folding;
  int n, room;
  GraphNode *nodes;       /* [n] nodes; operands come before the nodes that use them; owned */
  int *table, table_size; /* hash table of node numbers; -1: free entry */
} Graph;

void graph_init(Graph *graph, GraphFolding folding);
void graph_clear(Graph *graph);

/* Each of these functions returns the number of a node, or -1 if there is no memory. If an operand is -1 the result
 * is -1, so a caller need check the last result only. */
int graph_number(Graph *graph, double value);
int graph_variable(Graph *graph, int which);
/* Returns factor a + offset. */
int graph_affine(Graph *graph, double factor, int a, double offset);
/* Returns the node of an operation on up to three operands. Operands beyond the number that the kind has are
 * ignored. */
int graph_make(Graph *graph, GraphKind kind, int a, int b, int c);

static inline int graph_of(Graph *graph, GraphKind kind, int a) { return graph_make(graph, kind, a, 0, 0); }
static inline int graph_add(Graph *graph, int a, int b) { return graph_make(graph, GRAPH_ADD, a, b, 0); }
static inline int graph_subtract(Graph *graph, int a, int b) { return graph_make(graph, GRAPH_SUBTRACT, a, b, 0); }
static inline int graph_multiply(Graph *graph, int a, int b) { return graph_make(graph, GRAPH_MULTIPLY, a, b, 0); }
static inline int graph_divide(Graph *graph, int a, int b) { return graph_make(graph, GRAPH_DIVIDE, a, b, 0); }

static inline bool graph_is_number(const Graph *graph, int node) { return graph->nodes[node].kind == GRAPH_NUMBER; }

/* Returns the value of one operation for given values of its operands. */
double graph_apply(const GraphNode *node, double a, double b, double c);

/* Sets marked [n]: true for the nodes `nodes` [count] and all nodes that they depend on, false for all others. */
void graph_mark(const Graph *graph, int count, const int *nodes, bool *marked);

#endif
