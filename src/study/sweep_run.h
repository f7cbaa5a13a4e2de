/* One run of a sweep, from its document to its row, in this process alone. */
#ifndef SRC_STUDY_SWEEP_RUN_H
#define SRC_STUDY_SWEEP_RUN_H

#include "src/study/sweep_plan.h"
#include "src/study/sweep_searches.h"

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

/* What carries out runs in this process. */
typedef struct SweepWorker {
  SweepPlan plan;
  char directory[FILE_PATH_SIZE]; /* the sweep's */
  int kernel;                     /* of batches, -1: chosen */
  const SweepSearches *searches;  /* borrowed */
} SweepWorker;

/* Carries out a run. *simulating: s that a search's simulations have taken; 0: of a simulation. Returns its row, to be freed; or, with *code
 * EXIT_INTERNAL, why it has none and the sweep must end: its results could not be written. NULL: it has been stopped on a signal, or there is
 * no memory (*code: EXIT_STOPPED, EXIT_INTERNAL). */
char *sweep_run_whole(const SweepWorker *worker, long run, double *simulating, int *code);

/* A run under way. */
typedef struct SweepRun {
  const SweepWorker *worker; /* borrowed */
  Options options;
  char directory[FILE_PATH_SIZE]; /* of its results, if they are kept */
  Diagnostics diagnostics;
  void *search; /* of worker->searches; NULL: it has none, or none yet */
  bool robust;  /* the objective is other than nominal: once the search has ended */
} SweepRun;

/* Begins with a search, up to its first evaluation, which is then driven or added to a pool. Returns an exit code; end it either way. */
int sweep_run_begin(SweepRun *one, const SweepWorker *worker, long run);
/* Ends one after its drive, with the result of that, or with the exit code of a beginning that has failed. Returns as sweep_run_whole. */
char *sweep_run_end(SweepRun *one, int begun, int drive, int *code);

#endif
