/* SPDX-License-Identifier: BSD-2-Clause */
/* Records the slips of many degrees of freedom (dofs) in events.h5.
 *
 * A slip is an interval during which a dof with friction slips in one direction; events.csv calls it slip+ or slip-. It
 * begins at the step before the first step at which the dof slips in this direction. It ends at the first step at which
 * the dof no longer does so, or at the end of the run.
 *
 * Each rank records the slips of its own rows. From time to time the first rank gathers the slips that have ended into
 * events.part, ordered by (end, dof). The steps at which it does so do not depend on the number of ranks. When the run
 * ends or stops, events.h5 is made from events.part (src/results/slips_file.h). */
#ifndef SRC_RESULTS_SLIPS_H
#define SRC_RESULTS_SLIPS_H

#include "sim/group.h"
#include "src/base/problem.h"
#include "src/results/results.h"

typedef struct Slips Slips;

/* Starts recording slips. problem, rows and has_friction [rows->count] are borrowed. resumed: recording continues from
 * the state `saved`, which the first rank has; otherwise saved is NULL. Collective, like all functions here, over the
 * ranks that share the rows. Returns NULL on all ranks after reporting an error. */
Slips *slips_open(const Results *results, const Problem *problem, const SimRows *rows, const bool *has_friction,
                  bool resumed, const void *saved);

/* slips_save flushes the file to the disk, and writes the state to bytes [slips_saved_size] on the first rank; bytes is
 * NULL on other ranks. Returns 0, or -1 on all ranks. d: number of all dofs. */
size_t slips_saved_size(int d);
int slips_save(Slips *slips, void *bytes);

/* Adds the next instant of the motion. force: [rows->count] friction force in N. Returns the number of slips of this
 * rank that wait to be gathered. */
long slips_observe(Slips *slips, const SimStep *step, const double *force);
/* Gathers the waiting slips if there are enough of them. waiting: their number on all ranks together. */
void slips_gather(Slips *slips, double waiting);

/* Writes events.h5. Slips that are still going on end at the last time. ended: the run will not be resumed. Returns 0,
 * or -1 on all ranks after reporting an error. If slips is NULL, returns 0. */
int slips_close(Slips *slips, bool ended);

#endif
