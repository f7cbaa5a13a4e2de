/* One rollout with a trajectory that is written to a results directory: used by `simulate`, and at the end of
 * `control`. */
#ifndef SRC_RUN_ROLLOUT_CONTEXT_H
#define SRC_RUN_ROLLOUT_CONTEXT_H

#include "src/file/sections/file.h"
#include "src/file/sections/originals.h"
#include "src/results/motion_failure.h"
#include "src/results/results.h"
#include "src/results/summary.h"
#include "src/results/trajectory.h"

typedef struct RolloutContext {
  SimModel *model;
  SimWorkspace *work;
  SimFinal final;
  double *state;       /* [2][rows] x(T), v(T) of this rank's rows */
  double *whole;       /* [2][d] of all rows, on the first rank; NULL: elsewhere, or equal to state */
  Peaks *peaks;        /* of the last motion that was written; NULL: none, or unknown */
  Originals originals; /* functions for examining the motion */
} RolloutContext;

/* Creates model and workspace. problem: must outlive the rollout if its model is sparse; then all ranks of its group
 * call this and rollout_context_run together and get the same code. Returns 0; EXIT_USAGE or EXIT_INTERNAL after adding
 * to diagnostics (NULL: no report). */
int rollout_context_prepare(RolloutContext *rollout, const SimProblem *problem, Diagnostics *diagnostics);
/* Sets the kernel of sim_batch; -1: the widest. Returns 0, or EXIT_USAGE if this processor does not support it. */
int rollout_context_set_kernel(RolloutContext *rollout, int kernel);
/* Examines later motions by the scheme `event` (sim_workspace_examine). problem: the rollout's own, which must outlive
 * it; NULL: stops examining. The rollout must not be moved. Returns 0, or EXIT_INTERNAL after reporting it. */
int rollout_context_examine(RolloutContext *rollout, const Problem *problem, Diagnostics *diagnostics);
void rollout_context_release(RolloutContext *rollout);

/* Returns x(T) and v(T) of all rows [2][d] of a finished rollout, borrowed; NULL on all ranks but the first. Collective
 * over the problem's group. */
const double *rollout_context_state(RolloutContext *rollout, const SimProblem *problem);

/* Simulates with control [p S] (NULL: 0), writes the files of trajectory.h, and sets x, v, final, energy, misses and
 * solver_error of the summary (borrowed from the rollout; x and v are NULL beyond SUMMARY_STATE_MAX and on all ranks
 * but the first). A rollout that fails is not an error here: see final->status. Returns 0, EXIT_STOPPED on a signal, or
 * EXIT_INTERNAL if files could not be written. */
int rollout_context_run(RolloutContext *rollout, const Results *results, const Problem *problem, const double *control,
                        Summary *summary);

/* Finishes a rollout that was run in parts (sim_rollout_begin): sets the same members and closes the trajectory. */
int rollout_context_end(RolloutContext *rollout, const Problem *problem, Trajectory *trajectory, Summary *summary);

/* A whole motion with its files and summary.json, which has the summary's problem and control and is written at
 * ctl_seconds() - begun of the run. why: how the motion has failed; empty if it has not. Returns 0, EXIT_STOPPED on a
 * signal, or EXIT_USAGE or EXIT_INTERNAL after reporting. */
int rollout_context_write(const Results *results, Summary *summary, double begun, char why[MOTION_FAILURE_SIZE]);

/* Error left by `solver: fixed_point`. It stops when x hardly changes between iterations. If thresholds differ much, this is long before
 * convergence, and the error adds up over steps, which the residual of a single step does not show. So the rollout is repeated with each
 * step solved exactly, which takes less time. */

/* Measures the error of a successful rollout with this control [variables] (NULL: 0); does nothing for other solvers. The error stays
 * unknown if a signal stops it or it fails. Collective over the problem's group. Returns 0, or EXIT_INTERNAL. */
int solver_error(const RolloutContext *rollout, const Problem *problem, const double *control, SolverError *error);

/* E1 and E2: distance of a motion's final state from its target. */

/* Prints E1, E2 and the cost with its name in a line. problem: has a control. */
void misses_print(const Problem *problem, const char *name, double cost, const double misses[2]);

/* Prints E1 or E2, k = 1 or 2, with few digits. */
void miss_print(int k, double miss);

#endif
