/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/group.h"
#include "src/commands.h"
#include "src/process/interruption.h"
#include "src/process/process.h"
#include "src/process/stop_signal.h"
#include "src/run/spawned_workers.h"
#include "src/search/messages.h"
#include "src/serve/service.h"
#include "src/serve/spool.h"

/* Default limits for one problem of a service. They are strict, since other problems wait in the meantime.
 * SERVE_SECONDS: processor time before its first step, in s
 * SERVE_SHARES: one problem may use 1/SERVE_SHARES of the free memory
 * SERVE_SEGMENTS: work of one motion, in segments (interruption.h) */
enum { SERVE_SECONDS = 10, SERVE_SHARES = 4, SERVE_SEGMENTS = 1000000 };

static int run_coordinator(const Options *options, int ranks, Diagnostics *diagnostics) {
  /* rank 0 serves all problems, so it must not be blocked by evaluating a motion itself */
  const CtlPoolOptions pool_options = {.aside = true};
  CtlPool *pool = NULL;
  int code = 0;
  if (options->elastic) {
    ranks = 1 + options->elastic;
    code = spawned_workers_start(options, &pool_options, &pool, diagnostics);
  } else if (ctl_pool_create(MPI_COMM_WORLD, &pool_options, &pool) != SIM_OK) {
    process_end_without_memory(diagnostics);
  }
  if (code) return code;
  code = service_run(options, pool, ranks, diagnostics);
  if (!ctl_pool_close(pool)) process_end_all(code, diagnostics, "a rank does not answer: all are ended by MPI_Abort");
  return code;
}

static int run_worker(const Options *options, Diagnostics *diagnostics) {
  const MessageReader reader = {.options = options, .diagnostics = diagnostics};
  const CtlBuilder builder = messages_builder(&reader);
  if (ctl_pool_serve(&builder, MPI_COMM_WORLD) == SIM_OK) return 0;
  process_end_without_memory(diagnostics);
  return EXIT_INTERNAL;
}

/* Checks that there are enough ranks. Called by all ranks. */
static int check_ranks(const Options *options, Diagnostics *diagnostics) {
  if (options->elastic) return spawned_workers_check(options, MODEL_DENSE, diagnostics);
  if (process_with_mpi()) return 0;
  return diagnostics_error(diagnostics, EXIT_USAGE, "expected mpirun -n P stiction serve SPOOL");
}

static int run(const Options *options, Diagnostics *diagnostics) {
  int rank = process_rank(), ranks = process_ranks(),
      code = spawned_workers_is_one() || options->init ? 0 : check_ranks(options, diagnostics);
  if (code) return code;
  if (options->init) return rank == 0 ? spool_make(options->argument, diagnostics) : 0;
  stop_signal_spare();
  code = process_start_petsc(NULL, diagnostics); /* PETSc can only be started by all ranks together, and some later
                                                  * problem may need it */
  if (code) return code;
  const MessageReader reader = {.options = options, .diagnostics = diagnostics};
  const CtlBuilder builder = messages_builder(&reader);
  Options limited = *options;
  if (limited.limits.segments == 0) limited.limits.segments = SERVE_SEGMENTS;
  interruption_limit(limited.limits.segments);
  if (spawned_workers_is_one()) spawned_workers_serve(&builder);
  if (limited.limits.seconds == 0) limited.limits.seconds = SERVE_SECONDS;
  if (limited.limits.bytes == 0) limited.limits.bytes = memory_available() / SERVE_SHARES;
  code = rank == 0 ? run_coordinator(&limited, ranks, diagnostics) : run_worker(options, diagnostics);
  sim_group_share(process_group(), &code, sizeof code);
  return code;
}

const Command command_serve = {
    .name = "serve",
    .summary = "carry out all problems that are put into a folder",
    .argument = "SPOOL",
    .stops = true,
    .help =
        "usage: mpirun -n P stiction serve SPOOL [options]\n"
        "       stiction serve SPOOL --init\n\n"
        "Takes problem files, and packed jobs, from SPOOL/incoming (written elsewhere, then renamed to there),\n"
        "searches their controls, several at a time on ranks 1.., and leaves results like those of `control` in\n"
        "SPOOL/done/NAME, or SPOOL/failed/NAME with error.txt. Long work of rank 0, and jobs of simulate, sweep and\n"
        "identify, run in separate processes. A file SPOOL/incoming/NAME.cancel from the submitter of NAME cancels\n"
        "it. SPOOL/status.json lists the running jobs.\n\n"
        "Ends after the current simplexes when a file SPOOL/stop is created; on TERM, INT or USR1, with 85. When\n"
        "started again, it resumes the jobs that it had begun.\n",
    .run = run,
};
