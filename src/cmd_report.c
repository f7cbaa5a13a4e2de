/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/commands.h"
#include "src/figures/report.h"
#include "src/figures/report_sweep.h"
#include "src/process/process.h"
#include "src/results/results.h"
#include "src/results/sweep_results.h"

#include <stdlib.h>

static int write_page(FILE *page, const char *directory, Diagnostics *diagnostics) {
  RunResults results;
  if (sweep_results_there(directory)) return report_sweep_write(page, directory, diagnostics);
  int code = run_results_read(&results, directory, diagnostics);
  if (!code) code = report_write(page, &results);
  run_results_clear(&results);
  return code;
}

static int run(const Options *options, Diagnostics *diagnostics) {
  if (process_rank() != 0) return EXIT_DONE;
  Results results = {.diagnostics = diagnostics};
  char *bytes = NULL;
  size_t size = 0;
  FILE *page = open_memstream(&bytes, &size);
  int code = page ? write_page(page, options->argument, diagnostics) : EXIT_INTERNAL;
  bool whole = page && !ferror(page) && fclose(page) == 0;
  if (!whole) code = diagnostics_no_memory(diagnostics);
  if (!code) code = results_take(&results, options->argument, NULL);
  if (!code && results_write_bytes(&results, "report.html", bytes, size)) code = EXIT_INTERNAL;
  if (!code && !options->quiet) printf("report in %s/report.html\n", options->argument);
  free(bytes);
  return code;
}

const Command command_report = {
    .name = "report",
    .summary = "one HTML page of the results of a run or a sweep: problem, outcome, tables, figures",
    .argument = "DIR",
    .help = "usage: stiction report DIR [options]\n\n"
            "Writes DIR/report.html, which needs nothing else, not even a network, to be read in a browser: the\n"
            "outcome, tables, the figures of `stiction plot DIR` (drawn by gnuplot), the problem as understood. For a "
            "sweep:\n"
            "its command, how many runs ended how, the first 200 rows of its table, its figures.\n",
    .run = run,
};
