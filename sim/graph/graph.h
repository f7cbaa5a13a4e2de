/* Expressions as one graph: nodes are operations, each kept once, so that equal parts of all expressions share one node.
 * A node is named by its number; its operands have smaller numbers. */
#ifndef SIM_GRAPH_GRAPH_H
#define SIM_GRAPH_GRAPH_H

#include <stdbool.h>
#include <stddef.h>

typedef enum GraphKind {
  GRAPH_NUMBER,   /* offset */
  GRAPH_VARIABLE, /* number a of the variables */
  GRAPH_AFFINE,   /* factor a + offset */
  /* one operand */
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
  GRAPH_SIGN, /* -1, 0, 1 */
  GRAPH_RINT, /* the nearest integer; halves go up */
  /* two operands; a comparison is 1 or 0, and what is not 0 is true */
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
  /* three operands */
  GRAPH_CHOOSE /* a ? b : c */
} GraphKind;

/* How many operands a kind has: those are a, b, c of the node, in this order. */
static inline int graph_operands(GraphKind kind) {
  return kind < GRAPH_AFFINE ? 0 : kind < GRAPH_ADD ? 1 : kind < GRAPH_CHOOSE ? 2 : 3;
}

typedef struct GraphNode {
  GraphKind kind;
  int a, b, c; /* operands; 0 where the kind has none */
  double factor, offset;
} GraphNode;

/* What the graph may replace an expression by. */
typedef enum GraphFolding {
  /* What users write: operations on numbers, affine functions of a variable (2*(3*t + 1)/4 is one node), and a variable to
   * a power up to 4. All other operations round as written. */
  GRAPH_AS_WRITTEN,
  /* Also affine functions of any node, 0 x = 0, x^2 = x x, and numbers moved out of products: fewer nodes, other
   * rounding. For expressions that the program makes, as of mechanisms. */
  GRAPH_TIDY
} GraphFolding;

typedef struct Graph {
  GraphFolding folding;
  int n, room;
  GraphNode *nodes;       /* [n] */
  int *table, table_size; /* nodes by their hash; -1: free */
} Graph;

void graph_init(Graph *graph, GraphFolding folding);
void graph_clear(Graph *graph);

/* Each returns the node, or -1 without memory. An operand of -1 gives -1, so a caller may check the last result only. */
int graph_number(Graph *graph, double value);
int graph_variable(Graph *graph, int which);
/* factor a + offset. */
int graph_affine(Graph *graph, double factor, int a, double offset);
/* An operation of up to three operands; those that the kind does not have are ignored. */
int graph_make(Graph *graph, GraphKind kind, int a, int b, int c);

static inline int graph_of(Graph *graph, GraphKind kind, int a) { return graph_make(graph, kind, a, 0, 0); }
static inline int graph_add(Graph *graph, int a, int b) { return graph_make(graph, GRAPH_ADD, a, b, 0); }
static inline int graph_subtract(Graph *graph, int a, int b) { return graph_make(graph, GRAPH_SUBTRACT, a, b, 0); }
static inline int graph_multiply(Graph *graph, int a, int b) { return graph_make(graph, GRAPH_MULTIPLY, a, b, 0); }
static inline int graph_divide(Graph *graph, int a, int b) { return graph_make(graph, GRAPH_DIVIDE, a, b, 0); }

static inline bool graph_is_number(const Graph *graph, int node) { return graph->nodes[node].kind == GRAPH_NUMBER; }

/* The value of one operation, of its operands' values. */
double graph_apply(const GraphNode *node, double a, double b, double c);

/* Marks [n] the nodes that those given depend on, and those themselves: all others are false. */
void graph_mark(const Graph *graph, int count, const int *nodes, bool *marked);

#endif
