/* SPDX-License-Identifier: BSD-2-Clause */
/* The plan of a sweep, which is the same on all ranks. It has the text of the problem file, the keys that vary, and the
 * columns of the table. */
#ifndef SRC_STUDY_SWEEP_PLAN_H
#define SRC_STUDY_SWEEP_PLAN_H

#include "src/base/file_open.h"
#include "src/base/options.h"
#include "src/file/sections/file.h"
#include "src/study/axes.h"

#include <jansson.h>

enum { SWEEP_COLUMNS_MAX = 64 };

/* A column of the table. It shows a member of the summary of each run. */
typedef struct SweepColumn {
  const char *name;
  const char *path; /* path of the member in summary.json, e.g. outcome.J */
  const char *unit; /* SI unit of the numbers; NULL: unknown, or texts */
} SweepColumn;

/* Names of the columns that follow the number of the run and the varied keys (ROW_OUTCOME, .. in sweep_run.h); the list
 * ends with NULL. */
extern const char *const sweep_columns_fixed[];

typedef struct SweepPlan {
  json_t *json;     /* the whole plan; owned. All members below except axes point into it */
  const char *path; /* path of the problem file, as the user gave it */
  const char *file; /* absolute path of the problem file; names of other files are relative to it */
  const char *text; /* text of the problem file */
  char *settings[SETTINGS_MAX];
  int n_settings;
  Axes axes;
  bool control;        /* true: each run is a search; false: a simulation */
  const char *applied; /* U of --control=U, for simulations; NULL: u = 0 */
  bool verify;         /* whether simulations are compared with the exact motion */
  bool keep;           /* whether the results of each run are kept in DIRECTORY/runs/NUMBER */
  SweepColumn columns[SWEEP_COLUMNS_MAX];
  int n_columns;
  char kind[32];  /* kind of the model */
  bool own_units; /* whether the file has model.units; numbers are then not necessarily in SI units */
  WorkLimits limits;
} SweepPlan;

/* Makes the plan from the options of the command. Without --control and --simulate, the runs are searches if the file
 * has a section control, otherwise simulations. Returns 0; or EXIT_USAGE or EXIT_INTERNAL after reporting an error. The
 * caller calls sweep_plan_clear in each case. */
int sweep_plan_make(const Options *options, SweepPlan *plan, Diagnostics *diagnostics);
/* Makes the plan from the JSON of another plan, of which it takes ownership. Returns the same codes as
 * sweep_plan_make. */
int sweep_plan_read(json_t *json, SweepPlan *plan, Diagnostics *diagnostics);
void sweep_plan_clear(SweepPlan *plan);

/* Reads the problem with the values at index [axes.n]. name: path of the file for diagnostics; names of other files are
 * relative to it. by_pattern: whether the runs only simulate the model, so that the choice of storage for its matrices
 * may depend on their pattern (ModelRanks). If the problem needs PETSc, a single rank starts it here; several ranks
 * must have started it before. Returns 0; or EXIT_USAGE or EXIT_INTERNAL after adding errors to diagnostics. */
int sweep_plan_problem(const SweepPlan *plan, const char *name, const long *index, bool by_pattern,
                       Diagnostics *diagnostics, Problem *problem);

/* Returns whether the search of a run, or its proof, has a time limit. */
bool sweep_plan_limits_seconds(const SweepPlan *plan, long run);

/* Checks the plan before its first run. Finds base [axes.n], the first combination of values with which the problem can
 * be read, and reads that problem, which the caller clears. Then reads the problem with each value of each axis (at
 * most 1000 values of a range), with the values at base for the other axes. If axes are zipped, all axes have the
 * values of the same run. Reports a value that is invalid whatever the values of the other axes are, and an axis of
 * which all values give the same problem. Returns 0; or EXIT_USAGE or EXIT_INTERNAL after reporting errors, and there
 * is then no problem. Defined in sweep_check.c. */
int sweep_check(const SweepPlan *plan, long *base, Problem *problem, Diagnostics *diagnostics);

#endif
