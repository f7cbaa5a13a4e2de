/* Results of `stiction search`: summary and final messages. */
#ifndef SRC_SEARCH_EXTERNAL_RESULTS_H
#define SRC_SEARCH_EXTERNAL_RESULTS_H

#include "src/search/search_run.h"

/* Writes summary.json. Returns 0, or -1 after reporting an error. */
int external_results_write(const SearchRun *run, const CtlState *state, const char *points);

/* Prints the answer and reports failed points. Returns the exit code. */
int external_results_report(const SearchRun *run, const CtlState *state, const char *points);

#endif
