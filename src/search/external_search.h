/* `stiction search`: a search with points that a user's program evaluates. */
#ifndef SRC_SEARCH_EXTERNAL_SEARCH_H
#define SRC_SEARCH_EXTERNAL_SEARCH_H

#include "src/base/options.h"
#include "src/run/run_record.h"

/* Runs it from the problem file to the results, like search_ranks_run. */
int external_search_run(const Options *options, const RunRecord *record, Diagnostics *diagnostics);

#endif
