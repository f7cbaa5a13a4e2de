/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/commands.h"
#include "src/process/process.h"
#include "src/results/results.h"
#include "src/spool/job_fetch.h"
#include "src/spool/job_list.h"

#include <unistd.h>

static int fetch(const SpoolFolders *spool, const Options *options, Diagnostics *diagnostics) {
  const char *name = options->others[0];
  SpoolFolder state;
  Results results = {.diagnostics = diagnostics, .lock = -1};
  if (!spool_is_name(name) || !spool_folders_find(spool, name, &state)) {
    json_t *job = job_list_one(spool, NULL, name);
    const char *what = job ? "waits: there are no results yet" : "there is no job of this name";
    json_decref(job);
    return diagnostics_error(diagnostics, EXIT_USAGE, "%s: %s", name, what);
  }
  int code = results_create(&results, options->output, name, options->force);
  if (!code) code = job_fetch(spool, state, name, results.directory, diagnostics);
  if (results.lock >= 0) close(results.lock);
  if (!code && !options->quiet) printf("%s: %s, results in %s\n", name, job_state_name(state), results.directory);
  return code;
}

static int run(const Options *options, Diagnostics *diagnostics) {
  SpoolFolders spool;
  if (process_rank() != 0) return EXIT_DONE;
  int code = spool_folders_open(&spool, options->argument, diagnostics);
  if (!code) code = fetch(&spool, options, diagnostics);
  spool_folders_close(&spool);
  return code;
}

const Command command_fetch = {
    .name = "fetch",
    .summary = "copy the results of a service's job",
    .argument = "SPOOL",
    .others = "NAME",
    .help =
        "usage: stiction fetch SPOOL NAME [-o DIR] [options]\n\n"
        "Copies all files of a job into DIR, for `stiction plot DIR`, `report DIR` and, where the job was cancelled,\n"
        "`resume DIR`. Of a job that runs: its results so far. By default DIR is results/NAME.\n",
    .run = run,
};
