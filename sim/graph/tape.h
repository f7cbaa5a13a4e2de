/* SPDX-License-Identifier: BSD-2-Clause */
/* A graph of expressions compiled for Taylor series of its outputs in time. At order 0 each step is evaluated, and
 * its slopes alpha, beta, gamma. Each higher order is then one pass of linear recurrences, the same for all orders:
 *
 *     c_k[z] = alpha c_k[a] + beta c_k[b] + gamma P_k[m],      P_k[m] = sum over 0 < j < k of X_j[m] Y_(k-j)[m]
 *
 * A row is the series of one node; c_k[z] is the coefficient of (t - t0)^k of row z. A step computes one row from
 * rows a and b. P_k is the contribution of lower orders through products; X_j[m] and Y_j[m] are coefficients of
 * rows. The terms of P_k are added in the order of j, but for odd k the first and the last one come last. In a weighed
 * entry m, X_j is multiplied by j and P_k divided by k. alpha, beta, gamma of each step:
 *
 *     row z                  alpha, beta, gamma           factors X, Y of P
 *     f a + g b + h          f, g, 0
 *     a b                    b_0, a_0, 1                  a, b
 *     a^2                    2 a_0, 0, 1                  a, a
 *     a/b                    1/b_0, -z_0/b_0, -1/b_0      b, z
 *     sqrt(a)                1/(2 z_0), 0, -1/(2 z_0)     z, z
 *     z with z' = s u a'     s u_0, 0, s                  a, u, weighed  (exp, sin, cos, tan, sinh, cosh, tanh, a^r)
 *     z with z' = a'/u       1/u_0, 0, -1/u_0             z, u, weighed  (ln, atan, asin, asinh, acosh, atanh)
 *
 * where u is a row, too: for example cos for sin, 1 + z^2 for tan, 1 + a^2 for atan. A kink (abs, min, max, sign,
 * comparisons, ?:) has a switching function. Its sign is part of the state. For a given sign the step is linear.
 *
 * Late variables are unknowns that enter the outputs linearly, for example accelerations. Their coefficients of
 * order k are solved for when all other coefficients of order k are known. */
#ifndef SIM_GRAPH_TAPE_H
#define SIM_GRAPH_TAPE_H

#include "sim/graph/graph.h"
#include "sim/graph/schedule.h"

/* highest order of a series; number of directions in which a series is differentiated at once */
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

/* How a row is computed. Step i computes row `first + i`. */
typedef struct GraphStep {
  GraphTapeOp op;
  GraphKind kind; /* kind of the node: which function or comparison */
  int a, b, u;    /* rows of the operands and of u (above); row 0, which contains zeros, if there is none */
  int kink;       /* number of the kink that gives the step its sign; -1: none */
  double f, g, offset;
} GraphStep;

typedef struct GraphLink {
  int a, b, m;
} GraphLink;

/* Forms: groups of steps with the same recurrence. Steps of a form are consecutive, so that their loops need no
 * branches. */
typedef enum GraphForm {
  FORM_SUM,     /* f a + g b + offset: alpha and beta never change */
  FORM_PRODUCT, /* a b, where b does not depend on late variables; the products P of a run are consecutive, too */
  FORM_OTHER,
  TAPE_FORMS
} GraphForm;

typedef struct GraphKernel GraphKernel;

typedef struct GraphTape {
  int rows, first, n_steps;
  int late_step;    /* index of the first step that depends on late variables (unknowns that the caller solves for in
                     * each order) */
  int late_run;     /* index of the run that begins with late_step */
  GraphStep *steps; /* [n_steps] operations that depend on time, in the order of computation */
  int n_runs;
  GraphRun *runs;     /* [n_runs] ranges of consecutive steps of the same form */
  GraphLink *links;   /* [n_steps] operand rows a, b and number m of the product P for each step's recurrence */
  int n_entries;      /* number of products P; both factors of product 0 are the row of zeros */
  int room;           /* n_entries, rounded up to a multiple of GRAPH_COLUMNS */
  int *x_row, *y_row; /* [n_entries] rows of the factors X and Y of each product */
  /* Rows of steps that depend on late variables, and that are needed once these are known: factors of products, first
   * operands of steps with products, and outputs. carried_room: n_carried, rounded up to a multiple of GRAPH_COLUMNS. */
  int n_carried, carried_room;
  int *carried;
  int n_taken;
  int *taken; /* [n_taken] products of other steps than those of the form FORM_PRODUCT, and products that depend on late
               * variables */
  int n_weighed;
  int *weighed; /* [n_weighed] numbers of the weighed entries m (above), in increasing order */
  int n_fixed;
  GraphNode *fixed; /* [n_fixed] operations on values that are constant in time; their operands are rows */
  int *fixed_row;   /* [n_fixed] row of the result of each of these operations */
  double *initial;  /* [rows] the value of a row that is a number, 0 for all others */
  int n_variables, n_outputs, n_late, n_kinks;
  int *variable;       /* [n_variables] row of each variable */
  int *output;         /* [n_outputs] row of each output */
  int *output_carried; /* [n_outputs] index of this row among the carried ones; -1: it is none of them */
  int *late;           /* [n_late] row of each late variable */
  int *kink_row;       /* [n_kinks] row of each kink's switching function */
  /* The switching functions of kinks 0 .. n_moving - 1 depend on time, those of the others do not. n_switched:
   * number of steps that use the sign of a time-dependent kink. */
  int n_moving, n_switched;
  bool *may_jump; /* [n_kinks] whether a comparison or sign() uses the kink, so that outputs may jump there */
  const GraphKernel *kernel;
} GraphTape;

/* How a variable of a graph depends on time. */
typedef enum GraphRole {
  GRAPH_VARIES,         /* the caller sets the variable's coefficients of each order */
  GRAPH_CONSTANT,       /* the variable is constant in time: a parameter, or a control within a segment */
  GRAPH_DIFFERENTIATED, /* the variable is constant in time, and the series are differentiated by it */
  GRAPH_LATE
} GraphRole;

/* Compiles the outputs [count] of a graph. roles: [n_variables]. Returns NULL if an output has no Taylor series,
 * with the reason in *why, or if there is no memory, with *why NULL. */
GraphTape *graph_tape_create(const Graph *graph, int n_variables, const GraphRole *roles, int count, const int *outputs,
                             const char **why);
void graph_tape_destroy(GraphTape *tape); /* may be NULL */
/* Whether two tapes have the same time-dependent kinks, with the same numbers. The tapes must be compiled from the
 * same outputs of the same graph, except that one may have numbers in place of some variables. Such a number may
 * make two kinks equal or remove a kink; the tape then has fewer kinks, or fewer steps that use them. */
bool graph_tape_same_kinks(const GraphTape *a, const GraphTape *b);

#endif
