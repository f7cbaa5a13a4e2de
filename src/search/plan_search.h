/* A search for a motion plan (src/file/sections/motion_plan.h), by mpirun's ranks, by rank 0 alone, or with spawned
 * workers. */
#ifndef SRC_PLAN_SEARCH_H
#define SRC_PLAN_SEARCH_H

#include "src/base/options.h"
#include "src/run/run_record.h"

/* Whether the problem file asks for a plan; the same on all ranks. */
bool plan_search_is_asked(const Options *options);

/* Runs one, as search_ranks_run; PETSc has been started if the method needs it. */
int plan_search_run(const Options *options, const RunRecord *record, Diagnostics *diagnostics);

#endif
