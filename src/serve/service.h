/* The service: takes problems from its folder, several at a time, has a pool evaluate them, and puts their results there. */
#ifndef SRC_SERVE_SERVICE_H
#define SRC_SERVE_SERVICE_H

#include "control/pool.h"
#include "src/base/diagnostics.h"
#include "src/base/options.h"

/* Rank 0: serves options->argument (spool.h) until a stop is wanted, or, to drain it, until nothing is left. ranks: with
 * the pool's workers. Returns an exit code, with what is wrong with the folder in diagnostics; a problem's own messages are
 * in its folder. */
int service_run(const Options *options, CtlPool *pool, int ranks, Diagnostics *diagnostics);

#endif
