/* The semidefinite program of a bound: a list of small matrices, affine in some variables, that must be positive
 * semidefinite,
 *
 *     Q = start + sum_c value_c sum_t w_t (a_t b_t' + b_t a_t')/2 >= 0.                                          (1)
 *
 * Each Q belongs to a place. A place is a Bernstein coefficient of an interval of time, a jump of V, or an end of
 * time. a_t, b_t are rows: vectors of the two factors of a product. Column c of a matrix has a value: either a
 * variable of the place, shared by its matrices, or an own variable >= 0 of this matrix alone. A node is a set of
 * variables of V at one Bernstein coefficient; neighbouring places share nodes. A local variable belongs to one
 * place. The last own variable is the slack s, which multiplies the unit matrix. The program maximises
 *
 *     first'y_0 + last'y_N + sum_places gain'local - share sum price s,                                          (2)
 *
 * where y_0, y_N are the variables of the first and the last node. */
#ifndef CONTROL_BOUND_PROGRAM_H
#define CONTROL_BOUND_PROGRAM_H

#include "sim/internal.h"

typedef struct BoundTerm {
  int a, b; /* indices of the two rows of the product */
  double weight;
} BoundTerm;

/* One matrix Q of the program. Rows 0 .. n - 1 are unit vectors. The columns of shared variables come first, then those
 * of own variables, for which variable[] is -1. */
typedef struct BoundLmi {
  int n, rows, columns, shared, terms;
  double *row, *off; /* [rows][n] entries of the rows, and their error bounds */
  double *start;     /* [n][n] constant part of the matrix Q */
  double *start_off; /* [n][n] error bounds of `start` */
  int u, controls;   /* the rows u .. u + controls - 1 are the unit vectors of the control; u = 0: the matrix has no
                      * such rows */
  int *variable;     /* [columns] index of the column's variable in the place; -1: own variable */
  int *first;        /* [columns + 1] index of the first term of each column */
  BoundTerm *term;   /* [terms] products, in the order of their columns */
  /* Price of the slack s. Let y be the vector of the matrix. If the shares of all places add up to 1, the integral of
   * y'y times the place's Bernstein polynomial is at most share times price. */
  double price;
  int room_rows, room_columns, room_terms;
  bool no_memory; /* whether an allocation has failed */
} BoundLmi;

/* A kind: the matrices that places of the same kind have. A place has [local + parts node_size] variables: local
 * ones, followed by the parts of node variables. */
typedef struct BoundKind {
  int lmis, local;
  BoundLmi *lmi;
  double *gain; /* [local] coefficients of the local variables in (2) */
} BoundKind;

/* Parts of a node variable at a place. Each is a weighted sum over the place's nodes: the rate of the variable in
 * time, its value and, for each part of a drift (drift.h), its value times this part. */
enum { BOUND_RATE, BOUND_VALUE, BOUND_FORCED };
enum { BOUND_SPAN = 5 /* maximum number of nodes of a place */ };

typedef struct BoundPlace {
  int kind, node, span; /* kind: index of the place's kind. The place uses the nodes `node` .. node + span - 1. */
  int before, around;   /* before: number of nodes of the place's interval in front of `node`. around: number of nodes
                       * of the interval. */
  double *weight;       /* [parts][BOUND_SPAN] weights of the nodes */
  double *off;          /* [parts] error bound of each part, relative to the largest value of the variable at the
                         * interval's nodes */
  double share;         /* share of the place in the total time; 1 for an end */
  /* [2][1 + entries of u] numbers that are added to `start` at the entries (1, 1) and (1, u_j), followed by their
   * error bounds; NULL: none */
  const double *cost;
} BoundPlace;

typedef struct BoundProgram {
  int node_size, nodes, kinds, places;
  int parts; /* number of parts of a node variable, at least BOUND_FORCED */
  BoundKind *kind;
  BoundPlace *place;
  double *first, *last; /* [node_size] coefficients `first` and `last` of (2), for the variables of the first and of
                         * the last node */
  double *weights;      /* weights of all places, in one block */
  double *costs;        /* costs of all places, in one block; NULL: none */
} BoundProgram;

/* Values of all variables, allocated in one block: node [nodes][node_size], local [local of each place], own [own
 * variables of each matrix of each place]. */
typedef struct BoundValues {
  double *node, *local, *own;
} BoundValues;

/* Initialises a program of these sizes with zeros. Returns SIM_OK or SIM_NO_MEMORY; clear the program in both cases. */
SimStatus bound_program_init(BoundProgram *program, int node_size, int parts, int nodes, int kinds, int places);
SimStatus bound_kind_init(BoundKind *kind, int lmis, int local);
void bound_program_clear(BoundProgram *program);
bool bound_program_whole(const BoundProgram *program); /* returns whether all allocations have succeeded */

/* returns the number of variables of a place */
int bound_kind_size(const BoundProgram *program, const BoundKind *kind);
static inline int bound_lmi_own(const BoundLmi *lmi) { return lmi->columns - lmi->shared; }
/* returns the number of own variables of the first `places` places */
long bound_program_own(const BoundProgram *program, int places);
/* returns the number of local variables of the first `places` places */
long bound_program_local(const BoundProgram *program, int places);

SimStatus bound_values_init(const BoundProgram *program, BoundValues *values); /* allocates the values, all zero */
void bound_values_clear(BoundValues *values);

/* Computes the parts [parts][node_size] of the node variables at a place, from all node variables [nodes][node_size].
 * magnitude: set to the same sums of absolute values; may be NULL. */
void bound_place_parts(const BoundProgram *program, int place, const double *node, double *part, double *magnitude);
/* Computes the values [bound_kind_size] of the variables of a place from `values`. magnitude: sums of the absolute
 * terms; off: error bounds. Both have the same size, and either may be NULL. */
void bound_place_values(const BoundProgram *program, int place, const BoundValues *values, double *value,
                        double *magnitude, double *off);

/* Functions that build (1). If an allocation fails, they set no_memory in the matrix. */
void bound_lmi_init(BoundLmi *lmi, int n);
void bound_lmi_clear(BoundLmi *lmi);
/* adds a row [n] and returns its index; off: error bounds of its entries, NULL: it is exact */
int bound_lmi_row(BoundLmi *lmi, const double *row, const double *off);
/* adds a column; an own variable of the matrix has variable = -1 and comes after all shared variables */
void bound_lmi_column(BoundLmi *lmi, int variable);
void bound_lmi_term(BoundLmi *lmi, int a, int b, double weight); /* adds a product of the rows a and b to the last
                                                                  * column */
void bound_lmi_product(BoundLmi *lmi, int a,
                       int b);        /* subtracts an own variable >= 0 times the product of rows a and b, which is
                                       * nonnegative */
void bound_lmi_finish(BoundLmi *lmi); /* adds the column of the slack; call it last */

#endif
