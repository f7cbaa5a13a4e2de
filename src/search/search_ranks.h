/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs the commands `control` and `search`. All ranks call these functions together, and get the same exit code. */
#ifndef SRC_SEARCH_RANKS_H
#define SRC_SEARCH_RANKS_H

#include "src/run/run_record.h"
#include "src/search/search_run.h"

/* Runs a search, from the problem file to the results. Points are evaluated on the ranks that mpirun has started, on
 * rank 0 alone, or by workers that rank 0 starts. record: on rank 0, the opened record of a run to resume, which this
 * function closes; NULL: a new run. */
int search_ranks_run(const Options *options, const RunRecord *record, Diagnostics *diagnostics);

/* Runs a search in which an external program evaluates the points. It has the same arguments as search_ranks_run. */
int external_search_run(const Options *options, const RunRecord *record, Diagnostics *diagnostics);

/* Writes summary.json of the command `search`. Returns 0, or -1 after reporting an error. */
int external_results_write(const SearchRun *run, const CtlState *state, const char *points);

/* Prints the outcome of the command `search`, and reports failures. Returns the exit code. */
int external_results_report(const SearchRun *run, const CtlState *state, const char *points);

#endif
