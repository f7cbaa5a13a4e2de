/* What a bound is the solution of: a list of small matrices that are to be positive semidefinite, each affine in some numbers,
 *
 *     Q = start + sum_c value_c sum_t w_t (a_t b_t' + b_t a_t')/2 >= 0,                                         (1)
 *
 * at places in time. a_t, b_t are rows: vectors that say what is multiplied. A column's value is that of a variable of the
 * place, of which a node's are shared with the places beside it, or one of this matrix alone, which is >= 0: its own. The last own one is its
 * slack s, with the unit matrix. To be made large is
 *
 *     first'y_0 + last'y_N + sum_places gain'local - share sum price s.                                         (2) */
#ifndef CONTROL_BOUND_PROGRAM_H
#define CONTROL_BOUND_PROGRAM_H

#include "sim/sim.h"

typedef struct BoundTerm {
  int a, b; /* rows */
  double weight;
} BoundTerm;

/* One matrix (1). Rows 0 .. n - 1 are the units. Columns are shared ones, then own ones, whose variable is -1. */
typedef struct BoundLmi {
  int n, rows, columns, shared, terms;
  double *row, *off; /* [rows][n], and by how much each entry may be off */
  double *start;     /* [n][n] */
  double *start_off; /* [n][n] */
  int u, controls;   /* rows u .. u + controls - 1 are the control's; u = 0: none */
  int *variable;     /* [columns] of the place */
  int *first;        /* [columns + 1] of its terms */
  BoundTerm *term;   /* [terms] */
  double
      price; /* of s: on a part of (0, 1) of that share the integral of y'y, times the place's Bernstein polynomial, is at most share price */
  int room_rows, room_columns, room_terms;
  bool no_memory; /* something is missing */
} BoundLmi;

/* The matrices of a place. Its variables: local ones, and the parts of a node's: [local + parts node_size]. */
typedef struct BoundKind {
  int lmis, local;
  BoundLmi *lmi;
  double *gain; /* [local] */
} BoundKind;

/* Numbers that a place has of each variable of a node: its rate, its value, then its value times each part of the rates of v that depends on
 * time, of a force that varies. Each is a weighted sum over the nodes that the place knows. */
enum { BOUND_RATE, BOUND_VALUE, BOUND_FORCED };
enum { BOUND_SPAN = 5 /* nodes that a place knows, at most */ };

typedef struct BoundPlace {
  int kind, node, span; /* nodes node .. node + span - 1 */
  int before, around;   /* nodes of its interval before `node`; how many the interval has */
  double *weight;       /* [parts][BOUND_SPAN] */
  double *off;  /* [parts] by how much a part may be off, in parts of the largest value of its interval's nodes */
  double share; /* of the time; 1 of the end's */
  const double *
      cost; /* [2][1 + u's entries] what (1, 1) and (1, u_j) have beside start, and what these may be off; NULL: nothing */
} BoundPlace;

typedef struct BoundProgram {
  int node_size, nodes, kinds, places;
  int parts; /* >= BOUND_FORCED */
  BoundKind *kind;
  BoundPlace *place;
  double *first, *last; /* [node_size] */
  double *weights;      /* of all places */
  double *costs;        /* likewise; NULL: none */
} BoundProgram;

/* What the variables are. [nodes][node_size]; [local] of each place; [own] of each matrix of each place. One block. */
typedef struct BoundValues {
  double *node, *local, *own;
} BoundValues;

/* Sizes are set, all else zero. SIM_NO_MEMORY leaves it to be cleared, too. */
SimStatus bound_program_init(BoundProgram *program, int node_size, int parts, int nodes, int kinds, int places);
SimStatus bound_kind_init(BoundKind *kind, int lmis, int local);
void bound_program_clear(BoundProgram *program);
bool bound_program_whole(const BoundProgram *program); /* memory was there for all of it */

int bound_kind_size(const BoundProgram *program, const BoundKind *kind); /* variables of a place */
static inline int bound_lmi_own(const BoundLmi *lmi) { return lmi->columns - lmi->shared; }
long bound_program_own(const BoundProgram *program, int places);   /* own variables of the first places */
long bound_program_local(const BoundProgram *program, int places); /* local ones */

SimStatus bound_values_init(const BoundProgram *program, BoundValues *values); /* zero */
void bound_values_clear(BoundValues *values);

/* Of a place the parts of variables of nodes [nodes][node_size]: [parts][node_size]. magnitude: the same of their absolute values; may be NULL. */
void bound_place_parts(const BoundProgram *program, int place, const double *node, double *part, double *magnitude);
/* Variables of a place from those of its nodes: [bound_kind_size]; and by how much each may be off. Both may be NULL. */
void bound_place_values(const BoundProgram *program, int place, const BoundValues *values, double *value,
                        double *magnitude, double *off);

/* How (1) is written down. All of these note in the matrix where memory is lacking. */
void bound_lmi_init(BoundLmi *lmi, int n);
void bound_lmi_clear(BoundLmi *lmi);
int bound_lmi_row(BoundLmi *lmi, const double *row, const double *off); /* [n]; off NULL: exact; its number */
void bound_lmi_column(BoundLmi *lmi, int variable);                     /* own ones: -1, after all others */
void bound_lmi_term(BoundLmi *lmi, int a, int b, double weight);        /* of the last column */
void bound_lmi_product(BoundLmi *lmi, int a,
                       int b);        /* an own column: the product of rows a, b, which is >= 0, taken off */
void bound_lmi_finish(BoundLmi *lmi); /* the slack */

#endif
