/* SPDX-License-Identifier: BSD-2-Clause */
/* Lower bounds of J as semidefinite programs: the form of the test function V and the matrices of its rate. README.md
 * has the theorem and the relaxations R1 to R5. Terms: a node is the set of variables of V at one Bernstein coefficient
 * in time. A time point (BoundPlace) is a coefficient, or the time of a jump or an end, at which matrices must be
 * positive semidefinite (program.h). A pattern is a combination of signs of v, with 0 at rest. Knots divide the range
 * of x_i into intervals called cells. A pair is two neighbouring dofs with friction. */
#ifndef CONTROL_BOUND_FORMS_H
#define CONTROL_BOUND_FORMS_H

#include "control/bound/drift.h"
#include "control/bound/motion.h"

enum {
  BOUND_DOFS = 64,
  BOUND_PATTERN_DOFS = 3, /* patterns can be used up to this number of dof with friction */
  BOUND_KNOTS = 32,       /* maximum number of knots for each dof */
  BOUND_PAIRS = 128       /* maximum number of pairs of dof */
};

/* Restriction (cut) of a subproblem: the scaled x of one dof lies between `lower` and `upper` at the time at which
 * `interval` begins. interval >= 1. */
typedef struct BoundCut {
  int interval, dof;
  double lower, upper; /* ends of the range of x; -INFINITY, INFINITY: no limit */
} BoundCut;

/* Form of V, with z = (1, x, v): V = z'S(t) z plus terms for each dof i with friction. Their coefficients p, q, r, a,
 * b, c, e depend on time; the lines below correspond to options of the relaxation,
 *
 *   with patterns of signs: |v_i| q_i(t)'z, and for two dofs |v_i| r_ij(t) |v_j|; without: p_i(t) |v_i|
 *   with cells of x_i: sum_k max(0, x_i - knot_k) (a + b x_i + c v_i + e |v_i|);
 *   without patterns also |v_i| (q0 + q1 x_i + q2 v_i)
 *   with pairs: |v_i| (a x_j + b v_j), |v_j| (a x_i + b v_i), |v_i| r |v_j|
 *
 * The variables of a node are the entries a <= b of S, then the coefficients of the lines above, in this order. */
typedef struct BoundForm {
  const BoundMotion *motion;
  const BoundMesh *mesh;
  const BoundForce *force;
  /* the part of the acceleration v' that depends on time (drift.h). If this drift has components, V has no patterns,
   * cells or pairs. */
  const BoundDrift *drift;
  bool patterns;
  int knots[BOUND_DOFS];                /* number of knots of dof i; 0: it has no cells */
  double knot[BOUND_DOFS][BOUND_KNOTS]; /* scaled knots, in ascending order */
  /* a power of two that exceeds the mean of |v_i'| over time, in scaled units; it is used as a limit of the
   * acceleration v_i' */
  double fastest[BOUND_DOFS];
  /* node_size: number of variables of a node. signs: index, in a node, of the first variable of |v_i| terms without
   * cells. cells[i]: index, in a node, of the first variable for the cells of dof i. */
  int node_size, signs, cells[BOUND_DOFS];
  int pairs, pair_values, pair_transfers; /* pairs: number of pairs. pair_values: index, in a node, of the first
                                           * variable of pairs. pair_transfers: index, in a time point, of the first
                                           * local variable of pairs. */
  int pair[BOUND_PAIRS][2];
  int local;    /* number of local variables of a time point: the unknowns (transfers) by which its matrices exchange
                 * terms */
  double *room; /* [2][y] workspace for a row of a matrix; y: number of entries of the vector (1, x, v, u, lambda, g)
                 * of motion.h */
} BoundForm;

/* Initialises the form. knots: number of knots between start and target, for each dof with friction; 0: no cells.
 * Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus bound_form_init(const BoundMotion *motion, const BoundMesh *mesh, const BoundForce *force,
                          const BoundDrift *drift, bool patterns, int knots, bool pairs, BoundForm *form);
void bound_form_clear(BoundForm *form);

/* Builds the whole program of a subproblem. cut: [cuts] in ascending order of intervals. Returns SIM_OK, SIM_NO_MEMORY,
 * or SIM_BAD_PROBLEM if a block of M is too ill-conditioned. The program must be cleared in any case. */
SimStatus bound_form_program(const BoundForm *form, const BoundCut *cut, int cuts, BoundProgram *program);

/* Functions that build the parts of the program ----------------------------------------------------------------- */

/* A factor of a product: a linear function of the vector of a matrix of the program. The factor is `size` times row
 * number `row` of the matrix. Its time derivative is `pace` times row number `rate`, plus a drift. If size = 0, the
 * factor is 0 at all times. */
typedef struct BoundFactor {
  int row, rate;
  double size, pace;
  int drift; /* index, from 1, of the component of the drift (drift.h) that the time derivative of the factor contains;
              * 0: no drift */
} BoundFactor;
static inline BoundFactor bound_factor(int row, int rate, double size, double pace) {
  return (BoundFactor){row, rate, size, pace, 0};
}

/* Where terms of V are added: a matrix, and the variables of the time point to which the terms belong. rates: index of
 * the first of those variables that are rates of the variables of V, for terms of V'; values: index of the first of
 * those that are values. rates < 0: the matrix contains -V itself. */
typedef struct BoundInto {
  BoundLmi *lmi;
  /* for each component of a drift, another node_size variables follow the values: the values times this component */
  int rates, values;
  int node_size;
} BoundInto;
static inline BoundInto bound_into(const BoundForm *form, BoundLmi *lmi) {
  return (BoundInto){lmi, form->local, form->local + form->node_size, form->node_size};
}

/* bound_entry returns the index of entry a <= b of a symmetric matrix of size n, bound_entries the number of such
 * entries. */
static inline int bound_entry(int n, int a, int b) { return a * n - a * (a - 1) / 2 + b - a; }
static inline int bound_entries(int n) { return n * (n + 1) / 2; }

/* Adds a term w y a b of V: y is the variable of V with index `variable`, w is a number, and a, b are factors. If a ==
 * b, the term contains the square of a. */
void bound_add_part(const BoundInto *into, int variable, double w, const BoundFactor *a, const BoundFactor *b);
/* Adds the term z'S z of V, with factors z [1 + 2d]. */
void bound_add_square(const BoundForm *form, const BoundInto *into, const BoundFactor *z);
/* Adds the terms of V by patterns of signs. signs [d]: sign of v_i of each dof with friction, 0 at rest. */
void bound_add_signs(const BoundForm *form, const BoundInto *into, const BoundFactor *z, const int *signs);
/* Adds the terms of V by cells for dof i, in one cell and with one sign of v_i. z: factors (1, x_i, v_i). above
 * [knots]: factors x_i - knot_k. */
void bound_add_cell(const BoundForm *form, const BoundInto *into, int i, int cell, int sign, const BoundFactor z[3],
                    const BoundFactor *above);
int bound_cell_of(const BoundForm *form, int i, double x);

/* Adds the transfer of dof i to a matrix. A transfer consists of unknowns by which the matrices of cells exchange terms
 * with the matrix of all dofs: a symmetric matrix on e = (1, x_i, v_i, v_i', lambda_i). With patterns each sign has its
 * own transfer. by: 1 in the matrix of all dofs, -1 in the matrices of the cells. */
void bound_add_transfer(const BoundForm *form, BoundLmi *lmi, int i, int sign, double by, const BoundFactor e[5]);

/* Builds the matrix of all dofs at a time point, without patterns. Like the matrices of bound_add_pattern, it includes
 * the cost N u.u of the control. */
SimStatus bound_add_quadratic(const BoundForm *form, BoundLmi *lmi);
/* Builds the matrix of all dof for one pattern of signs of v. Returns SIM_BAD_PROBLEM if the mass matrix of its moving
 * dof is too ill-conditioned. */
SimStatus bound_add_pattern(const BoundForm *form, int pattern, BoundLmi *lmi);
/* Builds the matrix of dof i for one cell of x_i and one sign of v_i. Each time point has 3 (knots + 1) such matrices
 * per dof. */
void bound_add_cells(const BoundForm *form, int i, int cell, int sign, BoundLmi *lmi);

/* bound_form_pairs finds the pairs of neighbouring dofs with friction, and counts their variables. bound_add_pair_value
 * adds the terms of a pair, and bound_add_pair_transfer adds its transfer, the free numbers that its matrices exchange
 * with the matrix of all dofs. z: factors (1, x, v) of all dofs; signs [d]. e: factors (1, x, v, v', lambda of the
 * first dof, x, v, v', lambda of the second dof). */
void bound_form_pairs(BoundForm *form);
void bound_add_pair_value(const BoundForm *form, const BoundInto *into, int pair, const int *signs,
                          const BoundFactor *z);
void bound_add_pair_transfer(const BoundForm *form, BoundLmi *lmi, int pair, double by, const BoundFactor e[9]);
/* Builds one of the 9 matrices of a pair, for one sign of v of each of its two dof. */
void bound_add_pair(const BoundForm *form, int pair, int first, int second, BoundLmi *lmi);

/* Evaluates V at a given scaled state at = (x, v) [2d]. Adds `by` times the coefficients of the variables of a node in
 * V to out [node_size]. */
SimStatus bound_add_given(const BoundForm *form, const double *at, double by, double *out);
/* Adds V(0, z0) and -V(T, z_T), the values of V at the start and at the target, to the value (2) of program.h. If the
 * target is partly free, adds the matrices of the final time in place of -V(T, z_T). */
SimStatus bound_add_ends(const BoundForm *form, BoundProgram *program);
/* Builds the matrices of V+ - V- >= 0 at a jump of V, for the `cuts` cuts at the time of the jump. */
SimStatus bound_add_jump(const BoundForm *form, const BoundCut *cut, int cuts, BoundKind *kind);
bool bound_form_is_free(const BoundMotion *motion); /* whether some entry of the target is free */

/* The functions below are used by the files that build the matrices of time points (BoundPlace). */
/* adds the cost N u.u of the control u to a matrix; the rows of the matrix for the entries of u begin at row `u` */
void bound_add_effort(const BoundMotion *motion, BoundLmi *lmi, int u);
/* adds a row to a matrix, with the entry `one` for the constant 1 and the entry `by` for entry a of the vector (1, x,
 * v, u, lambda, g); returns the row's index */
int bound_add_row(const BoundForm *form, BoundLmi *lmi, double one, int a, double by);

#endif
