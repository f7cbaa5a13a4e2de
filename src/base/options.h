/* What a command is asked to do: its command line, stiction COMMAND ARGUMENT [options]. */
#ifndef SRC_BASE_OPTIONS_H
#define SRC_BASE_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

enum { SETTINGS_MAX = 256, PETSC_OPTIONS_MAX = 2048 };

typedef enum When { WHEN_AUTO, WHEN_YES, WHEN_NO } When;

/* What the runs of a sweep are: --control, --simulate, both (a mistake), neither: searches of a file with a control. */
typedef enum SweepOf { SWEEP_AS_FILE, SWEEP_CONTROL, SWEEP_SIMULATE, SWEEP_BOTH } SweepOf;

/* What a problem may cost before its first step, as estimated, and how many variables its control may have; 0: any. */
typedef struct WorkLimits {
  double seconds;
  double bytes;
  int variables;
  double segments; /* of one evaluation: interruption.h */
} WorkLimits;

typedef struct Options {
  const char *argument; /* FILE, DIR, SPOOL or KEY; NULL: a KEY left out */
  char **others;        /* [n_others] what follows it: FILE.. behind SPOOL; borrowed from argv */
  int n_others;
  const char *output;           /* -o DIR; NULL: results/NAME */
  const char *control;          /* --control u1,u2,.. or DIR; NULL: u = 0 */
  const char *compare;          /* --compare DIR */
  const char *dofs;             /* --dof a,b,..; NULL: chosen */
  const char *schemes;          /* --schemes a,b,..; NULL: all */
  const char *format;           /* --format text, csv or markdown; NULL: text */
  int levels;                   /* --steps; 0: chosen */
  char *settings[SETTINGS_MAX]; /* --set KEY=VALUE, in order; borrowed from argv */
  int n_settings;
  char *varies[SETTINGS_MAX]; /* --vary KEY=.., likewise */
  int n_varies;
  char *columns[SETTINGS_MAX]; /* --column PATH, likewise */
  int n_columns;
  SweepOf sweep;
  char petsc[PETSC_OPTIONS_MAX]; /* -step_NAME [VALUE] ..., as they stand, for PETSc; "": none */
  int batch;                     /* --batch, points per message; 0: chosen */
  int kernel;                    /* --batch-kernel, of sim_batch; -1: chosen */
  int elastic;                   /* --elastic, workers to spawn; 0: none */
  int at_once;                   /* --at-once, problems; 0: chosen */
  char **arguments;              /* argv[1..] as given, NULL at the end */
  int processes;                 /* --processes; 0: chosen */
  double job_seconds;            /* --job-seconds; 0: any */
  double turn;                   /* --turn, s; 0: chosen */
  WorkLimits limits;             /* --max-seconds, --max-memory, --max-variables, --max-segments */
  When coordinator_evaluates;    /* --coordinator-evaluates */
  FILE *progress_line;           /* where it is drawn: main's to say; NULL: nowhere */
  bool verify;                   /* --verify */
  bool unwritten;                /* results go nowhere: a run of a sweep that nobody keeps */
  bool zip, keep;                /* --zip, --keep */
  bool scenarios;                /* --scenarios */
  const char *man;               /* --man PAGE; NULL: none */
  const char *name, *command;    /* --name, --command of a job; NULL: its file's, what that says */
  int priority;                  /* --priority */
  bool wait, watch, all;         /* --wait, --watch, --all */
  const char *listen;            /* --listen ADDRESS:PORT; NULL: chosen */
  const char *host;              /* --host NAME; NULL: none */
  const char *token_file;        /* --token-file; NULL: none */
  bool read_only;                /* --read-only */
  bool confined;                 /* --confined */
  bool only_asked; /* in a sweep, by a service: no bound, which changes no answer, unless its file asks for one */
  bool force, quiet, progress, drain, init, help, markdown, schema, words, json;
} Options;

#endif
