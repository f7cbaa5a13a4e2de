/* What a run is, kept in its results directory so that it can go on from there alone:
 *
 *     checkpoint/problem.yaml   the problem as understood, itself a problem file
 *     checkpoint/run.json       command, the file and settings the problem came from, control of a simulation, --verify,
 *                               version; "limits": {"seconds", "simplexes", "evaluations"} of a search, 0: none, and the "end" T of
 *                               its motions; whether its replay was stopped; "seconds" of a simulation that has been; how the run ended, once it has
 *     checkpoint/state.0, .1    control/base/checkpoint.h
 *
 * A lock on checkpoint/lock keeps two programs from working in one directory. */
#ifndef SRC_RUN_RECORD_H
#define SRC_RUN_RECORD_H

#include "control/base/checkpoint.h"
#include "src/base/options.h"
#include "src/file/sections/file.h"
#include "src/results/results.h"

typedef struct RunRecord {
  Results results; /* its lock is owned */
  json_t *json;    /* run.json; owned */
  CtlCheckpoint checkpoint;
} RunRecord;

/* A new run's. options: file and settings. control: [p S] of a simulation, NULL for none. sweep: its plan; NULL: of no sweep. All return 0 or an exit code, after
 * telling. */
int run_record_create(RunRecord *record, const Results *results, const char *command, const Options *options,
                      const Problem *problem, const double *control, json_t *sweep);

/* That of a directory. diagnostics: also of all that is done with the record. */
int run_record_open(RunRecord *record, const char *directory, Diagnostics *diagnostics);

/* Of one that run_record_open has opened. */
const char *run_record_command(const RunRecord *record);
bool run_record_ended(const RunRecord *record, int *code); /* whether the run is over, and its exit code */
/* What its run has to be given besides: the path of its problem file, options of PETSc, --verify. */
int run_record_options(const RunRecord *record, char path[FILE_PATH_SIZE], Options *options);
/* problem: as read from there. Waits for the lock. EXIT_USAGE when the file that it came from is there and says
 * something else now. */
int run_record_check(RunRecord *record, const Problem *problem);
/* Its plan, with its file where it is now. A new reference; NULL: none. */
json_t *run_record_sweep(const RunRecord *record);
int run_record_control(const RunRecord *record, int p, double *control, bool *given);

/* The latest whole state: *bytes NULL when there is none yet, to be freed. Warns when it is not the latest written. */
int run_record_state(RunRecord *record, void **bytes, size_t *size);
/* Writes a state. now: ctl_seconds(). */
int run_record_save(RunRecord *record, const void *bytes, size_t size, double now);

/* Notes that the replay after the run (verification.h) was stopped. Returns whether it was before, too: then the run is to end
 * without, or one that is resumed for a while at a time would never end. */
bool run_record_replay_stopped(RunRecord *record);

/* s that a simulation and the runs before it, all stopped, have taken; 0: nobody has noted any. */
void run_record_note_seconds(RunRecord *record, double seconds);
double run_record_seconds(const RunRecord *record);

/* The run is over, all results written: notes its exit code and removes the states. */
int run_record_end(RunRecord *record, int code);
void run_record_close(RunRecord *record);

/* Whether a problem file still says what it said. */

/* Reads the file with its settings again and compares it with `then`, an echo of before; the section checkpoint may
 * differ. limits: of that reading. Returns 0, EXIT_USAGE after telling each key that has changed, or that the file is not valid any more,
 * or EXIT_INTERNAL. */
int problem_changes_report(const char *path, char *const *settings, int n_settings, bool control, const json_t *then,
                           const WorkLimits *limits, Diagnostics *diagnostics);

#endif
