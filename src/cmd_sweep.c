/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/commands.h"
#include "src/run/spawned_workers.h"
#include "src/search/messages.h"
#include "src/study/study.h"

static int run(const Options *options, Diagnostics *diagnostics) {
  const MessageReader reader = {.options = options, .diagnostics = diagnostics};
  const CtlBuilder builder = messages_builder(&reader);
  if (spawned_workers_is_one()) spawned_workers_serve(&builder);
  return sweep_command(options, &builder, &swept_searches, NULL, diagnostics);
}

const Command command_sweep = {
    .name = "sweep",
    .summary = "many runs of one file as one: every combination of some keys' values, and a table",
    .argument = "FILE",
    .stops = true,
    .help =
        "usage: stiction sweep FILE --vary KEY=.. [--vary KEY=..] [options]\n"
        "       mpirun -n P stiction sweep FILE --vary KEY=.. [options]\n\n"
        "Carries out a run for every combination of the values given, several at once on all ranks, and writes one\n"
        "row each to sweep.csv and sweep.h5: what is varied, the outcome, the outcome of the motion itself, counts.\n"
        "The tables are the same bytes for any number of ranks; seconds are in times.csv. A run that fails is a row\n"
        "that says so, and the exit code is 4; else 3 if some target was not met.\n\n"
        "  --vary 'model.friction=[5, 10, 20]'    a list of values\n"
        "  --vary time.step=1e-4:1e-1:7:log       from:to:count, in equal ratios; without :log in equal steps\n",
    .run = run,
};
