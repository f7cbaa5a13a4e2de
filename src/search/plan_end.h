/* SPDX-License-Identifier: BSD-2-Clause */
/* Beginning and end of a search for a motion plan (src/file/sections/motion_plan.h). They run on rank 0, for any
 * drive. */
#ifndef SRC_PLAN_END_H
#define SRC_PLAN_END_H

#include "src/search/search_run.h"

/* Prepares the search of a plan after the problem was read, as search_run_prepare does for other searches. Returns 0,
 * or an exit code after reporting an error. */
int plan_run_prepare(SearchRun *run);

/* Finishes the search of a plan as search_run_finish does other searches. drive: code with which the drive ended.
 * Returns the exit code. */
int plan_run_finish(SearchRun *run, int drive);

#endif
