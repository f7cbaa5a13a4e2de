/* The rows of a sweep: kept in memory as they arrive, and written to checkpoint/rows, from which a sweep is resumed. */
#ifndef SRC_STUDY_SWEEP_ROWS_H
#define SRC_STUDY_SWEEP_ROWS_H

#include "src/results/results.h"
#include "src/study/sweep_plan.h"

#define SWEEP_ROWS     "checkpoint/rows"
#define SWEEP_PROGRESS "checkpoint/progress.json"

/* Duration of a run and of its search's simulations, the latter summed over the ranks, s. */
typedef struct SweepSeconds {
  double all, simulating;
} SweepSeconds;

typedef struct SweepRows {
  const Results *results;
  long count;
  char **rows;           /* [count] as of sweep_run.h; NULL: not yet; owned, like the next two */
  SweepSeconds *seconds; /* [count] */
  bool *done;            /* [count] */
  long n_done, n_failed;
  long n_not_met; /* including searches that have not converged */
  long n_robust;  /* runs of another objective than nominal */
  FILE *file;
  ResultsMark mark;
  double synced; /* ctl_seconds when all rows were last on the disk */
} SweepRows;

/* resumed: reads the complete rows of checkpoint/rows. Returns 0, or EXIT_USAGE or EXIT_INTERNAL after reporting; sweep_rows_close follows
 * in each case. */
int sweep_rows_open(SweepRows *rows, const SweepPlan *plan, const Results *results, bool resumed);
/* Adds a copy of a row. It is passed to the system at once and is on the disk a second later. Returns 0, or
 * EXIT_INTERNAL after reporting. */
int sweep_rows_add(SweepRows *rows, long run, SweepSeconds seconds, const char *row);
/* Puts all rows on the disk, and checkpoint/progress.json, which is complete at any time: {"runs": number of rows, "runs_in_all",
 * "runs_not_met", "runs_failed"}. Returns 0, or EXIT_INTERNAL after reporting. */
int sweep_rows_sync(SweepRows *rows);
void sweep_rows_close(SweepRows *rows);

/* sweep_table.c: writes sweep.csv, sweep.h5 and times.csv, each complete or not at all, with the rows in the order of the runs.
 *
 * sweep.csv has run, the keys that vary, outcome, reason, warnings, and the columns of the plan. sweep.h5 has the same, a dataset for each column:
 * doubles, NaN for an empty cell, if all its cells are numbers, else texts. Both are the same bytes each time. times.csv has run,seconds,simulating.
 * Returns 0, or EXIT_INTERNAL after reporting. */
int sweep_table_write(const SweepPlan *plan, const SweepRows *rows);

#endif
