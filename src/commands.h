/* SPDX-License-Identifier: BSD-2-Clause */
/* The commands of the program. Each has one file cmd_NAME.c and one line in the table in main.c. Every rank calls them;
 * only rank 0 reads files and prints. Each command returns an exit code. */
#ifndef SRC_COMMANDS_H
#define SRC_COMMANDS_H

#include "src/base/diagnostics.h"
#include "src/base/options.h"
#include "src/run/run_record.h"

typedef struct Command {
  const char *name;
  const char *summary; /* one line for `stiction --help` */
  /* Name of the command's first argument: FILE, a problem file; DIR, a results directory; SPOOL, a folder of a service.
   * Brackets [..] mark an optional argument. */
  const char *argument;
  const char *others; /* further arguments: NAME exactly one, NAME.. one or more, [NAME] at most one; NULL: none */
  const char *help;   /* for `stiction COMMAND --help`, before the list of options */
  bool stops;         /* true: after a signal the command ends in order and keeps its results so far (stop_signal.h) */
  int (*run)(const Options *options, Diagnostics *diagnostics);
} Command;

/* Reads argv[2..] for a command. Errors are added to diagnostics (NULL: dropped). Returns 0 or EXIT_USAGE. */
int options_read(const Command *command, int argc, char **argv, Diagnostics *diagnostics, Options *options);

/* Returns command number k, from 0; NULL after the last. */
const Command *command_at(int k);

typedef struct CommandOption {
  char letter;              /* letter of the short form, "-o" of --output; 0: none */
  char name[32];            /* long form, "--output" */
  const char *between;      /* text printed between the option and its value: " " or "" */
  const char *value, *text; /* value: name of the value, NULL: none; text: description */
} CommandOption;

/* Sets option to option number k of a command, from 0. Returns false after the last. */
bool command_option(const Command *command, int k, CommandOption *option);

/* manual_commands prints the manual page stiction(1). manual_words prints all words for shell completion, one a line
 * (stiction help --words). */
void manual_commands(FILE *out);
void manual_words(FILE *out);

/* Prints the help of a command: its text and its options. */
void options_help(const Command *command, FILE *out);

extern const Command command_simulate;
extern const Command command_submit;
extern const Command command_status;
extern const Command command_cancel;
extern const Command command_fetch;
extern const Command command_control;
extern const Command command_converge;
extern const Command command_identify;
extern const Command command_check;
extern const Command command_plot;
extern const Command command_report;
extern const Command command_resume;
extern const Command command_search;
extern const Command command_serve;
extern const Command command_sweep;
extern const Command command_web;
extern const Command command_help;

/* Reads a problem with its scenarios and checks it as `check` does. If need_control, a missing section control is an
 * error. Returns 0 and a problem, which the caller clears; or EXIT_USAGE or EXIT_INTERNAL after reporting errors. */
int check_read(const Options *options, bool need_control, Diagnostics *diagnostics, Problem *problem);

/* Resumes a run of `simulate`; called by all ranks. options->argument is the problem file in the record, which every
 * rank reads. record: on rank 0 an opened record, which this function closes. */
int simulate_resume(const Options *options, RunRecord *record, Diagnostics *diagnostics);

#endif
