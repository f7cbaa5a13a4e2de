/* SPDX-License-Identifier: BSD-2-Clause */
/* The commands sweep, identify and simulate --scenarios. All ranks call these functions together, and get the same exit
 * code. Errors are added to diagnostics of the first rank. */
#ifndef SRC_STUDY_STUDY_H
#define SRC_STUDY_STUDY_H

#include "src/run/run_record.h"
#include "src/study/sweep_run.h"

/* `sweep` runs a problem for all combinations of values of some keys, and writes a table of the results. builder: makes
 * evaluators from messages of rank 0. searches: functions that run a search. record: on rank 0, the opened record of a
 * sweep to resume, which this function closes; NULL: a new sweep. */
int sweep_command(const Options *options, const CtlBuilder *builder, const SweepSearches *searches, RunRecord *record,
                  Diagnostics *diagnostics);

/* `identify` finds parameters of the model that fit a measured motion. */
int identify_run(const Options *options, Diagnostics *diagnostics);

/* `simulate --scenarios` computes the motion for the numbers in the file, and the final states of all scenarios. All
 * ranks read the same files; the first rank writes. */
int scenario_run(const Options *options, Diagnostics *diagnostics);

/* The same for a file with a motion plan, on the first rank: its answer, of --control DIR, in all scenarios. problem: as
 * read; its motion becomes that of the answer. begun: time of the start (ctl_seconds). */
int plan_scenario_run(const Options *options, Problem *problem, double begun, Diagnostics *diagnostics);

#endif
