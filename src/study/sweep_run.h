/* One run of a sweep, in this process alone or as a task of a pool: from the plan to its row. */
#ifndef SRC_STUDY_SWEEP_RUN_H
#define SRC_STUDY_SWEEP_RUN_H

#include "control/pool.h"
#include "src/base/diagnostics.h"
#include "src/base/problem.h"
#include "src/study/sweep_plan.h"

/* A row is a JSON array in one line, beginning with [: outcome, reason, warnings and the columns of the plan.
 *
 *     outcome   met, not met; converged, not converged (another objective than nominal); done (a simulation); failed
 *     reason    why the search has ended, or why the run has failed
 *     warnings  number of warnings
 *
 * A cell is a number, a text, true or false; null: the run has no such value. */
enum { ROW_OUTCOME, ROW_REASON, ROW_WARNINGS, ROW_COLUMNS };

enum { SWEEP_CELL_MAX = 500 }; /* bytes; a longer cell is replaced by a text that reports its length */

/* Size of the longest row of a plan, bytes. */
size_t sweep_row_size(const SweepPlan *plan);

/* How a search is carried out. The room search, which stands above this one, has these functions: swept_search.c. */
typedef struct SweepSearches {
  /* Prepares the search of a problem, which is taken over, up to its first evaluation. options, diagnostics: borrowed until the end of the
   * search. *code: an exit code. Returns the search, to be passed to `end` whatever the code is; NULL: no memory. */
  void *(*begin)(const Options *options, Problem *problem, Diagnostics *diagnostics, int *code);
  /* Drives it in this process. *simulating: duration of its simulations, s. Returns as ctl_drive_serial. */
  int (*drive)(void *search, double *simulating);
  /* Adds it to a pool. SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM if no message can hold its model. */
  SimStatus (*add)(void *search, CtlPool *pool, CtlPoolJob **job);
  /* Ends and frees it. begun: exit code of `begin`; drive: result of the drive, if that is 0. *summary: a new reference, or NULL; *robust:
   * whether its objective is other than nominal. Returns its exit code. */
  int (*end)(void *search, int begun, int drive, json_t **summary, bool *robust);
} SweepSearches;

/* What a process needs to carry out runs. */
typedef struct SweepWorker {
  SweepPlan plan;
  char directory[FILE_PATH_SIZE]; /* of the sweep */
  int kernel;                     /* of batches; -1: chosen */
  const SweepSearches *searches;  /* borrowed */
} SweepWorker;

/* Carries out a run. *simulating: duration of a search's simulations, s; 0 for a simulation. Returns its row, which the caller frees. With *code
 * EXIT_INTERNAL it returns the reason why there is no row and the sweep must end: results could not be written. NULL: the run was stopped by a
 * signal, or there is no memory (*code: EXIT_STOPPED, EXIT_INTERNAL). */
char *sweep_run_whole(const SweepWorker *worker, long run, double *simulating, int *code);

/* A run in progress. */
typedef struct SweepRun {
  const SweepWorker *worker; /* borrowed */
  Options options;
  char directory[FILE_PATH_SIZE]; /* of its results, if they are kept */
  Diagnostics diagnostics;
  void *search; /* of worker->searches; NULL: a simulation, or not begun */
  bool robust;  /* the objective is other than nominal; known when the search has ended */
} SweepRun;

/* Begins a search, which is then driven or added to a pool. Returns an exit code; sweep_run_end follows in each
 * case. */
int sweep_run_begin(SweepRun *one, const SweepWorker *worker, long run);
/* Ends it. begun: the exit code of the beginning; drive: the result of the drive, if that is 0. Returns as
 * sweep_run_whole. */
char *sweep_run_end(SweepRun *one, int begun, int drive, int *code);

/* Evaluator of a pool: a task is a run, an outcome is a SweepAnswer. worker: borrowed. */
CtlEvaluator sweep_evaluator(SweepWorker *worker);

/* An outcome, in the storage of final.x and final.v, which are contiguous. */
typedef struct SweepAnswer {
  double seconds, simulating; /* duration of the run and of its simulations, s */
  double stopped;             /* not 0: stopped by a signal, there is no row */
  char row[];                 /* or the reason why there is none; "": no memory */
} SweepAnswer;

/* The plan as a message to the workers (src/run/message.h); the caller frees it. NULL: no memory. */
void *sweep_message_pack(const SweepWorker *worker, size_t *size);

/* Makes the evaluator of a worker from the bytes behind the form of the message. *owner: its SweepWorker, to be released. SIM_OK or
 * SIM_NO_MEMORY. */
SimStatus sweep_message_build(const SweepSearches *searches, int kernel, const char *bytes, void **owner,
                              CtlEvaluator *evaluator);
void sweep_message_release(void *owner);

#endif
