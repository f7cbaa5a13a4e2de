/* What `stiction search` writes and says in the end. */
#ifndef SRC_SEARCH_EXTERNAL_RESULTS_H
#define SRC_SEARCH_EXTERNAL_RESULTS_H

#include "src/search/search_run.h"

/* summary.json. Returns 0 or -1 after telling. */
int external_results_write(const SearchRun *run, const CtlState *state, const char *points);

/* Says what has been found, and what has failed. Returns the exit code. */
int external_results_tell(const SearchRun *run, const CtlState *state, const char *points);

#endif
