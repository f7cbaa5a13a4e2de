/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/commands.h"
#include "src/run/spawned_workers.h"
#include "src/search/messages.h"
#include "src/search/search_ranks.h"

static int run(const Options *options, Diagnostics *diagnostics) {
  const MessageReader reader = {.options = options, .diagnostics = diagnostics};
  const CtlBuilder builder = messages_builder(&reader);
  if (spawned_workers_is_one()) spawned_workers_serve(&builder);
  return external_search_run(options, NULL, diagnostics);
}

const Command command_search = {
    .name = "search",
    .summary = "find the best point of a program of your own",
    .argument = "FILE",
    .stops = true,
    .help = "usage: stiction search FILE [options]\n"
            "       mpirun -n P stiction search FILE [options]\n\n"
            "Searches the variables of FILE's section evaluator and runs its command for each point: by ranks 1.. in\n"
            "parallel, or by rank 0 if it is alone. Writes search.csv and summary.json. The results are the\n"
            "same for any number of ranks.\n",
    .run = run,
};
