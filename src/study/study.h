/* The commands of this room. All ranks call them together; each returns an exit code, the same on all, with the errors in diagnostics of the first
 * rank. */
#ifndef SRC_STUDY_STUDY_H
#define SRC_STUDY_STUDY_H

#include "src/run/run_record.h"
#include "src/study/sweep_run.h"

/* `sweep`: a run for every combination of values of some keys, and one table of their outcomes. builder: of the messages that rank 0 sends;
 * searches: how searches are carried out. record: opened record of a sweep to be resumed, taken over, on rank 0; NULL: a new sweep. */
int sweep_command(const Options *options, const CtlBuilder *builder, const SweepSearches *searches, RunRecord *record,
                  Diagnostics *diagnostics);

/* `identify`: parameters of the model that fit a measured motion. */
int identify_run(const Options *options, Diagnostics *diagnostics);

/* `simulate --scenarios`: the motion with the numbers of the file, and the final states of all scenarios. All ranks see the same files; the
 * first one writes. */
int scenario_run(const Options *options, Diagnostics *diagnostics);

#endif
