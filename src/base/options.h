/* SPDX-License-Identifier: BSD-2-Clause */
/* The parsed command line: stiction COMMAND ARGUMENT [options]. */
#ifndef SRC_BASE_OPTIONS_H
#define SRC_BASE_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

enum { SETTINGS_MAX = 256, PETSC_OPTIONS_MAX = 2048 };

typedef enum When { WHEN_AUTO, WHEN_YES, WHEN_NO } When;

/* What each run of a sweep computes, as set by the options --control and --simulate. Both options together are an
 * error. Without them, a run is a search if the file has a section control, otherwise a simulation. */
typedef enum SweepOf { SWEEP_AS_FILE, SWEEP_CONTROL, SWEEP_SIMULATE, SWEEP_BOTH } SweepOf;

/* Limits of the work that one problem may cause. The work is estimated before the first step. 0: no limit. */
typedef struct WorkLimits {
  double seconds;
  double bytes;
  int variables;
  double segments; /* work of one evaluation, counted in segments of the motion (interruption.h) */
} WorkLimits;

typedef struct Options {
  const char *argument; /* first argument: FILE, DIR, SPOOL or KEY; NULL: KEY was omitted */
  char **others;        /* [n_others] further arguments, e.g. the FILEs after SPOOL; borrowed from argv */
  int n_others;
  const char *output;           /* -o DIR; NULL: results/NAME */
  const char *control;          /* --control u1,u2,.. or DIR; NULL: the control u is 0 */
  const char *compare;          /* --compare DIR */
  const char *dofs;             /* --dof a,b,..; NULL: chosen by the program */
  const char *schemes;          /* --schemes a,b,..; NULL: all */
  const char *format;           /* --format text, csv or markdown; NULL: text */
  int levels;                   /* --steps; 0: chosen by the program */
  char *settings[SETTINGS_MAX]; /* --set KEY=VALUE, in order; borrowed from argv */
  int n_settings;
  char *varies[SETTINGS_MAX]; /* --vary KEY=.., in order; borrowed from argv */
  int n_varies;
  char *columns[SETTINGS_MAX]; /* --column PATH, in order; borrowed from argv */
  int n_columns;
  SweepOf sweep;
  char petsc[PETSC_OPTIONS_MAX]; /* -step_NAME [VALUE] .., passed to PETSc unchanged; "": none */
  int batch;                     /* --batch: points per message; 0: chosen by the program */
  int kernel;                    /* --batch-kernel: kernel (code for one instruction set) of stiction_batch; -1: chosen
                                  * by the program */
  int elastic;                   /* --elastic: number of worker processes to start; 0: none */
  int at_once;                   /* --at-once: problems solved at the same time; 0: chosen by the program */
  char **arguments;              /* argv[1..] unchanged, NULL-terminated */
  int processes;                 /* --processes; 0: chosen by the program */
  double job_seconds;            /* --job-seconds; 0: no limit */
  double turn;                   /* --turn in s; 0: chosen by the program */
  WorkLimits limits;             /* --max-seconds, --max-memory, --max-variables, --max-segments */
  When coordinator_evaluates;    /* --coordinator-evaluates */
  FILE *progress_line;           /* stream for the progress line, set by main; NULL: no progress line */
  bool verify;                   /* --verify */
  bool unwritten;                /* for one run of a sweep without --keep: write no results */
  bool zip, keep;                /* --zip, --keep */
  bool scenarios;                /* --scenarios */
  const char *man;               /* --man PAGE; NULL: none */
  const char *name, *command;    /* --name, --command of a job; NULL: not given, so its file decides */
  int priority;                  /* --priority */
  bool wait, watch, all;         /* --wait, --watch, --all */
  const char *listen;            /* --listen ADDRESS:PORT; NULL: default */
  const char *host;              /* --host NAME; NULL: none */
  const char *token_file;        /* --token-file; NULL: none */
  bool read_only;                /* --read-only */
  bool confined;                 /* --confined */
  /* Set in sweeps that a service runs: the lower bound of J is computed only if the file asks for it. The optimal
   * control is the same with or without the bound. */
  bool only_asked;
  bool force, quiet, progress, drain, init, help, markdown, schema, words, json;
} Options;

#endif
