/* What a sweep is, as all its ranks know it: the problem file's text, what is varied in it, and what is wanted of each run. */
#ifndef SRC_STUDY_SWEEP_PLAN_H
#define SRC_STUDY_SWEEP_PLAN_H

#include "src/base/file_open.h"
#include "src/base/options.h"
#include "src/base/problem.h"
#include "src/study/axes.h"

#include <jansson.h>

enum { SWEEP_COLUMNS_MAX = 64 };

/* A cell of the table: a member of a run's summary. */
typedef struct SweepColumn {
  const char *name;
  const char *path; /* outcome.J */
  const char *unit; /* of SI, of its numbers; NULL: not known, or they are texts */
} SweepColumn;

/* What each row begins with, behind the run and what is varied: ROW_OUTCOME .. of sweep_run.h; ends with NULL. */
extern const char *const sweep_columns_fixed[];

typedef struct SweepPlan {
  json_t *json;     /* all of it; owned. What follows borrows from it, but for the axes */
  const char *path; /* of the problem file, as it was given */
  const char *file; /* absolute, for what it names beside it */
  const char *text; /* of the problem file */
  char *settings[SETTINGS_MAX];
  int n_settings;
  Axes axes;
  bool control;        /* each run is a search; else a simulation */
  const char *applied; /* --control=U of simulations; NULL: u = 0 */
  bool verify;         /* of a simulation: beside the motion itself */
  bool keep;           /* results of each run in DIRECTORY/runs/NUMBER */
  SweepColumn columns[SWEEP_COLUMNS_MAX];
  int n_columns;
  char kind[32];  /* of model */
  bool own_units; /* the file has model.units: those of SI are not known to hold */
  WorkLimits limits;
} SweepPlan;

/* Of a command's options, and, where they do not say whether its runs are searches, of the file, which is read. Returns 0, EXIT_USAGE or
 * EXIT_INTERNAL after telling; clear it either way. */
int sweep_plan_make(const Options *options, SweepPlan *plan, Diagnostics *diagnostics);
/* Of the JSON that another has, which is taken over; likewise. */
int sweep_plan_read(json_t *json, SweepPlan *plan, Diagnostics *diagnostics);
void sweep_plan_clear(SweepPlan *plan);

/* Reads the problem with a value of each axis, index [axes.n], by that name (path or file). by_pattern: as of ModelRanks. One rank alone starts
 * PETSc where the problem needs it; several have done so before. Returns 0, EXIT_USAGE or EXIT_INTERNAL, with the mistakes in diagnostics. */
int sweep_plan_problem(const SweepPlan *plan, const char *name, const long *index, bool by_pattern,
                       Diagnostics *diagnostics, Problem *problem);

/* Whether a run's search, or its proof, has a budget in seconds. */
bool sweep_plan_limits_seconds(const SweepPlan *plan, long run);

#endif
