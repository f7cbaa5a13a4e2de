/* Runs one simulation, from problem file to results, in parts between which it is saved and can be stopped. */
#ifndef SRC_RUN_SIMULATION_RUN_H
#define SRC_RUN_SIMULATION_RUN_H

#include "sim/group.h"
#include "src/base/options.h"
#include "src/run/run_record.h"

/* Runs it on all ranks of a group. given: the problem, already read, which is taken over; NULL: read from the file of
 * the options. record: on the first rank, of a run to resume, which is taken over; NULL: a new run. summary: on the
 * first rank, a new reference to the summary of a finished run; NULL: not wanted. Collective over the group. Returns an
 * exit code, the same on all ranks; errors are in diagnostics. */
int simulation_run(const Options *options, Problem *given, SimGroup *group, const RunRecord *record, json_t **summary,
                   Diagnostics *diagnostics);

#endif
