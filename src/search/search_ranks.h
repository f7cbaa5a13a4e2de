/* Runs a search on the ranks started by mpirun, on rank 0 alone, or with workers that it spawns. */
#ifndef SRC_SEARCH_RANKS_H
#define SRC_SEARCH_RANKS_H

#include "src/base/options.h"
#include "src/run/run_record.h"

/* Runs it from the problem file to the results. record: on rank 0, opened, of a run to resume, which this function
 * takes over; NULL for a new run. Collective over all ranks; returns the same exit code on all. */
int search_ranks_run(const Options *options, const RunRecord *record, Diagnostics *diagnostics);

#endif
