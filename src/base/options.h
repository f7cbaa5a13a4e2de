/* The command line: stiction COMMAND ARGUMENT [options]. */
#ifndef SRC_OPTIONS_H
#define SRC_OPTIONS_H

#include "src/base/diagnostics.h"

enum { SETTINGS_MAX = 256, PETSC_OPTIONS_MAX = 2048 };

typedef enum Choice { CHOICE_AUTO, CHOICE_YES, CHOICE_NO } Choice;

typedef struct Options {
  const char *argument;         /* FILE, DIR or SPOOL */
  const char *output;           /* -o DIR; NULL: results/NAME */
  const char *control;          /* --control u1,u2,.. or DIR; NULL: u = 0 */
  const char *compare;          /* --compare DIR */
  char *settings[SETTINGS_MAX]; /* --set KEY=VALUE, in order; borrowed from argv */
  int n_settings;
  char petsc[PETSC_OPTIONS_MAX]; /* -step_NAME [VALUE] ..., as they stand, for PETSc; "": none */
  int batch;                     /* --batch, points per message; 0: chosen */
  int kernel;                    /* --batch-kernel, of sim_batch; -1: chosen */
  int elastic;                   /* --elastic, workers to spawn; 0: none */
  int at_once;                   /* --at-once, problems; 0: chosen */
  char **arguments;              /* argv[1..] as given, NULL at the end */
  Choice coordinator_evaluates;  /* --coordinator-evaluates */
  bool force, quiet, progress, drain, help;
} Options;

typedef struct Command {
  const char *name;
  const char *summary;  /* one line for `stiction --help` */
  const char *argument; /* FILE: a problem file; DIR: a results directory; SPOOL: a service's folder */
  const char *letters;  /* the options it takes, by the short names of options.c */
  const char *help;     /* for `stiction COMMAND --help`, before the list of options */
  bool stops;           /* ends on a signal with what it has so far: such signals are noted for it (stop_signal.h) */
  int (*run)(const Options *options, Diagnostics *diagnostics);
} Command;

/* Reads argv[2..] for a command. Mistakes are put into diagnostics (NULL: nowhere). Returns 0 or
 * EXIT_USAGE. */
int options_read(const Command *command, int argc, char **argv, Diagnostics *diagnostics, Options *options);

/* Help for one command: its text and the options it takes. */
void options_help(const Command *command, FILE *out);

#endif
