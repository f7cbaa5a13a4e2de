/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs one simulation, from the problem file to the results. It is computed in parts; between two parts its state is
 * saved, and it can be stopped. */
#ifndef SRC_RUN_SIMULATION_RUN_H
#define SRC_RUN_SIMULATION_RUN_H

#include "sim/group.h"
#include "src/base/options.h"
#include "src/run/run_record.h"

/* Runs a simulation on all ranks of a group together. given: the problem, which this function clears; NULL: the problem
 * is read from the file in the options. record: on the first rank, the record of a run to resume, which this function
 * closes; NULL: a new run. summary: on the first rank, set to the summary of a finished run, a reference that the
 * caller owns; NULL: not needed. Collective over the group. Returns the same exit code on all ranks. Errors are added
 * to diagnostics. */
int simulation_run(const Options *options, Problem *given, SimGroup *group, const RunRecord *record, json_t **summary,
                   Diagnostics *diagnostics);

#endif
