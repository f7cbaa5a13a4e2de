/* The program's commands, one file cmd_NAME.c each and one line of the table in main.c. Every rank calls
 * them; rank 0 alone reads files and talks. Each returns an exit code. */
#ifndef SRC_COMMANDS_H
#define SRC_COMMANDS_H

#include "src/base/diagnostics.h"
#include "src/base/options.h"
#include "src/run/run_record.h"

typedef struct Command {
  const char *name;
  const char *summary; /* one line for `stiction --help` */
  const char
      *argument; /* FILE: a problem file; DIR: a results directory; SPOOL: a service's folder; [..]: may be left out */
  const char *others; /* what follows it: NAME one, NAME.. one or more, [NAME] one at most; NULL: nothing */
  const char *help;   /* for `stiction COMMAND --help`, before the list of options */
  bool stops;         /* ends on a signal with what it has so far: such signals are noted for it (stop_signal.h) */
  int (*run)(const Options *options, Diagnostics *diagnostics);
} Command;

/* Reads argv[2..] for a command. Mistakes are put into diagnostics (NULL: nowhere). Returns 0 or
 * EXIT_USAGE. */
int options_read(const Command *command, int argc, char **argv, Diagnostics *diagnostics, Options *options);

/* The commands, one by one: k = 0, 1, ..; NULL after the last. */
const Command *command_at(int k);

typedef struct CommandOption {
  char letter;              /* "-o" of --output; 0: it has none */
  char name[32];            /* "--output" */
  const char *between;      /* its name and its value: " " or "" */
  const char *value, *text; /* value: NULL: it takes none */
} CommandOption;

/* The k-th option that a command takes; false after the last. */
bool command_option(const Command *command, int k, CommandOption *option);

/* Prints the version, the commit, the libraries and the instruction sets. */
void version_print(FILE *out);

/* The page stiction(1) of the manual; all words that a shell may complete, a line each (stiction help --words). */
void manual_commands(FILE *out);
void manual_words(FILE *out);

/* Help for one command: its text and the options it takes. */
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

/* Reads a problem as `check` does, with its scenarios. need_control: a missing section control is a mistake. Returns 0, and a problem to be cleared,
 * or EXIT_USAGE or EXIT_INTERNAL after telling. */
int check_read(const Options *options, bool need_control, Diagnostics *diagnostics, Problem *problem);

/* Goes on with a run of `simulate`. options: its problem file is the record's, which every rank reads. record: rank 0's,
 * opened, taken over. Called by all ranks. */
int simulate_resume(const Options *options, RunRecord *record, Diagnostics *diagnostics);

#endif
