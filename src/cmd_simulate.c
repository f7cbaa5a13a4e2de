#include "src/base/exit_code.h"
#include "src/commands.h"
#include "src/run/simulation_run.h"

/* A sparse model is simulated by all ranks together, any other by the first one. */
static int run_all(const Options *options, const RunRecord *record, Diagnostics *diagnostics) {
  int ranks = command_ranks();
  ModelStorage storage;
  Sharing sharing = sharing_alone();
  int code = command_storage(options, &storage, diagnostics);
  bool together = storage != MODEL_DENSE;
  if (!code && together && !sharing_create(ranks > 1 ? MPI_COMM_WORLD : MPI_COMM_NULL, &sharing, diagnostics))
    code = EXIT_INTERNAL;
  if (!code && (together || command_rank() == 0)) code = simulation_run(options, &sharing, record, diagnostics);
  sharing_clear(&sharing);
  if (ranks > 1) MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD); /* one program, one exit code */
  return code;
}

static int run(const Options *options, Diagnostics *diagnostics) { return run_all(options, NULL, diagnostics); }

int simulate_resume(const Options *options, RunRecord *record, Diagnostics *diagnostics) {
  return run_all(options, record, diagnostics);
}

const Command command_simulate = {
    .name = "simulate",
    .summary = "solve one initial value problem: trajectory, stick and slip intervals, energy balance",
    .argument = "FILE",
    .letters = "ofscpqP",
    .stops = true,
    .help = "usage: stiction simulate FILE [options]\n"
            "       mpirun -n P stiction simulate FILE [options]\n\n"
            "Solves the motion once, without control, with a given one, or replaying an optimum, and writes\n"
            "the trajectory, energy.csv, events.csv and summary.json. A model with sparse matrices (a string) is\n"
            "simulated by all ranks together.\n",
    .run = run,
};
