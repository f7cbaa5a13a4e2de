/* SPDX-License-Identifier: BSD-2-Clause */
/* One run of a sweep, from the plan to its row, in this process alone or as a task of a pool. */
#ifndef SRC_STUDY_SWEEP_RUN_H
#define SRC_STUDY_SWEEP_RUN_H

#include "control/pool.h"
#include "src/base/diagnostics.h"
#include "src/base/problem.h"
#include "src/study/sweep_plan.h"

/* A row is a JSON array in one line, which begins with [. It has the outcome, the reason, the number of warnings,
 * and the columns of the plan.
 *
 *     outcome   met, not met; converged, not converged (objective not nominal); done (a simulation); failed
 *     reason    why the search has ended, or why the run has failed
 *     warnings  number of warnings
 *
 * A cell is a number, a text, true or false; null means that the run has no such value. */
enum { ROW_OUTCOME, ROW_REASON, ROW_WARNINGS, ROW_COLUMNS };

enum { SWEEP_CELL_MAX = 500 }; /* bytes; a longer cell is replaced by a text with its length */

/* Returns the size of the longest row of a plan, in bytes. */
size_t sweep_row_size(const SweepPlan *plan);

/* Functions that carry out a search. The room search, which stands above this one, provides them in swept_search.c. */
typedef struct SweepSearches {
  /* Prepares the search of a problem, which is taken over, up to its first evaluation. options and diagnostics are
   * borrowed until the end of the search. *code: an exit code. Returns the search, which must be passed to `end`
   * whatever the code is; NULL: no memory. */
  void *(*begin)(const Options *options, Problem *problem, Diagnostics *diagnostics, int *code);
  /* Runs the search in this process. *simulating: duration of its simulations, in s. Returns as ctl_drive_serial. */
  int (*drive)(void *search, double *simulating);
  /* Adds the search to a pool. Returns SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM if no message can hold its model. */
  SimStatus (*add)(void *search, CtlPool *pool, CtlPoolJob **job);
  /* Ends the search and frees it. begun: exit code of `begin`; drive: result of the drive, if begun is 0. *summary: a
   * new reference, or NULL; *robust: whether its objective is not nominal. Returns the exit code of the search. */
  int (*end)(void *search, int begun, int drive, json_t **summary, bool *robust);
} SweepSearches;

/* What a process needs to carry out runs. */
typedef struct SweepWorker {
  SweepPlan plan;
  char directory[FILE_PATH_SIZE]; /* directory of the sweep's results */
  int kernel;                     /* kernel of batches; -1: chosen by the program */
  const SweepSearches *searches;  /* borrowed */
} SweepWorker;

/* Carries out a run. *simulating: duration of a search's simulations, in s; 0 for a simulation. Returns its row, which
 * the caller frees. If *code is EXIT_INTERNAL, the text is the reason why there is no row and the sweep must end, as
 * results could not be written. NULL: the run was stopped by a signal (*code: EXIT_STOPPED), or there is no memory
 * (EXIT_INTERNAL). */
char *sweep_run_whole(const SweepWorker *worker, long run, double *simulating, int *code);

/* A run in progress. */
typedef struct SweepRun {
  const SweepWorker *worker; /* borrowed */
  Options options;
  char directory[FILE_PATH_SIZE]; /* directory of the run's results, if they are kept */
  Diagnostics diagnostics;
  void *search; /* search made by worker->searches; NULL: a simulation, or not begun */
  bool robust;  /* whether the objective is not nominal; known when the search has ended */
} SweepRun;

/* Begins a search, which is then run here or added to a pool. Returns an exit code. Call sweep_run_end in each case. */
int sweep_run_begin(SweepRun *one, const SweepWorker *worker, long run);
/* Ends the search of a run. begun: result of sweep_run_begin; drive: result of the drive, if begun is 0. Returns as
 * sweep_run_whole. */
char *sweep_run_end(SweepRun *one, int begun, int drive, int *code);

/* Returns the evaluator of a pool: a task is a run, and an outcome is a SweepAnswer. It borrows worker. */
CtlEvaluator sweep_evaluator(SweepWorker *worker);

/* An outcome. It is stored in final.x and final.v, which are contiguous. */
typedef struct SweepAnswer {
  double seconds, simulating; /* duration of the run, and of its simulations, in s */
  double stopped;             /* other than 0: a signal stopped the run, so there is no row */
  char row[];                 /* the row, or the reason why there is none; "": no memory */
} SweepAnswer;

/* Returns the plan as a message to the workers (src/run/message.h); the caller frees it. NULL: no memory. */
void *sweep_message_pack(const SweepWorker *worker, size_t *size);

/* Makes the evaluator of a worker from the bytes after the form of a message. *owner: the SweepWorker, which is
 * released with it. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus sweep_message_build(const SweepSearches *searches, int kernel, const char *bytes, void **owner,
                              CtlEvaluator *evaluator);
void sweep_message_release(void *owner);

#endif
