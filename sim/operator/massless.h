/* Degrees of freedom without mass: rows and columns of M that are 0. What they leave of a matrix is found with the others, or with them,
 * taken out. */
#ifndef SIM_OPERATOR_MASSLESS_H
#define SIM_OPERATOR_MASSLESS_H

#include "sim/problem.h"

/* Whether row i of this rank has no mass. Of a dense M the column is 0, too, or M is refused. */
bool massless_dof(const SimProblem *problem, int i);
/* How many such rows this rank has. */
int massless_count(const SimProblem *problem);
/* Whether any rank has one. Collective. */
bool massless_present(const SimProblem *problem);

/* Whether it has damping all the same. */
bool massless_damped(const SimProblem *problem, int i);

/* part [d][d]: a, dense, of the dofs without mass where `of_massless`, else of the others; beyond these 0, with `diagonal` on the diagonal. */
void massless_part(const SimProblem *problem, const double *a, bool of_massless, double diagonal, double *part);

#endif
