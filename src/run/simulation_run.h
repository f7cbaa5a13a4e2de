/* One simulation, from problem file to results, in pieces between which it is saved and may be stopped. */
#ifndef SRC_RUN_SIMULATION_RUN_H
#define SRC_RUN_SIMULATION_RUN_H

#include "src/base/options.h"
#include "src/process/sharing.h"
#include "src/run/run_record.h"

/* By the ranks of `sharing` together. record: the first rank's, of a run to go on with, which is taken over; NULL for a new
 * one. Collective over sharing->comm. Returns an exit code, the same on all, with what is wrong in diagnostics. */
int simulation_run(const Options *options, const Sharing *sharing, const RunRecord *record, Diagnostics *diagnostics);

#endif
