/* SPDX-License-Identifier: BSD-2-Clause */
/* One run of a sweep, from the plan to its row. It is carried out in this process alone or as a task of a pool. */
#ifndef SRC_STUDY_SWEEP_RUN_H
#define SRC_STUDY_SWEEP_RUN_H

#include "control/pool.h"
#include "src/base/diagnostics.h"
#include "src/base/problem.h"
#include "src/study/sweep_plan.h"

/* Indices of the fixed cells of a row. A row is a JSON array in one line. It has the outcome, the reason, the number of
 * warnings, and the cells of the columns in the plan.
 *
 *   outcome   met, not met; converged, not converged (objective over scenarios); done (a simulation); failed
 *   reason    reason why the search has ended, or why the run has failed
 *   warnings  number of warnings
 *
 * A cell is a number, a text, true or false; null means that the run has no such value. */
enum { ROW_OUTCOME, ROW_REASON, ROW_WARNINGS, ROW_COLUMNS };

/* maximum size of a cell, in bytes; a longer one is replaced by a text with its length */
enum { SWEEP_CELL_MAX = 500 };

/* Returns the size of the longest row of a plan, in bytes. */
size_t sweep_row_size(const SweepPlan *plan);

/* Functions that carry out a search. They are defined in swept_search.c, since searches use the functions of this
 * folder but not vice versa. */
typedef struct SweepSearches {
  /* Prepares the search of a problem up to its first evaluation, and takes ownership of the problem. options and
   * diagnostics are borrowed until the end of the search. Sets *code to an exit code. Returns the search, which must be
   * passed to `end` whatever the code is; NULL: no memory. */
  void *(*begin)(const Options *options, Problem *problem, Diagnostics *diagnostics, int *code);
  /* Runs the search in this process. Sets *simulating to the duration of its simulations, in s. Returns the same codes
   * as ctl_drive_serial. */
  int (*drive)(void *search, double *simulating);
  /* Adds the search to a pool. Returns SIM_OK, SIM_NO_MEMORY, or SIM_BAD_PROBLEM if messages cannot contain its
   * model. */
  SimStatus (*add)(void *search, CtlPool *pool, CtlPoolJob **job);
  /* Ends the search and frees it. begun: exit code of `begin`; drive: if begun is 0, the code with which the evaluation
   * of points ended. *summary: set to the summary, a reference that the caller owns, or NULL; *robust: set to whether
   * the objective is over scenarios. Returns the exit code of the search. */
  int (*end)(void *search, int begun, int drive, json_t **summary, bool *robust);
} SweepSearches;

/* Data with which a process carries out runs. */
typedef struct SweepWorker {
  SweepPlan plan;
  char directory[FILE_PATH_SIZE]; /* directory of the sweep's results */
  int kernel;                     /* kernel (code for one instruction set) of stiction_batch; -1: chosen by the
                                   * program */
  const SweepSearches *searches;  /* borrowed */
} SweepWorker;

/* Carries out a run. Sets *simulating to the duration of a search's simulations, in s; 0 for a simulation. Returns the
 * row of the run, which the caller frees. If *code is EXIT_INTERNAL, results could not be written: the sweep must end,
 * and the returned text is the reason. Returns NULL if the run was stopped by a signal (*code is EXIT_STOPPED), or
 * there is no memory (EXIT_INTERNAL). */
char *sweep_run_whole(const SweepWorker *worker, long run, double *simulating, int *code);

/* A run in progress. */
typedef struct SweepRun {
  const SweepWorker *worker; /* borrowed */
  Options options;
  char directory[FILE_PATH_SIZE]; /* directory of the run's results, if they are kept */
  Diagnostics diagnostics;
  void *search; /* the search, made by worker->searches; NULL: the run is a simulation, or has not begun */
  bool robust;  /* whether the objective is over scenarios; set when the search has ended */
} SweepRun;

/* Begins a run that is a search; the caller then runs the search in this process or adds it to a pool. Returns an exit
 * code. The caller calls sweep_run_end in each case. */
int sweep_run_begin(SweepRun *one, const SweepWorker *worker, long run);
/* Ends the search of a run. begun: result of sweep_run_begin; drive: if begun is 0, the code with which the evaluation
 * of points ended. Returns the same values as sweep_run_whole. */
char *sweep_run_end(SweepRun *one, int begun, int drive, int *code);

/* Returns the evaluator for a pool in which each task is a run and each outcome a SweepAnswer. It borrows worker. */
CtlEvaluator sweep_evaluator(SweepWorker *worker);

/* Outcome of a task. It is stored in final.x and final.v, which are contiguous in memory. */
typedef struct SweepAnswer {
  double seconds, simulating; /* duration of the run, and of its simulations, in s */
  double stopped;             /* not 0: the run was stopped by a signal, so there is no row */
  char row[];                 /* the row, or the reason why there is none; "": there was no memory */
} SweepAnswer;

/* Returns the plan as a message to the workers (src/run/message.h), which the caller frees. NULL: no memory. */
void *sweep_message_pack(const SweepWorker *worker, size_t *size);

/* Makes the evaluator of a worker from the bytes after the form of a message. Sets *owner to the SweepWorker, which is
 * released together with the evaluator. Returns SIM_OK or SIM_NO_MEMORY. */
SimStatus sweep_message_build(const SweepSearches *searches, int kernel, const char *bytes, void **owner,
                              CtlEvaluator *evaluator);
void sweep_message_release(void *owner);

#endif
