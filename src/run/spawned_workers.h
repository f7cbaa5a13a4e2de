/* SPDX-License-Identifier: BSD-2-Clause */
/* Workers of the option --elastic W: processes that rank 0 starts, and replaces if they die. */
#ifndef SRC_SPAWNED_WORKERS_H
#define SRC_SPAWNED_WORKERS_H

#include "control/pool.h"
#include "src/base/options.h"
#include "src/file/sections/file.h"

/* Returns whether this process is a worker that rank 0 has started. */
bool spawned_workers_is_one(void);
/* Serves as such a worker, and then ends the process. builder: makes the evaluators of the worker. */
_Noreturn void spawned_workers_serve(const CtlBuilder *builder);

/* Checks whether this run can start workers. Called by all ranks. Returns 0, or an exit code after reporting errors. */
int spawned_workers_check(const Options *options, ModelStorage storage, Diagnostics *diagnostics);

/* Starts the workers, on rank 0. Returns 0, or an exit code after reporting errors. */
int spawned_workers_start(const Options *options, const CtlPoolOptions *pool_options, CtlPool **pool,
                          Diagnostics *diagnostics);

#endif
