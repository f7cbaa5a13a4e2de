/* Lower bounds of J as programs: the form of V and the matrices of its rate. README.md has the theorem. */
#ifndef CONTROL_BOUND_FORMS_H
#define CONTROL_BOUND_FORMS_H

#include "control/bound/drift.h"
#include "control/bound/motion.h"

enum {
  BOUND_DOFS = 64,
  BOUND_PATTERN_DOFS = 3, /* maximum number of dof with friction if V uses patterns */
  BOUND_KNOTS = 32,       /* maximum number of knots per dof */
  BOUND_PAIRS = 128       /* maximum number of pairs of dof */
};

/* A restriction of a case: range of a dof's scaled x at the beginning of an interval of time other than the first. */
typedef struct BoundCut {
  int interval, dof;
  double lower, upper; /* -INFINITY, INFINITY: no limit */
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
  const BoundDrift *drift; /* part of v' that depends on time; with one there are no patterns, cells or pairs */
  bool patterns;
  int knots[BOUND_DOFS];                /* knots of dof i; 0: no cells */
  double knot[BOUND_DOFS][BOUND_KNOTS]; /* knots, scaled, ascending */
  double fastest[BOUND_DOFS];           /* a power of two above the mean of |v_i'|, like (3) of motion.h for u */
  /* size of a node's variables; where those of patterns and of each dof's cells begin */
  int node_size, signs, cells[BOUND_DOFS];
  int pairs, pair_values, pair_transfers; /* number of pairs; where their variables begin in a node and in a place */
  int pair[BOUND_PAIRS][2];
  int local;    /* variables shared by the matrices of a place */
  double *room; /* [2][y] workspace of a row */
} BoundForm;

/* Initialises the form. knots: for each dof with friction, between its start and its target; 0: no cells. SIM_OK or
 * SIM_NO_MEMORY. */
SimStatus bound_form_init(const BoundMotion *motion, const BoundMesh *mesh, const BoundForce *force,
                          const BoundDrift *drift, bool patterns, int knots, bool pairs, BoundForm *form);
void bound_form_clear(BoundForm *form);

/* Builds the whole program of a case. cut: [cuts] by ascending intervals. Clear the program in any case. SIM_OK,
 * SIM_NO_MEMORY, SIM_BAD_PROBLEM: part of M is too ill-conditioned. */
SimStatus bound_form_program(const BoundForm *form, const BoundCut *cut, int cuts, BoundProgram *program);

/* Its parts ----------------------------------------------------------------------------------------------------- */

/* A factor of a product: its value is row times size; its rate in time is row times pace plus a drift. size = 0: it
 * is 0 at all times. */
typedef struct BoundFactor {
  int row, rate;
  double size, pace;
  int drift; /* part of a drift, from 1; 0: none */
} BoundFactor;
static inline BoundFactor bound_factor(int row, int rate, double size, double pace) {
  return (BoundFactor){row, rate, size, pace, 0};
}

/* Destination of parts of V: a matrix, and where the node's variables begin among the place's, for rates (of V') and
 * for values. rates < 0: the matrix has -V itself. */
typedef struct BoundInto {
  BoundLmi *lmi;
  int rates, values; /* `values` are followed by the parts of a drift, each of node_size */
  int node_size;
} BoundInto;
static inline BoundInto bound_into(const BoundForm *form, BoundLmi *lmi) {
  return (BoundInto){lmi, form->local, form->local + form->node_size, form->node_size};
}

/* Index of entry a <= b of a symmetric matrix of size n. */
static inline int bound_entry(int n, int a, int b) { return a * n - a * (a - 1) / 2 + b - a; }
static inline int bound_entries(int n) { return n * (n + 1) / 2; }

/* Adds the part y w a b of V, y a variable of a node; a == b: its square. */
void bound_add_part(const BoundInto *into, int variable, double w, const BoundFactor *a, const BoundFactor *b);
/* Adds z'S z, z [1 + 2d]. */
void bound_add_square(const BoundForm *form, const BoundInto *into, const BoundFactor *z);
/* Adds V's second line by patterns. signs [d]: of v_i, 0 if it is at rest, for dof with friction. */
void bound_add_signs(const BoundForm *form, const BoundInto *into, const BoundFactor *z, const int *signs);
/* Adds dof i's third line in a cell with a sign, z = (1, x_i, v_i); above: x_i - knot_k, [knots]. */
void bound_add_cell(const BoundForm *form, const BoundInto *into, int i, int cell, int sign, const BoundFactor z[3],
                    const BoundFactor *above);
int bound_cell_of(const BoundForm *form, int i, double x);

/* Adds the free numbers that dof i's cells share with the place's matrix, on e = (1, x_i, v_i, v_i', lambda_i); by
 * patterns each sign has its own. by: 1 in the place's matrix, -1 in the cells'. */
void bound_add_transfer(const BoundForm *form, BoundLmi *lmi, int i, int sign, double by, const BoundFactor e[5]);

/* Builds the matrix of a place without patterns. It includes N u.u, like the next. */
SimStatus bound_add_quadratic(const BoundForm *form, BoundLmi *lmi);
/* Builds the matrix of one pattern. SIM_BAD_PROBLEM: part of M is too ill-conditioned. */
SimStatus bound_add_pattern(const BoundForm *form, int pattern, BoundLmi *lmi);
/* Builds one of dof i's 3 (knots + 1) cell matrices: the one with this cell and sign. */
void bound_add_cells(const BoundForm *form, int i, int cell, int sign, BoundLmi *lmi);

/* Finds the pairs of neighbours. Then as for cells: z of all, signs [d]; e = (1, x, v, v', lambda of the one, the
 * same of the other). */
void bound_form_pairs(BoundForm *form);
void bound_add_pair_value(const BoundForm *form, const BoundInto *into, int pair, const int *signs,
                          const BoundFactor *z);
void bound_add_pair_transfer(const BoundForm *form, BoundLmi *lmi, int pair, double by, const BoundFactor e[9]);
/* Builds one of a pair's 9 matrices: the one with these signs. */
void bound_add_pair(const BoundForm *form, int pair, int first, int second, BoundLmi *lmi);

/* Adds `by` V(.) at given x, v [2d], scaled, as coefficients of the node's variables, to out [node_size]. */
SimStatus bound_add_given(const BoundForm *form, const double *at, double by, double *out);
/* Adds V(0, z0) and -V(T, z_T), or the matrices of a partly free target. */
SimStatus bound_add_ends(const BoundForm *form, BoundProgram *program);
/* Adds V+ - V- >= 0 at a jump of V, for the cuts of one time. */
SimStatus bound_add_jump(const BoundForm *form, const BoundCut *cut, int cuts, BoundKind *kind);
bool bound_form_is_free(const BoundMotion *motion); /* whether some target is free */

/* Shared by the matrices of places. */
void bound_add_effort(const BoundMotion *motion, BoundLmi *lmi, int u); /* N u.u, u from unit row `u` on */
/* row of the number `one` plus by times y_a */
int bound_add_row(const BoundForm *form, BoundLmi *lmi, double one, int a, double by);

#endif
