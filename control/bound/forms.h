/* Lower bounds of J as semidefinite programs: the form of V and the matrices of its rate. README.md has the theorem. */
#ifndef CONTROL_BOUND_FORMS_H
#define CONTROL_BOUND_FORMS_H

#include "control/bound/drift.h"
#include "control/bound/motion.h"

enum {
  BOUND_DOFS = 64,
  BOUND_PATTERN_DOFS = 3, /* patterns can be used up to this number of dof with friction */
  BOUND_KNOTS = 32,       /* maximum number of knots per dof */
  BOUND_PAIRS = 128       /* maximum number of pairs of dof */
};

/* A restriction of a case: at the beginning of one interval, but not the first, the scaled x of one dof lies in a
 * range. */
typedef struct BoundCut {
  int interval, dof;
  double lower, upper; /* ends of the range; -INFINITY, INFINITY: no limit */
} BoundCut;

/* Form of V, z = (1, x, v). V = z'S(t) z, and for each dof with friction
 *
 *     by patterns of signs: |v_i| q_i(t)'z, for two dof |v_i| r_ij(t) |v_j|;   otherwise: p_i(t) |v_i|
 *     by cells of x_i: sum_k max(0, x_i - knot_k) (a + b x_i + c v_i + e |v_i|); without patterns also |v_i| (q0 + q1 x_i + q2 v_i)
 *     by pairs: |v_i| (a x_j + b v_j), |v_j| (a x_i + b v_i), |v_i| r |v_j|
 *
 * A node has S's entries a <= b, then those of the second, third and fourth line. */
typedef struct BoundForm {
  const BoundMotion *motion;
  const BoundMesh *mesh;
  const BoundForce *force;
  /* drift: the part of v' that depends on time. With a drift there are no patterns, cells or pairs */
  const BoundDrift *drift;
  bool patterns;
  int knots[BOUND_DOFS];                /* number of knots of dof i; 0: it has no cells */
  double knot[BOUND_DOFS][BOUND_KNOTS]; /* scaled knots, in ascending order */
  /* a power of two above the mean of |v_i'|, which limits v_i' as (3) of motion.h limits u */
  double fastest[BOUND_DOFS];
  /* number of variables of a node; where those of patterns and of each dof's cells begin */
  int node_size, signs, cells[BOUND_DOFS];
  int pairs, pair_values, pair_transfers; /* number of pairs; where their variables begin in a node and in a place */
  int pair[BOUND_PAIRS][2];
  int local;    /* number of variables that the matrices of a place share */
  double *room; /* [2][y] workspace for a row */
} BoundForm;

/* Initialises the form. knots: number for each dof with friction, between its start and its target; 0: no cells.
 * Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus bound_form_init(const BoundMotion *motion, const BoundMesh *mesh, const BoundForce *force,
                          const BoundDrift *drift, bool patterns, int knots, bool pairs, BoundForm *form);
void bound_form_clear(BoundForm *form);

/* Builds the whole program of a case. cut: [cuts] in ascending order of intervals. Returns SIM_OK, SIM_NO_MEMORY, or
 * SIM_BAD_PROBLEM if part of M is too ill-conditioned. Clear the program in any case. */
SimStatus bound_form_program(const BoundForm *form, const BoundCut *cut, int cuts, BoundProgram *program);

/* Its parts ----------------------------------------------------------------------------------------------------- */

/* A factor of a product. Its value is row times size. Its rate in time is row times pace, plus a drift. If size = 0,
 * the factor is 0 at all times. */
typedef struct BoundFactor {
  int row, rate;
  double size, pace;
  int drift; /* number of the drift's part, from 1; 0: no drift */
} BoundFactor;
static inline BoundFactor bound_factor(int row, int rate, double size, double pace) {
  return (BoundFactor){row, rate, size, pace, 0};
}

/* Where parts of V are added: a matrix, and where the node's variables begin among the place's variables, for rates
 * (terms of V') and for values. rates < 0: the matrix contains -V itself. */
typedef struct BoundInto {
  BoundLmi *lmi;
  /* the variables at `values` are followed by those of each part of a drift, node_size variables each */
  int rates, values;
  int node_size;
} BoundInto;
static inline BoundInto bound_into(const BoundForm *form, BoundLmi *lmi) {
  return (BoundInto){lmi, form->local, form->local + form->node_size, form->node_size};
}

/* Index of entry a <= b of a symmetric matrix of size n. */
static inline int bound_entry(int n, int a, int b) { return a * n - a * (a - 1) / 2 + b - a; }
static inline int bound_entries(int n) { return n * (n + 1) / 2; }

/* Adds the part y w a b of V, where y is a variable of a node. If a == b, this is the square of a. */
void bound_add_part(const BoundInto *into, int variable, double w, const BoundFactor *a, const BoundFactor *b);
/* Adds the first line of V, z'S z, with z [1 + 2d]. */
void bound_add_square(const BoundForm *form, const BoundInto *into, const BoundFactor *z);
/* Adds the second line of V by patterns. signs [d]: sign of v_i of each dof with friction, 0 at rest. */
void bound_add_signs(const BoundForm *form, const BoundInto *into, const BoundFactor *z, const int *signs);
/* Adds the third line of V for dof i in a cell with a sign. z = (1, x_i, v_i). above [knots]: x_i - knot_k. */
void bound_add_cell(const BoundForm *form, const BoundInto *into, int i, int cell, int sign, const BoundFactor z[3],
                    const BoundFactor *above);
int bound_cell_of(const BoundForm *form, int i, double x);

/* Adds the free numbers that the cells of dof i share with the place's matrix, on e = (1, x_i, v_i, v_i', lambda_i).
 * With patterns each sign has its own. by: 1 in the place's matrix, -1 in the matrices of the cells. */
void bound_add_transfer(const BoundForm *form, BoundLmi *lmi, int i, int sign, double by, const BoundFactor e[5]);

/* Builds the matrix of a place without patterns. Like the next function it includes N u.u. */
SimStatus bound_add_quadratic(const BoundForm *form, BoundLmi *lmi);
/* Builds the matrix of one pattern. Returns SIM_BAD_PROBLEM if part of M is too ill-conditioned. */
SimStatus bound_add_pattern(const BoundForm *form, int pattern, BoundLmi *lmi);
/* Builds the matrix of dof i for one cell and one sign. There are 3 (knots + 1) of them. */
void bound_add_cells(const BoundForm *form, int i, int cell, int sign, BoundLmi *lmi);

/* Finds the pairs of neighbouring dof. The functions for pairs correspond to those for cells. z: of all dof; signs [d].
 * e = (1, x, v, v', lambda of the first dof, the same of the second). */
void bound_form_pairs(BoundForm *form);
void bound_add_pair_value(const BoundForm *form, const BoundInto *into, int pair, const int *signs,
                          const BoundFactor *z);
void bound_add_pair_transfer(const BoundForm *form, BoundLmi *lmi, int pair, double by, const BoundFactor e[9]);
/* Builds one of the 9 matrices of a pair: the one with these two signs. */
void bound_add_pair(const BoundForm *form, int pair, int first, int second, BoundLmi *lmi);

/* Adds `by` V(.) at a given scaled state x, v [2d] to out [node_size], as coefficients of the node's variables. */
SimStatus bound_add_given(const BoundForm *form, const double *at, double by, double *out);
/* Adds V(0, z0) and -V(T, z_T) to (2) of program.h, or the matrices of a partly free target. */
SimStatus bound_add_ends(const BoundForm *form, BoundProgram *program);
/* Adds V+ - V- >= 0 at a jump of V, for the cuts at one time. */
SimStatus bound_add_jump(const BoundForm *form, const BoundCut *cut, int cuts, BoundKind *kind);
bool bound_form_is_free(const BoundMotion *motion); /* whether some entry of the target is free */

/* The next functions are shared by the matrices of places. */
/* adds N u.u; the unit rows of u begin at row `u` */
void bound_add_effort(const BoundMotion *motion, BoundLmi *lmi, int u);
/* returns the row of `one` plus by y_a */
int bound_add_row(const BoundForm *form, BoundLmi *lmi, double one, int a, double by);

#endif
