/* SPDX-License-Identifier: BSD-2-Clause */
/* Beginning and end of a search for a motion plan (src/file/sections/motion_plan.h). These functions run on rank 0.
 * Between them, the points can be evaluated by a pool or by this process. */
#ifndef SRC_PLAN_END_H
#define SRC_PLAN_END_H

#include "src/search/search_run.h"

/* Prepares the search of a plan, after the problem was read; search_run_prepare does the same for other searches.
 * Returns 0, or an exit code after reporting an error. */
int plan_run_prepare(SearchRun *run);

/* Ends the search of a plan; search_run_finish does the same for other searches. drive: code with which the evaluation
 * of points ended. Returns the exit code of the run. */
int plan_run_finish(SearchRun *run, int drive);

#endif
