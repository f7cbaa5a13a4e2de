/* Many runs as one: every combination of some keys' values, on all ranks, and one table of what came out. */
#ifndef SRC_STUDY_SWEEP_H
#define SRC_STUDY_SWEEP_H

#include "src/base/options.h"
#include "src/run/run_record.h"
#include "src/study/sweep_worker.h"

/* The command, by all ranks. builder: of what rank 0 sends; searches: how they are carried out. record: rank 0's, opened, of one to go on with, which is taken over; NULL: a new one. Returns an exit code, the
 * same on all, with what is wrong in diagnostics. */
int sweep_command(const Options *options, const CtlBuilder *builder, const SweepSearches *searches, RunRecord *record,
                  Diagnostics *diagnostics);

#endif
