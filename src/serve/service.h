/* SPDX-License-Identifier: BSD-2-Clause */
/* The service takes jobs from its folder, several at a time, evaluates their points on a pool of workers, and writes
 * their results to the folder. */
#ifndef SRC_SERVE_SERVICE_H
#define SRC_SERVE_SERVICE_H

#include "control/pool.h"
#include "src/base/diagnostics.h"
#include "src/base/options.h"

/* Serves the spool options->argument (spool.h), on rank 0. Ends when a stop is requested or, with --drain, when no job
 * is left. ranks: number of ranks including the workers of the pool. Returns an exit code. Errors that concern the
 * folder are added to diagnostics; messages about a job are written to the folder of the job. */
int service_run(const Options *options, CtlPool *pool, int ranks, Diagnostics *diagnostics);

#endif
