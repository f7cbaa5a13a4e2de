/* The rows of a sweep, as they come: kept, and written to checkpoint/rows, from which a sweep goes on. */
#ifndef SRC_STUDY_SWEEP_ROWS_H
#define SRC_STUDY_SWEEP_ROWS_H

#include "src/results/results.h"
#include "src/study/sweep_plan.h"

/* What a run has taken, s: all of it; its search's simulations, summed over the ranks. */
typedef struct SweepSeconds {
  double all, simulating;
} SweepSeconds;

typedef struct SweepRows {
  const Results *results;
  long count;
  char **rows;           /* [count] sweep_run.h; NULL: not yet; owned, as the next two */
  SweepSeconds *seconds; /* [count] */
  bool *done;            /* [count] */
  long n_done, n_failed, n_not_met,
      n_robust; /* the third: not converged, too; the last: of another objective than nominal */
  FILE *file;
  ResultsMark mark;
  double synced; /* s, of ctl_seconds: when all was last put on the disk */
} SweepRows;

/* resumed: what checkpoint/rows holds whole is there already. Returns 0, or EXIT_USAGE or EXIT_INTERNAL after telling; close it either
 * way. */
int sweep_rows_open(SweepRows *rows, const SweepPlan *plan, const Results *results, bool resumed);
/* One that has come; copied. Handed to the system at once, put on the disk a second later. Returns 0, or EXIT_INTERNAL after telling. */
int sweep_rows_add(SweepRows *rows, long run, SweepSeconds seconds, const char *row);
/* Puts all on the disk, and checkpoint/progress.json beside it, whole at any time: {"runs": N of those that have a row, "runs_in_all",
 * "runs_not_met", "runs_failed"}. Returns 0, or EXIT_INTERNAL after telling. */
int sweep_rows_sync(SweepRows *rows);
void sweep_rows_close(SweepRows *rows);

#define SWEEP_ROWS     "checkpoint/rows"
#define SWEEP_PROGRESS "checkpoint/progress.json"

#endif
