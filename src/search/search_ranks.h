/* The commands `control` and `search`. All ranks call them together; they return an exit code, the same on all. */
#ifndef SRC_SEARCH_RANKS_H
#define SRC_SEARCH_RANKS_H

#include "src/run/run_record.h"
#include "src/search/search_run.h"

/* A search, from the problem file to the results, by the ranks that mpirun has started, by rank 0 alone, or with workers that it spawns. record:
 * opened record of a run to be resumed, taken over, on rank 0; NULL: a new run. */
int search_ranks_run(const Options *options, const RunRecord *record, Diagnostics *diagnostics);

/* Runs a search in which an external program evaluates the points. Arguments as above. */
int external_search_run(const Options *options, const RunRecord *record, Diagnostics *diagnostics);

/* Writes the summary.json of `search`. Returns 0, or -1 after reporting. */
int external_results_write(const SearchRun *run, const CtlState *state, const char *points);

/* Prints the outcome of `search`, and reports failures. Returns the exit code. */
int external_results_report(const SearchRun *run, const CtlState *state, const char *points);

#endif
