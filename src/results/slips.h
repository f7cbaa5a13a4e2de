/* SPDX-License-Identifier: BSD-2-Clause */
/* Records the slips of many degrees of freedom (dofs) in events.h5.
 *
 * A slip is a time during which a dof with friction slips in one direction, as an interval slip+ or slip- in
 * events.csv. It lasts from the step before the first one at which the dof slips that way to the first one at which
 * it no longer does, or to the end of the run.
 *
 * Each rank follows its own rows. At steps that do not depend on the number of ranks, the first rank gathers the
 * slips that have ended into events.part, ordered by (end, dof). When the run ends or stops, events.h5 is made from
 * them (src/results/slips_file.h). */
#ifndef SRC_RESULTS_SLIPS_H
#define SRC_RESULTS_SLIPS_H

#include "sim/group.h"
#include "src/base/problem.h"
#include "src/results/results.h"

typedef struct Slips Slips;

/* Starts recording slips. problem, rows and has_friction [rows->count] are borrowed. resumed: continues from the state
 * `saved` on the first rank; otherwise saved is NULL. Collective, like all functions here, over the ranks that share
 * the rows. Returns NULL on all ranks after reporting an error. */
Slips *slips_open(const Results *results, const Problem *problem, const SimRows *rows, const bool *has_friction,
                  bool resumed, const void *saved);

/* slips_save flushes the file to the disk, and writes the state to bytes [slips_saved_size] on the first rank (NULL
 * elsewhere). Returns 0, or -1 on all ranks. d: number of all dofs. */
size_t slips_saved_size(int d);
int slips_save(Slips *slips, void *bytes);

/* Adds the next instant. force: [rows->count] friction force in N. Returns the number of slips of this rank that wait
 * to be gathered. */
long slips_observe(Slips *slips, const SimStep *step, const double *force);
/* Gathers waiting slips if there are enough. waiting: their number on all ranks together. */
void slips_gather(Slips *slips, double waiting);

/* Writes events.h5. Slips that have not ended end at the last time. ended: the run will not be resumed. Returns 0, or
 * -1 on all ranks after reporting an error. NULL: 0. */
int slips_close(Slips *slips, bool ended);

#endif
