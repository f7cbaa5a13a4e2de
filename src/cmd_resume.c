#include "src/base/exit_code.h"
#include "src/commands.h"
#include "src/run/run_record.h"
#include "src/search/spawned_workers.h"

#include <mpi.h>
#include <string.h>

enum { NOTHING, CONTROL, SIMULATE }; /* what there is to go on with */

/* Rank 0: opens the run. Returns the exit code when there is nothing to do. */
static int find_work(const Options *options, RunRecord *record, int *work, Diagnostics *diagnostics) {
  int code = run_record_open(record, options->argument, diagnostics);
  *work = NOTHING;
  if (code) return code;
  if (run_record_ended(record, &code)) {
    if (!options->quiet) printf("%s: this run has ended already, with exit code %d\n", options->argument, code);
    return code;
  }
  *work = strcmp(run_record_command(record), "simulate") == 0 ? SIMULATE : CONTROL;
  if (*work == CONTROL || !options->elastic) return 0;
  *work = NOTHING;
  return diagnostics_error(diagnostics, EXIT_USAGE, "--elastic is for runs of control; %s is a simulation",
                           options->argument);
}

static int run(const Options *given, Diagnostics *diagnostics) {
  RunRecord record = {.results.lock = -1};
  Options options = *given;
  char path[RESULTS_PATH_MAX] = "";
  int task[2] = {NOTHING, 0};
  if (elastic_spawned()) elastic_work(given);
  if (command_rank() == 0) {
    task[1] = find_work(given, &record, &task[0], diagnostics);
    if (task[0] != NOTHING && run_record_options(&record, path, &options)) task[0] = NOTHING, task[1] = EXIT_USAGE;
  }
  if (command_ranks() > 1) {
    MPI_Bcast(task, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(options.petsc, sizeof options.petsc, MPI_CHAR, 0, MPI_COMM_WORLD);
  }
  options.argument = path;
  if (task[0] == CONTROL) return control_resume(&options, &record, diagnostics);
  if (task[0] == SIMULATE) return simulate_resume(&options, &record, diagnostics);
  run_record_close(&record);
  return task[1];
}

const Command command_resume = {
    .name = "resume",
    .argument = "DIR",
    .summary = "go on with a run that was stopped or killed",
    .letters = "bkeEpq",
    .stops = true,
    .help =
        "usage: stiction resume DIR [options]\n"
        "       mpirun -n P stiction resume DIR [options]\n\n"
        "Goes on with the run whose results directory is DIR from its last checkpoint, on any number of ranks. The\n"
        "results are the same, bit for bit, as if the run had never been stopped.\n",
    .run = run,
};
