/* SPDX-License-Identifier: BSD-2-Clause */
/* The record of a run in its results directory, from which the run can be resumed. It consists of
 *
 *     checkpoint/problem.yaml   the resolved problem, which is itself a problem file
 *     checkpoint/run.json       command, file and settings of the problem, control of a simulation, --verify, version;
 *                               "limits": {"seconds", "simplexes", "evaluations"} of a search, 0: none, and the "end" T
 *                               of its motions; whether its replay was stopped; "seconds" used by a simulation; how the
 *                               run ended, if it has
 *     checkpoint/state.0, .1    states of the run (control/base/checkpoint.h)
 *
 * A lock on checkpoint/lock prevents two programs from using the same directory. */
#ifndef SRC_RUN_RECORD_H
#define SRC_RUN_RECORD_H

#include "control/base/checkpoint.h"
#include "src/base/options.h"
#include "src/file/sections/file.h"
#include "src/results/results.h"

typedef struct RunRecord {
  Results results; /* the results directory; the descriptor of its lock is owned */
  json_t *json;    /* content of run.json; owned */
  CtlCheckpoint checkpoint;
} RunRecord;

/* Creates the record of a new run. options: has the file and the settings of the problem. control: [p S] for a
 * simulation, otherwise NULL. sweep: the plan of a sweep; NULL: the run is not a sweep. This function and those below
 * return 0, or an exit code after reporting an error, unless their comment says otherwise. */
int run_record_create(RunRecord *record, const Results *results, const char *command, const Options *options,
                      const Problem *problem, const double *control, json_t *sweep);

/* Opens the record in a directory. diagnostics: receives the errors of all later calls for the record. */
int run_record_open(RunRecord *record, const char *directory, Diagnostics *diagnostics);

/* Returns the command of a record that was opened by run_record_open. */
const char *run_record_command(const RunRecord *record);
bool run_record_ended(const RunRecord *record, int *code); /* returns whether the run has ended; if so, sets *code to
                                                            * its exit code */
/* Sets the options with which the run was started: the path of its problem file, the options of PETSc, and --verify. */
int run_record_options(const RunRecord *record, char path[FILE_PATH_SIZE], Options *options);
/* Checks the record, after waiting for its lock. problem: the problem as read from the record. Returns EXIT_USAGE if
 * the original problem file exists and has changed. */
int run_record_check(RunRecord *record, const Problem *problem);
/* Returns the plan of a sweep, with the present path of its file. The caller owns the reference; NULL: the run is not a
 * sweep. */
json_t *run_record_sweep(const RunRecord *record);
int run_record_control(const RunRecord *record, int p, double *control, bool *given);

/* Loads the latest complete state into *bytes, which the caller frees; NULL if there is no state. Warns if a later
 * state is damaged. */
int run_record_state(RunRecord *record, void **bytes, size_t *size);
/* Writes a state. now: the present time from ctl_seconds(). */
int run_record_save(RunRecord *record, const void *bytes, size_t size, double now);

/* Records that a signal stopped the replay of the control at the end of the run (verification.h). Returns whether an
 * earlier replay had already been stopped. The run then ends without a replay, since otherwise a run that is resumed
 * repeatedly for short times would never end. */
bool run_record_replay_stopped(RunRecord *record);

/* Records the time in s that a simulation has taken, together with its earlier parts that were stopped; 0: the time is
 * not known. */
void run_record_note_seconds(RunRecord *record, double seconds);
double run_record_seconds(const RunRecord *record);

/* Ends the run after all results are written: records its exit code, and removes the states. */
int run_record_end(RunRecord *record, int code);
void run_record_close(RunRecord *record);

/* Reads a problem file with its settings again, and compares it with `then`, an earlier resolved problem. Only the
 * section checkpoint may differ. limits: limits of the work for reading. Returns 0; EXIT_USAGE after reporting each
 * changed key, or that the file is no longer valid; or EXIT_INTERNAL. */
int problem_changes_report(const char *path, char *const *settings, int n_settings, bool control, const json_t *then,
                           const WorkLimits *limits, Diagnostics *diagnostics);

#endif
