/* Lower bounds of J as semidefinite programs: the form of V and the matrices of its rate. README.md has the theorem
 * and the relaxations R1 to R5. Terms: a node is a set of variables of V, those of one Bernstein coefficient in
 * time. A place is a time at which matrices must be positive semidefinite (program.h). A pattern is a combination of
 * signs of v, with 0 at rest. Knots divide the range of x_i into cells. A pair is two neighbouring dof with
 * friction. */
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

/* Restriction (cut) of a case: the scaled x of one dof lies between `lower` and `upper` at the time at which
 * `interval` begins. interval >= 1. */
typedef struct BoundCut {
  int interval, dof;
  double lower, upper; /* ends of the range; -INFINITY, INFINITY: no limit */
} BoundCut;

/* Form of V, with z = (1, x, v): V = z'S(t) z, plus terms for each dof with friction,
 *
 *     by patterns of signs: |v_i| q_i(t)'z, for two dofs |v_i| r_ij(t) |v_j|;   otherwise: p_i(t) |v_i|
 *     by cells of x_i: sum_k max(0, x_i - knot_k) (a + b x_i + c v_i + e |v_i|);
 *                      without patterns also |v_i| (q0 + q1 x_i + q2 v_i)
 *     by pairs: |v_i| (a x_j + b v_j), |v_j| (a x_i + b v_i), |v_i| r |v_j|
 *
 * The variables of a node are the entries a <= b of S, then the coefficients of the lines above, in this order. */
typedef struct BoundForm {
  const BoundMotion *motion;
  const BoundMesh *mesh;
  const BoundForce *force;
  /* drift: the part of v' that depends on time (drift.h). If it has parts, V has no patterns, cells or pairs. */
  const BoundDrift *drift;
  bool patterns;
  int knots[BOUND_DOFS];                /* number of knots of dof i; 0: it has no cells */
  double knot[BOUND_DOFS][BOUND_KNOTS]; /* scaled knots, in ascending order */
  /* a power of two above the mean of |v_i'| over time, in scaled units; it limits v_i' as (3) of motion.h limits u */
  double fastest[BOUND_DOFS];
  /* node_size: number of variables of a node. signs: index of the first variable of a node that belongs to |v_i|
   * terms without cells. cells[i]: index of the first variable of a node that belongs to the cells of dof i. */
  int node_size, signs, cells[BOUND_DOFS];
  int pairs, pair_values, pair_transfers; /* pairs: number of pairs. pair_values: index of the first variable of
                                           * pairs in a node. pair_transfers: index of the first local variable of
                                           * pairs in a place. */
  int pair[BOUND_PAIRS][2];
  int local;    /* number of local variables of a place: the transfers, which its matrices share */
  double *room; /* [2][y] workspace for a row */
} BoundForm;

/* Initialises the form. knots: number of knots between start and target, for each dof with friction; 0: no cells.
 * Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus bound_form_init(const BoundMotion *motion, const BoundMesh *mesh, const BoundForce *force,
                          const BoundDrift *drift, bool patterns, int knots, bool pairs, BoundForm *form);
void bound_form_clear(BoundForm *form);

/* Builds the whole program of a case. cut: [cuts] in ascending order of intervals. Returns SIM_OK, SIM_NO_MEMORY, or
 * SIM_BAD_PROBLEM if part of M is too ill-conditioned. Clear the program in any case. */
SimStatus bound_form_program(const BoundForm *form, const BoundCut *cut, int cuts, BoundProgram *program);

/* Its parts ----------------------------------------------------------------------------------------------------- */

/* A factor of a product, a linear function of the matrix's vector. Its value is `size` times row number `row`. Its
 * derivative in time is `pace` times row number `rate`, plus a drift. If size = 0, the factor is 0 at all times. */
typedef struct BoundFactor {
  int row, rate;
  double size, pace;
  int drift; /* number of the drift's part that the derivative contains, from 1; 0: no drift */
} BoundFactor;
static inline BoundFactor bound_factor(int row, int rate, double size, double pace) {
  return (BoundFactor){row, rate, size, pace, 0};
}

/* Where terms of V are added: a matrix, and indices of variables of the place. `rates`: index of the first variable
 * that is the rate of a node variable, for terms of V'. `values`: the same for the values of node variables. rates <
 * 0: the matrix contains -V itself. */
typedef struct BoundInto {
  BoundLmi *lmi;
  /* For each part of a drift, another node_size variables follow those at `values`: the values times the drift's
   * part. */
  int rates, values;
  int node_size;
} BoundInto;
static inline BoundInto bound_into(const BoundForm *form, BoundLmi *lmi) {
  return (BoundInto){lmi, form->local, form->local + form->node_size, form->node_size};
}

/* Index of entry a <= b of a symmetric matrix of size n. */
static inline int bound_entry(int n, int a, int b) { return a * n - a * (a - 1) / 2 + b - a; }
static inline int bound_entries(int n) { return n * (n + 1) / 2; }

/* Adds w y a b, a term of V, where y is the node variable with index `variable` and a, b are factors. If a == b, the
 * term contains the square of a. */
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

/* Adds the transfer of dof i to a matrix: free numbers by which the matrices of cells exchange terms with the matrix
 * of all dof. It is a symmetric matrix on e = (1, x_i, v_i, v_i', lambda_i). With patterns each sign has its own
 * transfer. by: 1 in the matrix of all dof, -1 in the matrices of the cells. */
void bound_add_transfer(const BoundForm *form, BoundLmi *lmi, int i, int sign, double by, const BoundFactor e[5]);

/* Builds the matrix of all dof at a place, without patterns. This matrix and that of the next function include the cost
 * N u.u. */
SimStatus bound_add_quadratic(const BoundForm *form, BoundLmi *lmi);
/* Builds the matrix of all dof for one pattern. Returns SIM_BAD_PROBLEM if the mass matrix of its moving dof is too
 * ill-conditioned. */
SimStatus bound_add_pattern(const BoundForm *form, int pattern, BoundLmi *lmi);
/* Builds the matrix of dof i for one cell and one sign. Each place has 3 (knots + 1) of these matrices per dof. */
void bound_add_cells(const BoundForm *form, int i, int cell, int sign, BoundLmi *lmi);

/* Finds the pairs of neighbouring dof with friction, and counts their variables. The next functions add the terms of a
 * pair, and its transfers (free numbers that its matrices exchange with the matrix of all dof), as the functions above
 * do for cells. z: factors (1, x, v) of all dof; signs [d]. e: factors (1, x, v, v', lambda of the first dof, x, v, v',
 * lambda of the second dof). */
void bound_form_pairs(BoundForm *form);
void bound_add_pair_value(const BoundForm *form, const BoundInto *into, int pair, const int *signs,
                          const BoundFactor *z);
void bound_add_pair_transfer(const BoundForm *form, BoundLmi *lmi, int pair, double by, const BoundFactor e[9]);
/* Builds one of the 9 matrices of a pair, for one sign of v of each of its two dof. */
void bound_add_pair(const BoundForm *form, int pair, int first, int second, BoundLmi *lmi);

/* Evaluates V at a given scaled state at = (x, v) [2d]. Adds `by` times the coefficients of the node variables in V
 * to out [node_size]. */
SimStatus bound_add_given(const BoundForm *form, const double *at, double by, double *out);
/* Adds V(0, z0) and -V(T, z_T), the values of V at the start and at the target, to the sum (2) of program.h. If the
 * target is partly free, adds the matrices of the final time instead of the latter. */
SimStatus bound_add_ends(const BoundForm *form, BoundProgram *program);
/* Builds the matrices of V+ - V- >= 0 at a jump of V, for the `cuts` cuts at its time. */
SimStatus bound_add_jump(const BoundForm *form, const BoundCut *cut, int cuts, BoundKind *kind);
bool bound_form_is_free(const BoundMotion *motion); /* whether some entry of the target is free */

/* The next functions are shared by the matrices of places. */
/* adds N u.u; the rows of the unit vectors of u begin at row `u` */
void bound_add_effort(const BoundMotion *motion, BoundLmi *lmi, int u);
/* adds a row with the entry `one` for the constant 1 and the entry `by` for y_a; returns its index */
int bound_add_row(const BoundForm *form, BoundLmi *lmi, double one, int a, double by);

#endif
