/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/commands.h"
#include "src/run/spawned_workers.h"
#include "src/search/messages.h"
#include "src/search/search_ranks.h"

static int run(const Options *options, Diagnostics *diagnostics) {
  const MessageReader reader = {.options = options, .diagnostics = diagnostics};
  const CtlBuilder builder = messages_builder(&reader);
  if (spawned_workers_is_one()) spawned_workers_serve(&builder);
  return search_ranks_run(options, NULL, diagnostics);
}

const Command command_control = {
    .name = "control",
    .summary = "find the control of least effort that steers the system to its target",
    .argument = "FILE",
    .stops = true,
    .help = "usage: stiction control FILE [options]\n"
            "       mpirun -n P stiction control FILE [options]\n\n"
            "Searches the control of least effort, or of what control.minimize names, that meets the target, by the\n"
            "file's search.method, or `auto` if it names none: ranks 1.. simulate, rank 0 coordinates and simulates\n"
            "in between. Writes search.csv, the trajectory of the optimum and summary.json. The results are the same\n"
            "for any number of ranks.\n",
    .run = run,
};
