/* SPDX-License-Identifier: BSD-2-Clause */
/* The record of a run in its results directory. A run can be resumed from the record alone:
 *
 *     checkpoint/problem.yaml   the resolved problem, itself a problem file
 *     checkpoint/run.json       command, the file and settings of the problem, control of a simulation, --verify, version;
 *                               "limits": {"seconds", "simplexes", "evaluations"} of a search, 0: none, and the "end" T
 *                               of its motions; whether its replay was stopped; "seconds" used by a simulation; how the
 *                               run ended, if it has
 *     checkpoint/state.0, .1    control/base/checkpoint.h
 *
 * A lock on checkpoint/lock keeps two programs from using the same directory. */
#ifndef SRC_RUN_RECORD_H
#define SRC_RUN_RECORD_H

#include "control/base/checkpoint.h"
#include "src/base/options.h"
#include "src/file/sections/file.h"
#include "src/results/results.h"

typedef struct RunRecord {
  Results results; /* the results directory; its lock is owned */
  json_t *json;    /* content of run.json; owned */
  CtlCheckpoint checkpoint;
} RunRecord;

/* Creates the record of a new run. options: its file and settings. control: [p S] for a simulation, otherwise NULL.
 * sweep: the plan of a sweep; NULL: the run is no sweep. All functions here return 0, or an exit code after reporting
 * an error. */
int run_record_create(RunRecord *record, const Results *results, const char *command, const Options *options,
                      const Problem *problem, const double *control, json_t *sweep);

/* Opens the record in a directory. diagnostics: receives the errors of all later operations on the record. */
int run_record_open(RunRecord *record, const char *directory, Diagnostics *diagnostics);

/* Returns the command of a record that was opened by run_record_open. */
const char *run_record_command(const RunRecord *record);
bool run_record_ended(const RunRecord *record, int *code); /* returns whether the run is over; *code: its exit code */
/* Sets the options of the run: the path of its problem file, options of PETSc, and --verify. */
int run_record_options(const RunRecord *record, char path[FILE_PATH_SIZE], Options *options);
/* Checks the record, after waiting for its lock. problem: the problem as read from the record. Returns EXIT_USAGE if
 * the file from which the problem came exists and has changed. */
int run_record_check(RunRecord *record, const Problem *problem);
/* Returns the plan of a sweep, with the path at which its file is now. A new reference; NULL: the run is no sweep. */
json_t *run_record_sweep(const RunRecord *record);
int run_record_control(const RunRecord *record, int p, double *control, bool *given);

/* Loads the latest complete state; the caller frees *bytes, which is NULL if there is none. Warns if a later state is
 * damaged. */
int run_record_state(RunRecord *record, void **bytes, size_t *size);
/* Writes a state. now: the time from ctl_seconds(). */
int run_record_save(RunRecord *record, const void *bytes, size_t size, double now);

/* Records that a signal stopped the replay after the run (verification.h). Returns whether that had happened before.
 * Then the run ends without a replay, since otherwise a run that is resumed again and again for short times would never
 * end. */
bool run_record_replay_stopped(RunRecord *record);

/* Records the time in s that a simulation has taken, with the earlier runs that were stopped; 0: not recorded. */
void run_record_note_seconds(RunRecord *record, double seconds);
double run_record_seconds(const RunRecord *record);

/* Ends the run after all results are written: records its exit code, and removes the states. */
int run_record_end(RunRecord *record, int code);
void run_record_close(RunRecord *record);

/* Reads a problem file with its settings again, and compares it with `then`, an earlier echo. Only the section
 * checkpoint may differ. limits: limits of work for reading. Returns 0; EXIT_USAGE after reporting each changed key, or
 * that the file is no longer valid; or EXIT_INTERNAL. */
int problem_changes_report(const char *path, char *const *settings, int n_settings, bool control, const json_t *then,
                           const WorkLimits *limits, Diagnostics *diagnostics);

#endif
