/* SPDX-License-Identifier: BSD-2-Clause */
#define _POSIX_C_SOURCE 200809L /* declares readlink */
#include "src/run/spawned_workers.h"

#include "src/process/process.h"
#include "src/process/stop_signal.h"

#include <mpi.h>
#include <unistd.h>

/* number of replacements for workers that die, for each spawned worker */
enum { RESPAWNS_EACH = 32 };

bool spawned_workers_is_one(void) {
  MPI_Comm parent = MPI_COMM_NULL;
  if (process_with_mpi()) MPI_Comm_get_parent(&parent);
  return parent != MPI_COMM_NULL;
}

void spawned_workers_serve(const CtlBuilder *builder) {
  stop_signal_spare(); /* a search with results to save is running, so the first INT must not end this worker at once */
  _exit(ctl_pool_serve_spawned(builder) == SIM_OK ? EXIT_DONE : EXIT_INTERNAL);
}

int spawned_workers_check(const Options *options, ModelStorage storage, Diagnostics *diagnostics) {
  if (process_with_mpi() && process_ranks() == 1 && storage == MODEL_DENSE) return 0;
  if (process_rank() == 0)
    diagnostics_error(diagnostics, EXIT_USAGE, "--elastic %d expects %s", options->elastic,
                      storage == MODEL_DENSE ? "mpirun -n 1 --enable-recovery: it starts the workers itself"
                                             : "a dense model");
  return EXIT_USAGE;
}

int spawned_workers_start(const Options *options, const CtlPoolOptions *pool_options, CtlPool **pool,
                          Diagnostics *diagnostics) {
  static char program[4096];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  const CtlSpawn spawn = {.program = program,
                          .arguments = options->arguments,
                          .workers = options->elastic,
                          .respawns = RESPAWNS_EACH * options->elastic};
  SimStatus status = length > 0 ? ctl_pool_spawn(&spawn, pool_options, pool) : SIM_BAD_PROBLEM;
  if (status == SIM_OK) return 0;
  if (status == SIM_NO_MEMORY) return diagnostics_no_memory(diagnostics);
  return diagnostics_error(diagnostics, EXIT_USAGE,
                           "--elastic: MPI cannot start workers here (expected: started by mpirun -n 1 "
                           "--enable-recovery, not by srun)");
}
