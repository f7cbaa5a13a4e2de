/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of a sweep. They are kept in memory as soon as they exist, and written to checkpoint/rows, from which a
 * sweep is resumed. */
#ifndef SRC_STUDY_SWEEP_ROWS_H
#define SRC_STUDY_SWEEP_ROWS_H

#include "src/results/results.h"
#include "src/study/sweep_plan.h"

#define SWEEP_ROWS     "checkpoint/rows"
#define SWEEP_PROGRESS "checkpoint/progress.json"

/* Duration of a run, and duration of the simulations in its search, summed over the ranks; both in s. */
typedef struct SweepSeconds {
  double all, simulating;
} SweepSeconds;

typedef struct SweepRows {
  const Results *results;
  long count;
  char **rows;           /* [count] rows in the form that sweep_run.h describes; NULL: the run has no row yet; owned, as
                          * are the next two arrays */
  SweepSeconds *seconds; /* [count] durations of the runs */
  bool *done;            /* [count] whether the run has a row */
  long n_done, n_failed;
  long n_not_met; /* number of runs that did not meet the target, including searches that did not converge */
  long n_robust;  /* number of runs with an objective over scenarios */
  FILE *file;
  ResultsMark mark;
  double synced; /* time (ctl_seconds) at which rows were last flushed to the disk */
} SweepRows;

/* Opens the rows. resumed: the complete rows of checkpoint/rows are read. Returns 0; or EXIT_USAGE or EXIT_INTERNAL
 * after reporting an error. The caller calls sweep_rows_close in each case. */
int sweep_rows_open(SweepRows *rows, const SweepPlan *plan, const Results *results, bool resumed);
/* Adds a copy of a row. It is passed to the operating system at once, and is on the disk within a second. Returns 0, or
 * EXIT_INTERNAL after reporting an error. */
int sweep_rows_add(SweepRows *rows, long run, SweepSeconds seconds, const char *row);
/* Flushes all rows to the disk, and writes checkpoint/progress.json: {"runs": number of rows, "runs_in_all",
 * "runs_not_met", "runs_failed"}. This file is complete at any time. Returns 0, or EXIT_INTERNAL after reporting an
 * error. */
int sweep_rows_sync(SweepRows *rows);
void sweep_rows_close(SweepRows *rows);

/* Writes sweep.csv, sweep.h5 and times.csv, with rows in the order of the runs. Each file is written completely or not
 * at all. Returns 0, or EXIT_INTERNAL after reporting an error. Defined in sweep_table.c.
 *
 * sweep.csv has the column run, the varied keys, outcome, reason, warnings, and the columns of the plan. sweep.h5 has a
 * dataset for each of these columns. A dataset has doubles if all cells of its column are numbers or empty, where an
 * empty cell gives NaN; otherwise it has texts. The same rows always give the same bytes in both files. times.csv has
 * the columns run, seconds and simulating. */
int sweep_table_write(const SweepPlan *plan, const SweepRows *rows);

#endif
