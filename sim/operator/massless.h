/* SPDX-License-Identifier: BSD-2-Clause */
/* Degrees of freedom (dofs) without mass: their rows and columns of M are zero. The functions find these dofs, and the
 * submatrices for them and for the other dofs. */
#ifndef SIM_OPERATOR_MASSLESS_H
#define SIM_OPERATOR_MASSLESS_H

#include "sim/operator/operator.h"

#include <float.h>
#include <math.h>

/* Whether row i of this rank has no mass; false for models without a matrix M. Another check refuses a dense M with a
 * zero row and a nonzero column. */
bool massless_dof(const SimProblem *problem, int i);
/* Returns the number of rows of this rank without mass. */
int massless_count(const SimProblem *problem);
/* Whether any rank has a row without mass. Collective. */
bool massless_present(const SimProblem *problem);

/* Sets *light to an array [d] of 1 for each dof without mass on any rank, otherwise 0; the caller frees it. Collective.
 * Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus massless_flags(const SimProblem *problem, double **light);
/* Sets *light to the flags of massless_flags if operators for this sum need them; to NULL if the sum treats all dofs
 * alike. */
SimStatus massless_sum_flags(const SimProblem *problem, const OperatorSum *sum, double **light);

/* Returns the weight of entry (i,j) of a term in the sum. */
static inline double massless_weight(const OperatorSum *sum, OperatorTerm term, const double *light, int i, int j) {
  return light && sum->apart && light[i] != light[j] ? 0 : term.weight;
}

/* Whether the displacement `way` of a dof without mass at x in a step is only the effect of rounding errors in its
 * balance of forces. stiffness: a_ii; forces: magnitude of the forces. */
static inline bool massless_rests(double way, double x, double stiffness, double forces) {
  const double roundings = 16;
  return fabs(way) <= roundings * DBL_EPSILON * (fabs(x) + forces / stiffness);
}

/* Reports the first dof without mass that has a stop, for schemes that do not support such dofs. Returns the number of
 * errors. */
int massless_refuse_ends(const SimProblem *problem, const SimReport *report);
/* massless_refuse_damping reports damping of dofs without mass, massless_refuse_dampers only dampers between them and
 * this rank's dofs with mass. Both return the number of errors. */
int massless_refuse_damping(const SimProblem *problem, const SimReport *report);
int massless_refuse_dampers(const SimProblem *problem, const SimReport *report);

/* Inverts the submatrix of `matrix` [d][d] for dofs with mass. The other rows and columns become 0 in `inverse` [d][d],
 * and those of the identity in `matrix`. light: result of massless_flags; NULL: all dofs have mass. Returns SIM_OK or
 * SIM_BAD_PROBLEM. */
SimStatus massless_invert(int d, const double *light, double *matrix, double *inverse);

/* Computes part [d][d]: A_MP A_PP^-1 A_PM of dense matrices, where P are the dofs without mass and M the others; all
 * other entries are 0. The stiffness A_MM decreases by this matrix if the dofs P follow the others without friction.
 * Returns SIM_OK, SIM_NO_MEMORY or SIM_BAD_PROBLEM. */
SimStatus massless_follow(const SimProblem *problem, double *part);

/* Computes part [d][d]: the entries of a dense matrix for dofs without mass if `of_massless`, otherwise for dofs with
 * mass. All other entries are 0, with `diagonal` on the diagonal. */
void massless_part(const SimProblem *problem, const double *a, bool of_massless, double diagonal, double *part);

#endif
