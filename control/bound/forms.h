/* Lower bounds of J as programs: what V is, and the matrices of its rate. README.md has the theorem. */
#ifndef CONTROL_BOUND_FORMS_H
#define CONTROL_BOUND_FORMS_H

#include "control/bound/drift.h"
#include "control/bound/motion.h"

enum {
  BOUND_DOFS = 64,
  BOUND_PATTERN_DOFS = 3, /* with friction, of V by patterns */
  BOUND_KNOTS = 32,       /* of a dof, at most */
  BOUND_PAIRS = 128       /* of dof, at most */
};

/* A case: at the beginning of an interval of time, not the first, x of a dof is between, scaled. */
typedef struct BoundCut {
  int interval, dof;
  double lower, upper; /* -INFINITY, INFINITY: not bounded there */
} BoundCut;

/* z = (1, x, v). V = z'S(t) z, and for each dof with friction
 *
 *     by patterns of signs: |v_i| q_i(t)'z, of two |v_i| r_ij(t) |v_j|;   else: p_i(t) |v_i|
 *     by cells of x_i: sum_k max(0, x_i - knot_k) (a + b x_i + c v_i + e |v_i|); not by patterns |v_i| (q0 + q1 x_i + q2 v_i), too.
 *
 *     by pairs: |v_i| (a x_j + b v_j), |v_j| (a x_i + b v_i), |v_i| r |v_j|
 *
 * A node has S's entries a <= b, then the second, the third, the fourth. */
typedef struct BoundForm {
  const BoundMotion *motion;
  const BoundMesh *mesh;
  const BoundForce *force;
  const BoundDrift *drift; /* with parts there are neither patterns nor cells nor pairs */
  bool patterns;
  int knots[BOUND_DOFS];                   /* 0: dof i has no cells */
  double knot[BOUND_DOFS][BOUND_KNOTS];    /* scaled, ascending */
  double fastest[BOUND_DOFS];              /* a power of two, above |v_i'| in the mean, as (3) of motion.h for u */
  int node_size, signs, cells[BOUND_DOFS]; /* where these begin */
  int pairs, pair_values, pair_transfers;  /* how many; where their variables begin, of a node and of a place */
  int pair[BOUND_PAIRS][2];
  int local;    /* variables of a place that its matrices share */
  double *room; /* [2][y] a row */
} BoundForm;

/* knots: of each dof with friction from where it is to its target; 0: no cells. SIM_OK or SIM_NO_MEMORY. */
SimStatus bound_form_init(const BoundMotion *motion, const BoundMesh *mesh, const BoundForce *force,
                          const BoundDrift *drift, bool patterns, int knots, bool pairs, BoundForm *form);
void bound_form_clear(BoundForm *form);

/* The whole program, of a case: [cuts] by ascending intervals. To be cleared at any rate. SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM: part of M is too
 * ill-conditioned. */
SimStatus bound_form_program(const BoundForm *form, const BoundCut *cut, int cuts, BoundProgram *program);

/* Its parts ----------------------------------------------------------------------------------------------------- */

/* What is multiplied: a row, times size, and its rate in time: a row, times pace, and what a drift adds. size = 0: it is 0 at all times. */
typedef struct BoundFactor {
  int row, rate;
  double size, pace;
  int drift; /* which part of a drift, from 1 on; 0: none */
} BoundFactor;
static inline BoundFactor bound_factor(int row, int rate, double size, double pace) {
  return (BoundFactor){row, rate, size, pace, 0};
}

/* A matrix, and where the variables of a node begin among the place's: their rates, of V' as a part of it, and their values; rates < 0: it
 * has -V itself. */
typedef struct BoundInto {
  BoundLmi *lmi;
  int rates, values; /* the latter are followed by the parts of a drift, each of node_size */
  int node_size;
} BoundInto;
static inline BoundInto bound_into(const BoundForm *form, BoundLmi *lmi) {
  return (BoundInto){lmi, form->local, form->local + form->node_size, form->node_size};
}

/* An entry a <= b of n. */
static inline int bound_entry(int n, int a, int b) { return a * n - a * (a - 1) / 2 + b - a; }
static inline int bound_entries(int n) { return n * (n + 1) / 2; }

/* y w a b as a part of V, y a variable of a node; a == b: its square. */
void bound_add_part(const BoundInto *into, int variable, double w, const BoundFactor *a, const BoundFactor *b);
/* z'S z, of z [1 + 2d]. */
void bound_add_square(const BoundForm *form, const BoundInto *into, const BoundFactor *z);
/* V's second part by patterns; signs [d] of v_i, 0 where it is at rest, of dof with friction. */
void bound_add_signs(const BoundForm *form, const BoundInto *into, const BoundFactor *z, const int *signs);
/* Dof i's third part in a cell with a sign, of z = (1, x_i, v_i); above: x_i - knot_k, [knots]. */
void bound_add_cell(const BoundForm *form, const BoundInto *into, int i, int cell, int sign, const BoundFactor z[3],
                    const BoundFactor *above);
int bound_cell_of(const BoundForm *form, int i, double x);

/* Free numbers that dof i's cells take from the place's matrix, on e = (1, x_i, v_i, v_i', lambda_i); by patterns each sign has its own. by: 1 what the
 * place's matrix gets, -1 the cells'. */
void bound_add_transfer(const BoundForm *form, BoundLmi *lmi, int i, int sign, double by, const BoundFactor e[5]);

/* The matrix of a place, not by patterns; N u.u is in it, in the next, too. */
SimStatus bound_add_quadratic(const BoundForm *form, BoundLmi *lmi);
/* By patterns: one of them. SIM_BAD_PROBLEM: part of M is too ill-conditioned. */
SimStatus bound_add_pattern(const BoundForm *form, int pattern, BoundLmi *lmi);
int bound_patterns(const BoundForm *form); /* 3^rubbing; else 1 */
/* Of dof i's cells, 3 (knots + 1): the one with this cell and sign. */
void bound_add_cells(const BoundForm *form, int i, int cell, int sign, BoundLmi *lmi);

/* Which pairs there are, of neighbours; then as of cells: z of all, signs [d]; e = (1, x, v, v', lambda of the one, the same of the other). */
void bound_form_pairs(BoundForm *form);
void bound_add_pair_value(const BoundForm *form, const BoundInto *into, int pair, const int *signs,
                          const BoundFactor *z);
void bound_add_pair_transfer(const BoundForm *form, BoundLmi *lmi, int pair, double by, const BoundFactor e[9]);
/* Of a pair, 9: one of these signs. */
void bound_add_pair(const BoundForm *form, int pair, int first, int second, BoundLmi *lmi);

/* by V(.) of given x, v [2d], scaled: numbers before the variables of the node there, added to those of out, [node_size]. */
SimStatus bound_add_given(const BoundForm *form, const double *at, double by, double *out);
/* V(0, z0) and -V(T, z_T), or the matrices of a target that is partly free. */
SimStatus bound_add_ends(const BoundForm *form, BoundProgram *program);
/* V+ - V- >= 0 where V jumps: of the cuts of one time. */
SimStatus bound_add_jump(const BoundForm *form, const BoundCut *cut, int cuts, BoundKind *kind);
bool bound_form_is_free(const BoundMotion *motion); /* some target is */

/* What matrices of places share. */
void bound_add_effort(const BoundMotion *motion, BoundLmi *lmi, int u); /* N u.u, u from that unit row on */
int bound_add_row(const BoundForm *form, BoundLmi *lmi, double one, int a, double by); /* one + by y_a */

#endif
