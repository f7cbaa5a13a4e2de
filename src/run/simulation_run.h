/* One simulation, from problem file to results, in pieces between which it is saved and may be stopped. */
#ifndef SRC_RUN_SIMULATION_RUN_H
#define SRC_RUN_SIMULATION_RUN_H

#include "sim/group.h"
#include "src/base/options.h"
#include "src/run/run_record.h"

/* By the ranks of a group together. given: the problem, read and taken over; NULL: it is read from the file of the options. record: the first rank's, of a run to go on with, which is taken over; NULL for a new
 * one. summary: the first rank's, a new reference to that of one that has ended; NULL: not wanted. Collective over the group. Returns an
 * exit code, the same on all, with what is wrong in diagnostics. */
int simulation_run(const Options *options, Problem *given, SimGroup *group, const RunRecord *record, json_t **summary,
                   Diagnostics *diagnostics);

#endif
