/* Beginning and end of a search for a motion plan, on rank 0, with any drive. */
#ifndef SRC_PLAN_END_H
#define SRC_PLAN_END_H

#include "src/search/search_run.h"

/* The part of search_run_prepare behind the reading of the problem. Returns 0 or, reported, an exit code. */
int plan_run_prepare(SearchRun *run);

/* What search_run_finish does: drive: as a drive has ended. Returns the exit code. */
int plan_run_finish(SearchRun *run, int drive);

#endif
