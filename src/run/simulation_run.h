/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs one simulation, from the problem file to the results. It advances in parts; between two parts it is saved and
 * can be stopped. */
#ifndef SRC_RUN_SIMULATION_RUN_H
#define SRC_RUN_SIMULATION_RUN_H

#include "sim/group.h"
#include "src/base/options.h"
#include "src/run/run_record.h"

/* Runs a simulation on all ranks of a group together. given: the problem, which is taken over; NULL: it is read from
 * the file in the options. record: on the first rank, record of a run to resume, which is taken over; NULL: a new
 * run. summary: on the first rank, set to a new reference to the summary of a finished run; NULL: not needed.
 * Collective over the group. Returns the same exit code on all ranks; errors are added to diagnostics. */
int simulation_run(const Options *options, Problem *given, SimGroup *group, const RunRecord *record, json_t **summary,
                   Diagnostics *diagnostics);

#endif
