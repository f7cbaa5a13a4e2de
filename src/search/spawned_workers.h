/* --elastic W: workers that rank 0 spawns, and replaces when they die. */
#ifndef SRC_ELASTIC_H
#define SRC_ELASTIC_H

#include "control/pool.h"
#include "src/base/options.h"
#include "src/problem/file.h"

/* Whether this process is such a worker. */
bool elastic_spawned(void);
/* All that such a worker does; ends the process. */
_Noreturn void elastic_work(const Options *options);

/* Whether this is a run that can have such workers. All ranks. Returns an exit code, after telling what is wrong. */
int elastic_check(const Options *options, ModelStorage storage, Diagnostics *diagnostics);

/* Rank 0: spawns them. Returns an exit code, after telling what is wrong. */
int elastic_pool(const Options *options, const CtlPoolOptions *pool_options, CtlPool **pool, Diagnostics *diagnostics);

#endif
