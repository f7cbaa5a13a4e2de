/* SPDX-License-Identifier: BSD-2-Clause */
/* The semidefinite program of a bound: a list of small matrices Q that depend linearly on variables and must be
 * positive semidefinite,
 *
 *   Q = start + sum_c value_c F_c >= 0,  F_c = sum_t w_t (a_t b_t' + b_t a_t')/2                                (1)
 *
 * The sum over c is over the columns of the matrix, the sum over t over the terms of a column, with weights w_t. Each Q
 * belongs to a time point (BoundPlace): a Bernstein coefficient of an interval of time, a jump of V, or an end of time.
 * a_t, b_t are rows: vectors of the two factors of a product. Column c has a value: either a variable of the time
 * point, shared by its matrices, or an own variable >= 0 of this matrix alone. V is the test function of README.md. A
 * node is the set of variables of V at one Bernstein coefficient; neighbouring time points share nodes. A local
 * variable belongs to one time point. The last own variable of a matrix is the slack s, which multiplies the unit
 * matrix. The program maximises
 *
 *   first'y_0 + last'y_N + sum gain'local - sum share price s,                                                  (2)
 *
 * where y_0, y_N are the variables of the first and the last node. The first sum is over the time points and their
 * local variables, the second over the matrices and their slacks. */
#ifndef CONTROL_BOUND_PROGRAM_H
#define CONTROL_BOUND_PROGRAM_H

#include "sim/internal.h"

typedef struct BoundTerm {
  int a, b; /* indices of the two rows that are multiplied */
  double weight;
} BoundTerm;

/* One matrix Q of the program, of size n. Rows 0 .. n - 1 are unit vectors. The columns of variables that several
 * matrices share come first, then the columns of own variables of this matrix alone. */
typedef struct BoundLmi {
  int n, rows, columns, shared, terms;
  double *row, *off; /* [rows][n] entries of the rows; [rows][n] error bounds of these entries */
  double *start;     /* [n][n] constant part of the matrix Q */
  double *start_off; /* [n][n] error bounds of `start` */
  int u, controls;   /* the rows u .. u + controls - 1 are the unit vectors of the control; u = 0: the matrix does not
                      * depend on the control */
  int *variable;     /* [columns] index of each column's variable among the variables of the time point; -1: the
                      * variable belongs to this matrix alone */
  int *first;        /* [columns + 1] index of the first term of each column */
  BoundTerm *term;   /* [terms] weighted products of two rows, in the order of their columns */
  /* Price of the slack s: for all motions, the integral over time of y'y times the Bernstein polynomial of a time point
   * is at most the price times the time point's `share`, where y is the vector of the matrix. */
  double price;
  int room_rows, room_columns, room_terms;
  bool no_memory; /* whether an allocation has failed */
} BoundLmi;

/* The matrices of all time points of one type: those inside intervals, those at jumps of V, or those at the ends of
 * time. A time point has `local` variables of its own, followed by `parts` values (BOUND_RATE ..) for each variable of
 * V. */
typedef struct BoundKind {
  int lmis, local;
  BoundLmi *lmi;
  double *gain; /* [local] coefficients of the local variables in the value (2) of the program */
} BoundKind;

/* Parts of a variable of V at a time point. Each part is a weighted sum of the variable over nodes: its rate in time,
 * its value and, for each component of a drift (drift.h), its value times this component. */
enum { BOUND_RATE, BOUND_VALUE, BOUND_FORCED };
enum { BOUND_SPAN = 5 /* maximum number of nodes of a time point */ };

typedef struct BoundPlace {
  /* kind: index of the type of the time point (BoundKind). The time point uses the nodes `node` .. node + span - 1. */
  int kind, node, span;
  int before, around; /* before: number of nodes of the time point's interval in front of `node`. around: number of
                         * nodes of the interval. */
  double *weight;     /* [parts][BOUND_SPAN] weights of the nodes in each part of a variable of V */
  double *off;        /* [parts] error bound of each part of a variable, relative to the variable's largest value
                         * at the nodes of the interval */
  double share;       /* fraction of the time point in the total time; 1 for an end of time */
  /* cost that is added to the matrices: [1 + entries of u] numbers for their entries (1, 1) and (1, u_j), then [1 +
   * entries of u] error bounds of these numbers; NULL: none */
  const double *cost;
} BoundPlace;

typedef struct BoundProgram {
  int node_size, nodes, kinds, places;
  int parts; /* number of parts of a variable of V at a time point, at least BOUND_FORCED */
  BoundKind *kind;
  BoundPlace *place;
  double *first, *last; /* [node_size] coefficients in the program's value (2) of the variables of the first node,
                         * and of the last node */
  double *weights;      /* weights of all time points, in one allocation */
  double *costs;        /* costs of all time points, in one allocation; NULL: none */
} BoundProgram;

/* Values of all variables, in one allocation. node: [nodes][node_size] the variables of V. local: the local variables
 * of each time point. own: the own variables of each matrix, one matrix after the other. */
typedef struct BoundValues {
  double *node, *local, *own;
} BoundValues;

/* Initialises a program of these sizes with zeros. Returns SIM_OK or SIM_NO_MEMORY; the program must be cleared in both
 * cases. */
SimStatus bound_program_init(BoundProgram *program, int node_size, int parts, int nodes, int kinds, int places);
SimStatus bound_kind_init(BoundKind *kind, int lmis, int local);
void bound_program_clear(BoundProgram *program);
bool bound_program_whole(const BoundProgram *program); /* returns whether all allocations have succeeded */

/* returns the number of variables of a time point of this type */
int bound_kind_size(const BoundProgram *program, const BoundKind *kind);
static inline int bound_lmi_own(const BoundLmi *lmi) { return lmi->columns - lmi->shared; }
/* returns the number of own variables of the first `places` time points */
long bound_program_own(const BoundProgram *program, int places);
/* returns the number of local variables of the first `places` time points */
long bound_program_local(const BoundProgram *program, int places);

SimStatus bound_values_init(const BoundProgram *program, BoundValues *values); /* allocates the values, all zero */
void bound_values_clear(BoundValues *values);

/* Computes the parts [parts][node_size] of the variables of V at a time point, from the variables at all nodes
 * [nodes][node_size]. magnitude: set to the same sums with absolute values of all terms; may be NULL. */
void bound_place_parts(const BoundProgram *program, int place, const double *node, double *part, double *magnitude);
/* Computes the values [bound_kind_size] of the variables of a time point from the values of all variables. magnitude:
 * set to the sums of the absolute terms; off: set to error bounds. Both are [bound_kind_size] and may be NULL. */
void bound_place_values(const BoundProgram *program, int place, const BoundValues *values, double *value,
                        double *magnitude, double *off);

/* Functions that build a matrix (1) row by row and column by column. If an allocation fails, these functions set
 * no_memory in the matrix. */
void bound_lmi_init(BoundLmi *lmi, int n);
void bound_lmi_clear(BoundLmi *lmi);
/* adds a row [n] to a matrix and returns the row's index; off: error bounds of the entries; NULL: the row is exact */
int bound_lmi_row(BoundLmi *lmi, const double *row, const double *off);
/* adds a column for a variable of the time point; variable = -1: for a variable of this matrix alone, which must come
 * after all others */
void bound_lmi_column(BoundLmi *lmi, int variable);
/* adds the product of the rows a and b, with a weight, to the last column */
void bound_lmi_term(BoundLmi *lmi, int a, int b, double weight);
void bound_lmi_product(BoundLmi *lmi, int a,
                       int b);        /* adds an own variable >= 0 of this matrix with its column: minus the product of
                                       * the rows a and b, a product that is nonnegative for all motions */
void bound_lmi_finish(BoundLmi *lmi); /* adds the column of the slack; must be the last call for a matrix */

#endif
