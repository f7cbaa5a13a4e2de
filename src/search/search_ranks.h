/* A search by the ranks that mpirun has started, or by rank 0 alone, or with workers that it spawns. */
#ifndef SRC_SEARCH_RANKS_H
#define SRC_SEARCH_RANKS_H

#include "src/base/options.h"
#include "src/run/run_record.h"

/* From the problem file to the results. record: rank 0's, opened, of a run to go on with, taken over; NULL for a new one.
 * Called by all ranks; returns the exit code that all have. */
int search_ranks_run(const Options *options, const RunRecord *record, Diagnostics *diagnostics);

#endif
