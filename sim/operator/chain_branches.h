/* The branches on which a step of a chain is solved, found directly: for E that couples each dof to its neighbours alone, and
 * the unregularized law. */
#ifndef SIM_CHAIN_BRANCHES_H
#define SIM_CHAIN_BRANCHES_H

#include "sim/operator/sparse.h"

/* Rounds of newton that they may begin with, from the second one on. Two doubles are kept of a piece, of so many at most. */
enum { CHAIN_ROUNDS = 6, CHAIN_PIECES = 1 << 18 };

typedef struct ChainBranches ChainBranches;

/* Of a rank's rows. diagonal: [count] E_ii; off: [count] E_{i,i+1}, of the whole problem's last row 0; borrowed. *out is to be
 * destroyed even when this fails. Collective; SIM_OK, SIM_NO_MEMORY, agreed on by the group. */
SimStatus chain_branches_create(const SimProblem *problem, const double *diagonal, const double *off,
                                ChainBranches **out);
void chain_branches_destroy(ChainBranches *chain); /* may be NULL */

/* Where step->slip is not solved[], within the range of one dof's influence and twice, four times, .. of it from round to
 * round, it becomes that of the solution where all other dofs move as step->w has it, up to round-off. solved: [count], the
 * branches that step->w is on; NULL: all are found anew. Collective. */
void chain_branches_find(ChainBranches *chain, const StepLaw *law, const SparseStep *step, const signed char *solved,
                         int round);

/* The first row from i on where the two are not the same; count: there is none. */
int chain_branches_differ(const signed char *a, const signed char *b, int i, int count);

#endif
