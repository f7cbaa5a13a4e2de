/* The semidefinite program of a bound: a list of small matrices, affine in some variables, that must be positive
 * semidefinite,
 *
 *     Q = start + sum_c value_c sum_t w_t (a_t b_t' + b_t a_t')/2 >= 0,                                          (1)
 *
 * at places in time. a_t, b_t are rows: vectors of the factors of a product. The value of a column is a variable of
 * the place, or an own variable >= 0 of this matrix alone. A node's variables are shared with neighbouring places.
 * The last own variable is the slack s, which multiplies the unit matrix. The program maximises
 *
 *     first'y_0 + last'y_N + sum_places gain'local - share sum price s.                                          (2) */
#ifndef CONTROL_BOUND_PROGRAM_H
#define CONTROL_BOUND_PROGRAM_H

#include "sim/internal.h"

typedef struct BoundTerm {
  int a, b; /* rows */
  double weight;
} BoundTerm;

/* One matrix (1). Rows 0 .. n - 1 are unit vectors. Shared columns come first, then own ones, whose variable is -1. */
typedef struct BoundLmi {
  int n, rows, columns, shared, terms;
  double *row, *off; /* [rows][n] entries, and their error bounds */
  double *start;     /* [n][n] */
  double *start_off; /* [n][n] error bounds of `start` */
  int u, controls;   /* rows u .. u + controls - 1 are the control's; u = 0: none */
  int *variable;     /* [columns] variable of the place */
  int *first;        /* [columns + 1] first term of each */
  BoundTerm *term;   /* [terms] */
  /* price of s: if the places have a total share of 1, the integral of y'y times the place's Bernstein polynomial is
   * at most share price */
  double price;
  int room_rows, room_columns, room_terms;
  bool no_memory; /* an allocation failed */
} BoundLmi;

/* The matrices of a place. The place's variables are local ones and the parts of node variables: [local + parts
 * node_size]. */
typedef struct BoundKind {
  int lmis, local;
  BoundLmi *lmi;
  double *gain; /* [local] coefficients in (2) */
} BoundKind;

/* Parts of a node variable at a place: its rate, its value, and its value times each part of v' that depends on time
 * (force that varies). Each is a weighted sum over the place's nodes. */
enum { BOUND_RATE, BOUND_VALUE, BOUND_FORCED };
enum { BOUND_SPAN = 5 /* maximum number of nodes of a place */ };

typedef struct BoundPlace {
  int kind, node, span; /* nodes node .. node + span - 1 */
  int before, around;   /* nodes of its interval before `node`; number of nodes of the interval */
  double *weight;       /* [parts][BOUND_SPAN] */
  double *off;          /* [parts] error bound of a part relative to the largest value of its interval's nodes */
  double share;         /* share of the total time; 1 for an end */
  /* [2][1 + entries of u] additions to `start` at (1, 1) and (1, u_j), and their error bounds; NULL: none */
  const double *cost;
} BoundPlace;

typedef struct BoundProgram {
  int node_size, nodes, kinds, places;
  int parts; /* number of parts, >= BOUND_FORCED */
  BoundKind *kind;
  BoundPlace *place;
  double *first, *last; /* [node_size] coefficients in (2) */
  double *weights;      /* weights of all places */
  double *costs;        /* costs of all places; NULL: none */
} BoundProgram;

/* Values of the variables: [nodes][node_size]; [local] of each place; [own] of each matrix of each place. One block. */
typedef struct BoundValues {
  double *node, *local, *own;
} BoundValues;

/* Initialises with these sizes and zero elsewhere. After SIM_NO_MEMORY clear it, too. */
SimStatus bound_program_init(BoundProgram *program, int node_size, int parts, int nodes, int kinds, int places);
SimStatus bound_kind_init(BoundKind *kind, int lmis, int local);
void bound_program_clear(BoundProgram *program);
bool bound_program_whole(const BoundProgram *program); /* whether all allocations succeeded */

int bound_kind_size(const BoundProgram *program, const BoundKind *kind); /* number of variables of a place */
static inline int bound_lmi_own(const BoundLmi *lmi) { return lmi->columns - lmi->shared; }
/* number of own variables of the first `places` places */
long bound_program_own(const BoundProgram *program, int places);
/* number of local variables of the first `places` places */
long bound_program_local(const BoundProgram *program, int places);

SimStatus bound_values_init(const BoundProgram *program, BoundValues *values); /* allocates the values, all zero */
void bound_values_clear(BoundValues *values);

/* Computes a place's parts [parts][node_size] of the nodes' variables [nodes][node_size]. magnitude: the same with
 * absolute values; may be NULL. */
void bound_place_parts(const BoundProgram *program, int place, const double *node, double *part, double *magnitude);
/* Computes the variables of a place from those of its nodes, [bound_kind_size], and their error bounds. Both may be
 * NULL. */
void bound_place_values(const BoundProgram *program, int place, const BoundValues *values, double *value,
                        double *magnitude, double *off);

/* Construction of (1). These functions set no_memory in the matrix if an allocation fails. */
void bound_lmi_init(BoundLmi *lmi, int n);
void bound_lmi_clear(BoundLmi *lmi);
int bound_lmi_row(BoundLmi *lmi, const double *row, const double *off); /* [n]; off NULL: exact; returns its index */
void bound_lmi_column(BoundLmi *lmi, int variable);                     /* own ones: variable -1, after all others */
void bound_lmi_term(BoundLmi *lmi, int a, int b, double weight);        /* adds a term to the last column */
void bound_lmi_product(BoundLmi *lmi, int a,
                       int b);        /* adds an own column that subtracts the product of rows a and b, which is >= 0 */
void bound_lmi_finish(BoundLmi *lmi); /* adds the slack */

#endif
