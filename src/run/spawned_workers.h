/* --elastic W: workers that rank 0 spawns, and replaces when they die. */
#ifndef SRC_SPAWNED_WORKERS_H
#define SRC_SPAWNED_WORKERS_H

#include "control/pool.h"
#include "src/base/options.h"
#include "src/file/sections/file.h"

/* Whether this process is one. */
bool spawned_workers_is_one(void);
/* All that such a worker does, by the builder of what it is sent; ends the process. */
_Noreturn void spawned_workers_serve(const CtlBuilder *builder);

/* Whether this is a run that can have such workers. All ranks. Returns an exit code, after telling what is wrong. */
int spawned_workers_check(const Options *options, ModelStorage storage, Diagnostics *diagnostics);

/* Rank 0: spawns them. Returns an exit code, after telling what is wrong. */
int spawned_workers_start(const Options *options, const CtlPoolOptions *pool_options, CtlPool **pool,
                          Diagnostics *diagnostics);

#endif
