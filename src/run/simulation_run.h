/* Runs one simulation, from problem file to results, in parts between which it is saved and can be stopped. */
#ifndef SRC_RUN_SIMULATION_RUN_H
#define SRC_RUN_SIMULATION_RUN_H

#include "sim/group.h"
#include "src/base/options.h"
#include "src/run/run_record.h"

/* Runs a simulation on the ranks of a group together. given: the problem, taken over; NULL: it is read from the file of the options. record: on
 * the first rank, of a run to resume, which this function takes over; NULL for a new run. summary: on the first rank, set to a new reference to the
 * summary of a finished run; NULL: not needed. Collective over the group. Returns the same exit code on all ranks; errors are added to diagnostics. */
int simulation_run(const Options *options, Problem *given, SimGroup *group, const RunRecord *record, json_t **summary,
                   Diagnostics *diagnostics);

#endif
