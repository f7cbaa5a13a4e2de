/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/commands.h"
#include "src/process/process.h"
#include "src/study/convergence.h"

#include <string.h>

static int form_of(const Options *options, TextTableForm *form, Diagnostics *diagnostics) {
  static const char *const names[] = {[TABLE_TEXT] = "text", [TABLE_CSV] = "csv", [TABLE_MARKDOWN] = "markdown"};
  const char *wanted = options->format ? options->format : names[TABLE_TEXT];
  for (int k = 0; k < (int)(sizeof names / sizeof *names); k++) {
    if (strcmp(wanted, names[k])) continue;
    *form = (TextTableForm)k;
    return 0;
  }
  return diagnostics_error(diagnostics, EXIT_USAGE, "--format expects text, csv or markdown, not %s", wanted);
}

static int check_levels(const Options *options, Diagnostics *diagnostics) {
  if (options->levels == 0 || (options->levels >= 2 && options->levels <= ORDER_LEVELS_MAX)) return 0;
  return diagnostics_error(diagnostics, EXIT_USAGE, "--steps expects 2 to %d, not %d", ORDER_LEVELS_MAX,
                           options->levels);
}

/* Computes, prints and writes the errors over the step. With -o, the results directory is created before the long
 * computations, so that a failure to create it is reported at once. */
static int converge(const Options *options, TextTableForm form, Diagnostics *diagnostics) {
  static Convergence convergence;
  Results results = {.diagnostics = diagnostics};
  int code = convergence_prepare(&convergence, options, diagnostics);
  if (!code && options->output) code = results_create(&results, options->output, options->argument, options->force);
  if (!code) code = convergence_measure(&convergence);
  if (!code && !options->quiet) code = convergence_print(&convergence, form, stdout, diagnostics);
  if (!code && options->output) code = convergence_write(&convergence, &results);
  if (!code && options->output) code = convergence_draw(&convergence, &results);
  convergence_clear(&convergence);
  return code;
}

static int run(const Options *options, Diagnostics *diagnostics) {
  TextTableForm form = TABLE_TEXT;
  if (process_rank() != 0) return EXIT_DONE;
  int code = form_of(options, &form, diagnostics);
  if (!code) code = check_levels(options, diagnostics);
  return code ? code : converge(options, form, diagnostics);
}

const Command command_converge = {
    .name = "converge",
    .summary = "how the errors of each scheme fall with the step, against the event-exact motion",
    .argument = "FILE",
    .help =
        "usage: stiction converge FILE [options]\n\n"
        "Solves the motion, without control or with a given one, by each scheme at the file's step and halvings of it, "
        "and once\n"
        "event-exactly (scheme event, tolerance 1e-10), and prints how far they are apart: the largest entries of\n"
        "x(T) and v(T), the largest of x at any time, the L1 norm of lambda (of a dash-pot: of f_d) over time, the\n"
        "farthest an event is from the nearest like it; how many events; microseconds of processor time a run.\n"
        "Then the orders at which the errors fall, by least squares over means of 12 neighbouring grids each.\n"
        "`-`: nothing to compare, or no error. With -o DIR they go to DIR as convergence.csv, orders.csv and\n"
        "figures/convergence.svg and .png, too.\n",
    .run = run,
};
