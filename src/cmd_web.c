/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/commands.h"
#include "src/process/process.h"
#include "src/process/settings.h"
#include "src/process/stop_signal.h"
#include "src/web/web.h"

static int run(const Options *options, Diagnostics *diagnostics) {
  if (process_rank() != 0) return EXIT_DONE;
  const WebOptions web = {.spool = options->argument,
                          .listen = options->listen ? options->listen : "127.0.0.1:8080",
                          .host = options->host,
                          .token_file = options->token_file,
                          .read_only = options->read_only,
                          .quiet = options->quiet};
  stop_signal_spare();
  process_ignore_broken_pipes();
  return web_run(&web, diagnostics);
}

const Command command_web = {
    .name = "web",
    .summary = "show the jobs of a service in a browser, and take new ones there",
    .argument = "SPOOL",
    .stops = true,
    .help =
        "usage: stiction web SPOOL [options]\n\n"
        "Serves a page, http://127.0.0.1:8080/, on which the jobs of SPOOL are watched, submitted and cancelled, and "
        "the\n"
        "same as JSON. A process of its own, beside `stiction serve SPOOL`: it reads SPOOL and puts files into\n"
        "SPOOL/incoming. Where others than this machine can reach it, it wants a token. TERM or INT ends it, with 0.\n",
    .run = run,
};
