/* SPDX-License-Identifier: BSD-2-Clause */
/* Direct search for the branches of a chain's step. The branch of a dof is -1 or 1 if it slips, and 0 if it sticks.
 * E must couple each dof to its neighbours only, and the law of friction must be unregularized. */
#ifndef SIM_CHAIN_BRANCHES_H
#define SIM_CHAIN_BRANCHES_H

#include "sim/operator/sparse.h"

/* CHAIN_ROUNDS: number of Newton iterations of a step, from the second one on, in which the search may be used.
 * CHAIN_PIECES: maximum number of pieces of the curve, each of which has two doubles. */
enum { CHAIN_ROUNDS = 6, CHAIN_PIECES = 1 << 18 };

typedef struct ChainBranches ChainBranches;

/* Creates the search for the branches (slip or stick) of a rank's rows. The matrix E of a step must be tridiagonal.
 * diagonal: [count] entries E_ii; off: [count] entries E_{i,i+1}, 0 in the last row of the whole problem; both are
 * borrowed. Destroy *out even if this fails. Collective. Returns SIM_OK or SIM_NO_MEMORY, the same on all ranks. */
SimStatus chain_branches_create(const SimProblem *problem, const double *diagonal, const double *off,
                                ChainBranches **out);
void chain_branches_destroy(ChainBranches *chain); /* may be NULL */

/* Sets step->slip to branches (-1, 0, 1), exact up to rounding error, near the dofs at which it differs from solved[]:
 * those of the solution in which all other dofs keep step->w. "Near" is at first the distance over which one dof
 * influences others; it is doubled at each call for the same problem. solved: [count], the branches of step->w; NULL:
 * all branches are searched. Collective. */
void chain_branches_find(ChainBranches *chain, const StepLaw *law, const SparseStep *step, const signed char *solved,
                         int round);

/* Returns the first row from i on at which the branches a and b differ; `count` if there is none. */
int chain_branches_differ(const signed char *a, const signed char *b, int i, int count);

#endif
