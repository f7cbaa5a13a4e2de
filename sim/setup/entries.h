/* Problems of sparse storage whose scheme, stops or springs between neighbours are computed with all entries of the matrices: of one rank, and no more than
 * ENTRIES_ROWS. They are checked, and made models of, as dense ones (problem_copy_dense). */
#ifndef SIM_SETUP_ENTRIES_H
#define SIM_SETUP_ENTRIES_H

#include "sim/operator/check.h"

enum { ENTRIES_ROWS = 2048 };

bool entries_wanted(const SimProblem *problem);
/* Reports a problem that is too large for it, or of several ranks. */
void entries_check(Check *check);

#endif
