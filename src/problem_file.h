/* Problem files: what a user asks for, in YAML. See README.md for the keys. */
#ifndef SRC_PROBLEM_FILE_H
#define SRC_PROBLEM_FILE_H

#include "control/control.h"
#include "sim/sim.h"

#include <jansson.h>
#include <stdio.h>

typedef struct Force Force;           /* src/force.h */
typedef struct Expression Expression; /* src/expression.h */
typedef struct ModelKind ModelKind;   /* src/reader.h */

/* A problem file, read and checked. All members are owned. */
typedef struct Problem {
  char *title;           /* NULL: none */
  const ModelKind *kind; /* model.kind */
  Force *force;          /* model.force as it was written */
  Expression *gear_k;    /* model.gearbox.k in delta; NULL: no gear box */
  Force *force_rate;     /* chain: likewise, these three; NULL: not given */
  Force *end, *end_rate; /* model.end_force or end_displacement */
  SimProblem sim;        /* with its force tabulated; sim_problem_check has passed */
  SimBounds bounds;
  bool has_control;          /* whether there is a control section; without it control is not filled in or checked */
  CtlProblem control;        /* scheme_size is resolved, never 0 */
  long output_every;         /* >= 1 */
  double checkpoint_seconds; /* least time between two checkpoints; 0: one whenever there may be one */
  double checkpoint_grace;   /* s: how long a run that is to stop waits for the evaluations under way */
} Problem;

/* Reads a problem file, overlaid with settings "KEY=VALUE" (borrowed, [n_settings]). All mistakes are told to
 * errors, one a line. need_control: a missing control section is a mistake. Returns 0, EXIT_USAGE for
 * mistakes, or EXIT_INTERNAL when out of memory; the problem is cleared unless 0. */
int problem_file_read(const char *path, char *const *settings, int n_settings, bool need_control, FILE *errors,
                      Problem *problem);
void problem_clear(Problem *problem);

/* The problem as it was understood: every key with its resolved value. Saved as a file it reads back as the
 * same problem. A new reference; NULL: no memory. */
json_t *problem_echo(const Problem *problem);

#endif
