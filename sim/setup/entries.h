/* Sparse problems whose scheme, stops or springs between neighbours need all entries of the matrices. They must be on
 * one rank and have at most ENTRIES_ROWS rows. They are checked, and made into models, as dense problems
 * (problem_copy_dense). */
#ifndef SIM_SETUP_ENTRIES_H
#define SIM_SETUP_ENTRIES_H

#include "sim/operator/check.h"

enum { ENTRIES_ROWS = 2048 };

/* Copies a matrix with `rows` rows; sim_matrix_clear frees it. SIM_OK, SIM_NO_MEMORY. */
SimStatus entries_copy(const SimMatrix *from, int rows, SimMatrix *to);
bool entries_wanted(const SimProblem *problem);
/* Reports such a problem if it is too large, or distributed over several ranks. */
void entries_check(Check *check);

#endif
