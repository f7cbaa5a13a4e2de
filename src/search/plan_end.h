/* Beginning and end of a search for a motion plan (src/file/sections/motion_plan.h). They run on rank 0, for any
 * drive. */
#ifndef SRC_PLAN_END_H
#define SRC_PLAN_END_H

#include "src/search/search_run.h"

/* Does the part of search_run_prepare that follows the reading of the problem. Returns 0, or an exit code after
 * reporting an error. */
int plan_run_prepare(SearchRun *run);

/* Does for a plan what search_run_finish does for other searches. drive: code with which the drive ended. Returns
 * the exit code. */
int plan_run_finish(SearchRun *run, int drive);

#endif
