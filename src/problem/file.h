/* Problem files: what a user asks for, in YAML. See README.md for the keys. */
#ifndef SRC_PROBLEM_FILE_H
#define SRC_PROBLEM_FILE_H

#include "control/control.h"
#include "sim/sim.h"
#include "src/base/diagnostics.h"
#include "src/process/model_ranks.h"

#include <jansson.h>
#include <stdio.h>

typedef struct Force Force;             /* src/values/force.h */
typedef struct Expression Expression;   /* src/document/expression.h */
typedef struct ModelKind ModelKind;     /* src/values/reader.h */
typedef struct SparseModel SparseModel; /* src/model/sparse_model.h */

/* Of the trajectory. */
typedef enum OutputFormat { OUTPUT_CSV, OUTPUT_HDF5 } OutputFormat;

/* A problem file, read and checked. All members are owned. */
typedef struct Problem {
  char *title;           /* NULL: none */
  const ModelKind *kind; /* model.kind */
  Force *force;          /* model.force as it was written */
  Expression *gear_k;    /* model.gearbox.k in delta; NULL: no gear box */
  Force *force_rate;     /* chain: likewise, these three; NULL: not given */
  Force *end, *end_rate; /* model.end_force or end_displacement */
  SparseModel *sparse;   /* NULL: the matrices are dense */
  SimProblem sim;        /* with its force tabulated; sim_problem_check has passed */
  SimBounds bounds;
  bool has_control;   /* whether there is a control section; without it control is not filled in or checked */
  CtlProblem control; /* scheme_size is resolved, never 0 */
  char *start_from;   /* the results that control.start is from; NULL: none */
  long output_every;  /* >= 1 */
  OutputFormat output_format;
  long ranks_per_evaluation; /* >= 1; of a sparse model */
  double checkpoint_seconds; /* least time between two checkpoints; 0: one whenever there may be one */
  double checkpoint_grace;   /* s: how long a run that is to stop waits for the evaluations under way */
} Problem;

/* Reads a problem file, overlaid with settings "KEY=VALUE" (borrowed, [n_settings]). All mistakes are put into
 * diagnostics, sorted. need_control: a missing control section is a mistake. Returns 0, EXIT_USAGE for
 * mistakes, or EXIT_INTERNAL when out of memory; the problem is cleared unless 0. */
int problem_file_read(const char *path, char *const *settings, int n_settings, bool need_control,
                      Diagnostics *diagnostics, Problem *problem);
void problem_clear(Problem *problem);

/* problem_file_read by all ranks of a group, which see the same files. The first rank that finds mistakes tells them; the
 * code is the same on all. Collective. */
int problem_file_read_shared(const char *path, char *const *settings, int n_settings, bool need_control,
                             const ModelRanks *ranks, Diagnostics *diagnostics, Problem *problem);

/* model.kind, as in the file. */
const char *problem_kind_name(const Problem *problem);

/* The position of a row along a string, m; NAN for other models. */
double problem_position(const Problem *problem, int row);

/* How a file's model is evaluated; MODEL_DENSE for files with mistakes. */
typedef enum ModelStorage {
  MODEL_DENSE,  /* by one rank */
  MODEL_STRING, /* sparse: by several ranks together, or by one without PETSc */
  MODEL_SPARSE  /* the same, with PETSc always */
} ModelStorage;
ModelStorage problem_file_storage(const char *path, char *const *settings, int n_settings);

/* Whether its search takes PETSc's methods, likewise without reading the rest. */
bool problem_file_wants_petsc(const char *path, char *const *settings, int n_settings);

/* The problem as it was understood: every key with its resolved value. Saved as a file it reads back as the
 * same problem. A new reference; NULL: no memory. */
json_t *problem_echo(const Problem *problem);

#endif
