/* What a sweep is, the same on all ranks: the text of the problem file, the keys that vary, and the columns of its
 * table. */
#ifndef SRC_STUDY_SWEEP_PLAN_H
#define SRC_STUDY_SWEEP_PLAN_H

#include "src/base/file_open.h"
#include "src/base/options.h"
#include "src/file/sections/file.h"
#include "src/study/axes.h"

#include <jansson.h>

enum { SWEEP_COLUMNS_MAX = 64 };

/* A column of the table: a member of each run's summary. */
typedef struct SweepColumn {
  const char *name;
  const char *path; /* outcome.J */
  const char *unit; /* of its numbers, SI; NULL: unknown, or texts */
} SweepColumn;

/* Columns behind the run and the keys that vary: ROW_OUTCOME .. of sweep_run.h; ends with NULL. */
extern const char *const sweep_columns_fixed[];

typedef struct SweepPlan {
  json_t *json;     /* the whole plan; owned. All members below but the axes borrow from it */
  const char *path; /* of the problem file, as given */
  const char *file; /* absolute, for files that are named relative to it */
  const char *text; /* of the problem file */
  char *settings[SETTINGS_MAX];
  int n_settings;
  Axes axes;
  bool control;        /* each run is a search; else a simulation */
  const char *applied; /* --control=U of simulations; NULL: u = 0 */
  bool verify;         /* simulations are compared with the motion itself */
  bool keep;           /* results of each run in DIRECTORY/runs/NUMBER */
  SweepColumn columns[SWEEP_COLUMNS_MAX];
  int n_columns;
  char kind[32];  /* of the model */
  bool own_units; /* the file has model.units, so SI units need not hold */
  WorkLimits limits;
} SweepPlan;

/* Makes the plan of a command's options. Without --control and --simulate the runs are searches if the file has a control. Returns 0, or
 * EXIT_USAGE or EXIT_INTERNAL after reporting; sweep_plan_clear follows in each case. */
int sweep_plan_make(const Options *options, SweepPlan *plan, Diagnostics *diagnostics);
/* Makes the plan from the JSON of another, which is taken over. Likewise. */
int sweep_plan_read(json_t *json, SweepPlan *plan, Diagnostics *diagnostics);
void sweep_plan_clear(SweepPlan *plan);

/* Reads the problem with a value of each axis, index [axes.n]. name: path or file, for diagnostics and for files that it names; by_pattern: as of
 * ModelRanks. One rank alone starts PETSc if the problem needs it; several have started it before. Returns 0, or EXIT_USAGE or EXIT_INTERNAL with the
 * errors in diagnostics. */
int sweep_plan_problem(const SweepPlan *plan, const char *name, const long *index, bool by_pattern,
                       Diagnostics *diagnostics, Problem *problem);

/* Whether the search of a run, or its proof, has a limit in seconds. */
bool sweep_plan_limits_seconds(const SweepPlan *plan, long run);

/* sweep_check.c: checks the plan before its first run. Finds base [axes.n], the first values with which the problem can be read, and reads that
 * problem, which the caller clears. Then it reads the problem with each value of each axis, the others at the base (zipped: with those of each run);
 * of a range at most 1000 values. An error is reported for a value that cannot be read beside any values of the others, and for an axis whose
 * values all give the same problem. Returns 0, or EXIT_USAGE or EXIT_INTERNAL after reporting, with no problem. */
int sweep_check(const SweepPlan *plan, long *base, Problem *problem, Diagnostics *diagnostics);

#endif
