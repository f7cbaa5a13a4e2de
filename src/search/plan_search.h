/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs a search for a motion plan (src/file/sections/motion_plan.h) on the ranks that mpirun has started, on rank 0
 * alone, or with workers that rank 0 starts. */
#ifndef SRC_PLAN_SEARCH_H
#define SRC_PLAN_SEARCH_H

#include "src/base/options.h"
#include "src/run/run_record.h"

/* Returns whether the problem file has a motion plan. The result is the same on all ranks. */
bool plan_search_is_asked(const Options *options);

/* Runs the search. It has the same arguments and returns the same codes as search_ranks_run. If the method of the
 * search needs PETSc, PETSc must have been started. */
int plan_search_run(const Options *options, const RunRecord *record, Diagnostics *diagnostics);

#endif
