/* A graph compiled for Taylor series in time of its outputs. At order 0 each step is evaluated, and its slopes. Each higher
 * order is then one pass of linear recurrences, the same for all orders:
 *
 *     c_k[z] = alpha c_k[a] + beta c_k[b] + gamma P_k[m],      P_k[m] = sum over 0 < j < k of X_j[m] Y_(k-j)[m]
 *
 * c_k[z] is the coefficient of (t - t0)^k of row z. P_k is what lower orders add through products; X_j[m] and Y_j[m] are rows'
 * coefficients, X_j of a weighed entry times j, and its P_k divided by k. alpha, beta, gamma of each step:
 *
 *     f a + g b + h                f, g, 0                 a b        b_0, a_0, 1, of a, b      a^2      2 a_0, 0, 1, of a, a
 *     a/b                          1/b_0, -z_0/b_0, -1/b_0, of b, z                             sqrt(a)  1/(2 z_0), 0, -1/(2 z_0), of z, z
 *     z with z' = s u a'           s u_0, 0, s, weighed of a, u       (exp, sin, cos, tan, sinh, cosh, tanh, a^r)
 *     z with z' = a'/u             1/u_0, 0, -1/u_0, weighed of z, u  (ln, atan, asin, asinh, acosh, atanh)
 *
 * where u is a row, too: cos of sin, 1 + z^2 of tan, 1 + a^2 of atan. A kink (abs, min, max, sign, comparisons, ?:) has a
 * switching function. Its sign is part of the state; with the sign given the step is linear.
 *
 * Late variables, accelerations say, enter the outputs linearly: those of order k are found when all else of order k is known. */
#ifndef SIM_GRAPH_TAPE_H
#define SIM_GRAPH_TAPE_H

#include "sim/graph/graph.h"

enum { GRAPH_ORDER_MAX = 24, GRAPH_COLUMNS = 8 };

typedef enum GraphTapeOp {
  TAPE_SUM,        /* f a + g b + offset */
  TAPE_SCALE,      /* a b, b constant in time */
  TAPE_DIVIDE_BY,  /* a / b, b constant in time */
  TAPE_PRODUCT,    /* a b */
  TAPE_SQUARE,     /* a a */
  TAPE_QUOTIENT,   /* a / b */
  TAPE_ROOT,       /* sqrt(a) */
  TAPE_RATE_TIMES, /* z' = f u a' */
  TAPE_RATE_OVER,  /* z' = a' / u */
  TAPE_SIGNED,     /* |a| = sign a */
  TAPE_PICK,       /* a or b, by the sign or by the condition in row u */
  TAPE_LEVEL       /* 1, 0, -1 by the sign, or by the conditions in rows a and b */
} GraphTapeOp;

/* What makes a row. Row z of step i is `first + i`. */
typedef struct GraphStep {
  GraphTapeOp op;
  GraphKind kind; /* of the node: which function or comparison */
  int a, b, u;    /* rows; 0, of zeros, where there is none */
  int kink;       /* -1: none */
  double f, g, offset;
} GraphStep;

typedef struct GraphLink {
  int a, b, m;
} GraphLink;

typedef struct GraphKernel GraphKernel;

typedef struct GraphTape {
  int rows, first, n_steps;
  int late_step;      /* from this step on rows depend on late variables */
  GraphStep *steps;   /* [n_steps] */
  GraphLink *links;   /* [n_steps] rows and product of each recurrence */
  int n_entries;      /* number of products; product 0 is of two rows of zeros */
  int room;           /* n_entries, up to a multiple of GRAPH_COLUMNS */
  int *x_row, *y_row; /* [n_entries] */
  double *weight;     /* [room] 1: weighed, as above; 0: not */
  int n_fixed;
  GraphNode *fixed; /* [n_fixed] operations on what is constant in time; operands are rows */
  int *fixed_row;   /* [n_fixed] */
  double *initial;  /* [rows] numbers, else 0 */
  int n_variables, n_outputs, n_late, n_kinks;
  int *variable; /* [n_variables] rows */
  int *output;   /* [n_outputs] rows */
  int *late;     /* [n_late] rows */
  int *kink_row; /* [n_kinks] rows of switching functions */
  const GraphKernel *kernel;
} GraphTape;

/* How the variables of a graph depend on time. */
typedef enum GraphRole {
  GRAPH_VARIES,   /* the caller gives its coefficients of each order */
  GRAPH_CONSTANT, /* a parameter, or a control that is constant for a while */
  GRAPH_LATE
} GraphRole;

/* roles: [n_variables]. outputs: [count] nodes. Returns NULL where an output has no series, and `why` says so; or without memory,
 * with `why` NULL. */
GraphTape *graph_tape_create(const Graph *graph, int n_variables, const GraphRole *roles, int count, const int *outputs,
                             const char **why);
void graph_tape_destroy(GraphTape *tape); /* NULL: nothing */

#endif
