/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/group.h"
#include "src/commands.h"
#include "src/process/process.h"
#include "src/run/run_record.h"
#include "src/run/spawned_workers.h"
#include "src/search/messages.h"
#include "src/search/search_ranks.h"
#include "src/study/study.h"

#include <string.h>

enum { NOTHING, CONTROL, SIMULATE, SWEEP, SEARCH }; /* kind of run to resume */

/* Opens the run on rank 0 and finds what is left to do. If nothing is left, returns the exit code of the run. */
static int find_work(const Options *options, RunRecord *record, int *work, Diagnostics *diagnostics) {
  int code = run_record_open(record, options->argument, diagnostics);
  *work = NOTHING;
  if (code) return code;
  if (run_record_ended(record, &code)) {
    if (!options->quiet) printf("%s: this run has ended already, with exit code %d\n", options->argument, code);
    return code;
  }
  const char *command = run_record_command(record);
  *work = strcmp(command, "simulate") == 0 ? SIMULATE
          : strcmp(command, "sweep") == 0  ? SWEEP
          : strcmp(command, "search") == 0 ? SEARCH
                                           : CONTROL;
  if (*work != SIMULATE || !options->elastic) return 0;
  *work = NOTHING;
  return diagnostics_error(diagnostics, EXIT_USAGE, "--elastic is for searches and sweeps; %s is a simulation",
                           options->argument);
}

static int run(const Options *given, Diagnostics *diagnostics) {
  RunRecord record = {.results.lock = -1};
  Options options = *given;
  char path[FILE_PATH_SIZE] = "";
  int task[2] = {NOTHING, 0};
  const MessageReader reader = {.options = given, .diagnostics = diagnostics};
  const CtlBuilder builder = messages_builder(&reader);
  if (spawned_workers_is_one()) spawned_workers_serve(&builder);
  if (process_rank() == 0) {
    task[1] = find_work(given, &record, &task[0], diagnostics);
    if (task[0] != NOTHING && run_record_options(&record, path, &options)) task[0] = NOTHING, task[1] = EXIT_USAGE;
  }
  sim_group_share(process_group(), task, sizeof task);
  sim_group_share(process_group(), path, sizeof path);
  sim_group_share(process_group(), options.petsc, sizeof options.petsc);
  sim_group_share(process_group(), &options.verify, sizeof options.verify);
  options.argument = path;
  if (task[0] == CONTROL) return search_ranks_run(&options, &record, diagnostics);
  if (task[0] == SEARCH) return external_search_run(&options, &record, diagnostics);
  if (task[0] == SWEEP) return sweep_command(&options, &builder, &swept_searches, &record, diagnostics);
  if (task[0] == SIMULATE) return simulate_resume(&options, &record, diagnostics);
  run_record_close(&record);
  return task[1];
}

const Command command_resume = {
    .name = "resume",
    .argument = "DIR",
    .summary = "go on with a run that was stopped or killed",
    .stops = true,
    .help =
        "usage: stiction resume DIR [options]\n"
        "       mpirun -n P stiction resume DIR [options]\n\n"
        "Resumes the run in results directory DIR from its last checkpoint, on any number of ranks. The results are\n"
        "the same, bit for bit, as if the run had never been stopped.\n",
    .run = run,
};
