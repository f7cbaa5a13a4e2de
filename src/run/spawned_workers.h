/* --elastic W: workers that rank 0 spawns, and replaces when they die. */
#ifndef SRC_SPAWNED_WORKERS_H
#define SRC_SPAWNED_WORKERS_H

#include "control/pool.h"
#include "src/base/options.h"
#include "src/file/sections/file.h"

/* Whether this process is such a worker. */
bool spawned_workers_is_one(void);
/* Runs such a worker with the builder of its evaluators; ends the process. */
_Noreturn void spawned_workers_serve(const CtlBuilder *builder);

/* Checks whether this run can have such workers. Called by all ranks. Returns an exit code after reporting errors. */
int spawned_workers_check(const Options *options, ModelStorage storage, Diagnostics *diagnostics);

/* Rank 0: spawns the workers. Returns an exit code after reporting errors. */
int spawned_workers_start(const Options *options, const CtlPoolOptions *pool_options, CtlPool **pool,
                          Diagnostics *diagnostics);

#endif
