/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of a sweep. They are kept in memory as they arrive, and written to checkpoint/rows, from which a sweep is
 * resumed. */
#ifndef SRC_STUDY_SWEEP_ROWS_H
#define SRC_STUDY_SWEEP_ROWS_H

#include "src/results/results.h"
#include "src/study/sweep_plan.h"

#define SWEEP_ROWS     "checkpoint/rows"
#define SWEEP_PROGRESS "checkpoint/progress.json"

/* Duration of a run, in s, and the duration of its search's simulations, in s, which is the sum over the ranks. */
typedef struct SweepSeconds {
  double all, simulating;
} SweepSeconds;

typedef struct SweepRows {
  const Results *results;
  long count;
  char **rows;           /* [count] rows as in sweep_run.h; NULL: not there yet; owned, like the next two arrays */
  SweepSeconds *seconds; /* [count] durations of the runs */
  bool *done;            /* [count] whether the run has a row */
  long n_done, n_failed;
  long n_not_met; /* number of runs that did not meet the target, including searches that have not converged */
  long n_robust;  /* number of runs with an objective that is not nominal */
  FILE *file;
  ResultsMark mark;
  double synced; /* time (ctl_seconds) at which all rows were last on the disk */
} SweepRows;

/* Opens the rows. resumed: reads the complete rows of checkpoint/rows. Returns 0; or EXIT_USAGE or EXIT_INTERNAL after
 * reporting an error. Call sweep_rows_close in each case. */
int sweep_rows_open(SweepRows *rows, const SweepPlan *plan, const Results *results, bool resumed);
/* Adds a copy of a row. It is passed to the system at once, and is on the disk a second later. Returns 0, or
 * EXIT_INTERNAL after reporting an error. */
int sweep_rows_add(SweepRows *rows, long run, SweepSeconds seconds, const char *row);
/* Flushes all rows to the disk, and writes checkpoint/progress.json, which is complete at any time: {"runs": number of
 * rows, "runs_in_all", "runs_not_met", "runs_failed"}. Returns 0, or EXIT_INTERNAL after reporting an error. */
int sweep_rows_sync(SweepRows *rows);
void sweep_rows_close(SweepRows *rows);

/* Writes sweep.csv, sweep.h5 and times.csv, each completely or not at all, with rows in the order of the runs.
 * Returns 0, or EXIT_INTERNAL after reporting an error. In sweep_table.c.
 *
 * sweep.csv has the columns run, the keys that vary, outcome, reason, warnings, and those of the plan. sweep.h5 has
 * a dataset for each of these columns. A dataset has doubles if all cells of its column are numbers or empty, which
 * gives NaN; otherwise it has texts. Both files always have the same bytes. times.csv has run,seconds,simulating. */
int sweep_table_write(const SweepPlan *plan, const SweepRows *rows);

#endif
