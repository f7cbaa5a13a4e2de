/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/group.h"
#include "src/commands.h"
#include "src/process/process.h"
#include "src/run/simulation_run.h"
#include "src/run/storage.h"
#include "src/study/study.h"

/* Runs all scenarios if the command line asks for them. Otherwise simulates a sparse model on all ranks together, and
 * any other model on the first rank. */
static int run_all(const Options *options, const RunRecord *record, Diagnostics *diagnostics) {
  ModelStorage storage;
  int code = storage_choose(options, &storage, diagnostics);
  if (!code && options->scenarios) return scenario_run(options, diagnostics);
  bool together = storage != MODEL_DENSE;
  if (!code && (together || process_rank() == 0))
    code = simulation_run(options, NULL, together ? process_group() : NULL, record, NULL, diagnostics);
  sim_group_share(process_group(), &code, sizeof code); /* all ranks must return the same exit code */
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
    .stops = true,
    .help = "usage: stiction simulate FILE [options]\n"
            "       mpirun -n P stiction simulate FILE [options]\n\n"
            "Solves the motion once, without control, with a given one, or replaying an optimum, and writes\n"
            "the trajectory, energy.csv, events.csv and summary.json. A model with sparse matrices (a string) is\n"
            "simulated by all ranks together. --verify reports how far the run is from the motion itself.\n"
            "--scenarios simulates all scenarios as well and writes scenarios.csv; of a least time and the like those\n"
            "of its answer, --control DIR.\n",
    .run = run,
};
