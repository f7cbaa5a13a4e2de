/* One run of a sweep, from its document to its row, in this process alone. */
#ifndef SRC_SWEEP_ONE_RUN_H
#define SRC_SWEEP_ONE_RUN_H

#include "src/search/search_run.h"
#include "src/sweep/plan.h"

/* A row: a JSON array, which begins with [, of outcome, reason, warnings and the plan's columns, in one line.
 *
 *     outcome   met, not met; of another objective converged, not converged; of a simulation done; failed: then reason tells why
 *     reason    why the search has ended, or the run has failed
 *     warnings  how many there were
 *
 * A cell is a number, a text, true or false; null: the run has none. */
enum { ROW_OUTCOME, ROW_REASON, ROW_WARNINGS, ROW_COLUMNS };

enum { SWEEP_CELL_MAX = 500 }; /* bytes; a longer one is a text that says how long */

/* The room that any row of a plan fits in, bytes. */
size_t sweep_row_size(const SweepPlan *plan);

/* Carries out a run. kernel: of batches, -1: chosen. directory: of the sweep, for a plan that keeps. simulating: s that a search's simulations
 * have taken; 0: of a simulation. Returns its row, to be freed; or, with *code EXIT_INTERNAL, why it has none and the sweep must end: its
 * results could not be written. NULL: it has been stopped on a signal, or there is no memory (*code: EXIT_STOPPED, EXIT_INTERNAL). */
char *sweep_run_one(const SweepPlan *plan, const char *directory, long run, int kernel, double *simulating, int *code);

/* A search among others, point by point over a pool: what sweep_run_one does in one piece. */
typedef struct SweepSearch {
  const SweepPlan *plan;
  Options options;
  char directory[FILE_PATH_SIZE]; /* of its results, if they are kept */
  Diagnostics diagnostics;
  SearchRun run;
  bool robust; /* of another objective than nominal: once it is finished */
} SweepSearch;

/* Up to the first evaluation. Returns an exit code; finish it either way. */
int sweep_search_begin(SweepSearch *search, const SweepPlan *plan, const char *directory, long run, int kernel);
/* Drives one that has begun by this process alone. Returns as ctl_drive_serial. */
int sweep_search_drive(SweepSearch *search, double *simulating);
/* After its drive, with what that has returned, or with the exit code of a beginning that has failed: its row, as sweep_run_one's. */
char *sweep_search_finish(SweepSearch *search, int begun, int drive, int *code);

#endif
