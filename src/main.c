/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/base/file_open.h"
#include "src/commands.h"
#include "src/library/build_info.h"
#include "src/process/interruption.h"
#include "src/process/process.h"
#include "src/process/settings.h"
#include "src/process/stop_signal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const Command *const commands[] = {
    &command_simulate, &command_control, &command_resume, &command_search, &command_serve, &command_submit,
    &command_status,   &command_cancel,  &command_fetch,  &command_web,    &command_sweep, &command_converge,
    &command_identify, &command_check,   &command_plot,   &command_report, &command_help};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

const Command *command_at(int k) { return k < N_COMMANDS ? commands[k] : NULL; }

static void usage(FILE *out) {
  fprintf(out, "stiction: simulation and optimal control of mechanical systems with dry friction\n\n"
               "usage: stiction COMMAND FILE|DIR|SPOOL [options]\n"
               "       mpirun -n P stiction control FILE|search FILE|resume DIR|serve SPOOL|sweep FILE [options]\n\n");
  for (int i = 0; i < N_COMMANDS; i++)
    fprintf(out, "  %-8s %-5s %-6s  %s\n", commands[i]->name, commands[i]->argument,
            commands[i]->others ? commands[i]->others : "", commands[i]->summary);
  fprintf(out, "\n`stiction COMMAND --help` describes a command; `stiction --version` prints the version.\n"
               "Exit codes: 0 done (control: target met), 2 bad usage, problem file or directory, 3 target not met,\n"
               "4 an evaluation or a solver failed, 70 internal error, 85 stopped on a signal after a checkpoint.\n");
}

static int dispatch(int argc, char **argv, Diagnostics *diagnostics) {
  bool first = process_rank() == 0;
  const char *name = argc > 1 ? argv[1] : "";
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
    if (first) usage(stdout);
    return EXIT_DONE;
  }
  if (strcmp(name, "--version") == 0) {
    char text[2048];
    stiction_build_info(text, sizeof text);
    if (first) fputs(text, stdout);
    return EXIT_DONE;
  }
  for (int i = 0; i < N_COMMANDS; i++) {
    if (strcmp(name, commands[i]->name)) continue;
    Options options;
    static char origin[32];
    snprintf(origin, sizeof origin, "stiction %s", name);
    diagnostics->origin = origin;
    int code = options_read(commands[i], argc, argv, first ? diagnostics : NULL, &options);
    if (code) return code;
    if (commands[i]->stops && !options.help) stop_signal_watch();
    if (options.progress || (!options.quiet && isatty(STDERR_FILENO))) options.progress_line = stderr;
    const char *file = options.n_others ? options.others[0] : options.argument;
    if (options.confined && !files_confine(file))
      return diagnostics_error(diagnostics, EXIT_USAGE, "--confined: there is no folder of %s", file);
    interruption_limit(options.limits.segments);
    if (options.elastic) process_ignore_broken_pipes();
    if (!options.help) return commands[i]->run(&options, diagnostics);
    if (first) options_help(commands[i], stdout);
    return EXIT_DONE;
  }
  if (first && argc > 1) diagnostics_error(diagnostics, EXIT_USAGE, "unknown command '%s' (see stiction --help)", name);
  if (argc <= 1 && first) usage(stderr);
  return EXIT_USAGE;
}

int main(int argc, char **argv) {
  Diagnostics diagnostics = {.report = diagnostic_print, .to = stderr};
  process_prepare();
  int code = process_start(&argc, &argv)
                 ? dispatch(argc, argv, &diagnostics)
                 : diagnostics_error(&diagnostics, EXIT_INTERNAL, "this MPI has no MPI_THREAD_SERIALIZED");
  if (fflush(stdout) || ferror(stdout)) {
    int failed = diagnostics_error(&diagnostics, EXIT_INTERNAL, "standard output could not be written");
    if (code == EXIT_DONE) code = failed;
  }
  diagnostics_print(&diagnostics, stderr);
  return process_end(code);
}
