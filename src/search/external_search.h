/* `stiction search`: a search whose points a program of the user's own evaluates. */
#ifndef SRC_SEARCH_EXTERNAL_SEARCH_H
#define SRC_SEARCH_EXTERNAL_SEARCH_H

#include "src/base/options.h"
#include "src/run/run_record.h"

/* From the problem file to the results, as search_ranks_run. */
int external_search_run(const Options *options, const RunRecord *record, Diagnostics *diagnostics);

#endif
