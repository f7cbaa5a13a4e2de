/* Degrees of freedom without mass: rows and columns of M that are 0. What they leave of a matrix is found with the others, or with them,
 * taken out. */
#ifndef SIM_OPERATOR_MASSLESS_H
#define SIM_OPERATOR_MASSLESS_H

#include "sim/operator/operator.h"

#include <float.h>
#include <math.h>

/* Whether row i of this rank has no mass. Of a dense M the column is 0, too, or M is refused. */
bool massless_dof(const SimProblem *problem, int i);
/* How many such rows this rank has. */
int massless_count(const SimProblem *problem);
/* Whether any rank has one. Collective. */
bool massless_present(const SimProblem *problem);

/* light [d]: 1 of each dof of any rank without mass, else 0; to be freed. Collective. SIM_OK, SIM_NO_MEMORY. */
SimStatus massless_flags(const SimProblem *problem, double **light);
/* The same for operators of a sum; NULL where all dofs are alike to it. */
SimStatus massless_sum_flags(const SimProblem *problem, const OperatorSum *sum, double **light);

/* The weight of entry (i,j) of a part in the sum. */
static inline double massless_weight(const OperatorSum *sum, OperatorTerm term, const double *light, int i, int j) {
  return light && sum->apart && light[i] != light[j] ? 0 : term.weight;
}

/* Whether what has no mass goes by the round-off of its balance alone, by `way` in a step from x on: of the stiffness a_ii, under forces of that size. */
static inline bool massless_rests(double way, double x, double stiffness, double forces) {
  const double roundings = 16;
  return fabs(way) <= roundings * DBL_EPSILON * (fabs(x) + forces / stiffness);
}

/* Whether it has damping all the same. */
bool massless_damped(const SimProblem *problem, int i);

/* Complains of the first that has an end to meet, for schemes that find no motion of these. Returns how many mistakes. */
int massless_refuse_ends(const SimProblem *problem, const SimReport *report);
/* Likewise of damping; of dampers to this rank's dofs with mass. */
int massless_refuse_damping(const SimProblem *problem, const SimReport *report);
int massless_refuse_dampers(const SimProblem *problem, const SimReport *report);

/* inverse [d][d] of a matrix of the dofs with mass, 0 in the rows and columns without, which become those of the unit matrix in `matrix`. light: as
 * above; NULL: all have mass. SIM_OK, SIM_BAD_PROBLEM. */
SimStatus massless_invert(int d, const double *light, double *matrix, double *inverse);

/* part [d][d]: A_MP A_PP^-1 A_PM of dense matrices, P without mass, M the others: what P takes of the stiffness among M where it follows without friction;
 * else 0. SIM_OK, SIM_NO_MEMORY, SIM_BAD_PROBLEM. */
SimStatus massless_follow(const SimProblem *problem, double *part);

/* part [d][d]: a, dense, of the dofs without mass where `of_massless`, else of the others; beyond these 0, with `diagonal` on the diagonal. */
void massless_part(const SimProblem *problem, const double *a, bool of_massless, double diagonal, double *part);

#endif
