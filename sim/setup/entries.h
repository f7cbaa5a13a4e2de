/* SPDX-License-Identifier: BSD-2-Clause */
/* Sparse problems with a scheme, stops or springs between neighbours that need all entries of the matrices. They must
 * be on one rank and have at most ENTRIES_ROWS rows. They are checked as dense problems, and models are created from
 * dense copies (problem_copy_dense). */
#ifndef SIM_SETUP_ENTRIES_H
#define SIM_SETUP_ENTRIES_H

#include "sim/operator/check.h"

enum { ENTRIES_ROWS = 2048 };

/* Copies a matrix with `rows` rows, which sim_matrix_clear frees. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus entries_copy(const SimMatrix *from, int rows, SimMatrix *to);
bool entries_wanted(const SimProblem *problem);
/* Reports a problem that needs all entries but is too large or distributed over several ranks. */
void entries_check(Check *check);

#endif
