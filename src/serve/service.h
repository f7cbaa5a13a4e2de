/* The service: takes problems from its folder, several at a time, evaluates them on a pool, and writes their results
 * there. */
#ifndef SRC_SERVE_SERVICE_H
#define SRC_SERVE_SERVICE_H

#include "control/pool.h"
#include "src/base/diagnostics.h"
#include "src/base/options.h"

/* Rank 0: serves options->argument (spool.h) until a stop is requested or, to drain it, until nothing is left. ranks:
 * including the pool's workers. Returns an exit code; errors of the folder are added to diagnostics, messages about a
 * problem are written to its folder. */
int service_run(const Options *options, CtlPool *pool, int ranks, Diagnostics *diagnostics);

#endif
