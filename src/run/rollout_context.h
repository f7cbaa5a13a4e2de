/* One rollout whose trajectory is written to a results directory: all of `simulate`, and the end of
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
  double *whole;       /* [2][d] of all, on the first rank; NULL: elsewhere, or the same */
  Peaks *peaks;        /* of the last motion that was written; NULL: none, or not known */
  Originals originals; /* of one that is examined */
} RolloutContext;

/* Builds model and workspace; problem: outlives the rollout if its model is sparse, and all ranks of its group call this and
 * rollout_context_run, and get the same code. Returns 0, or EXIT_USAGE /
 * EXIT_INTERNAL after telling diagnostics (NULL: silently). */
int rollout_context_prepare(RolloutContext *rollout, const SimProblem *problem, Diagnostics *diagnostics);
/* The kernel of sim_batch; -1: the widest. EXIT_USAGE when this processor does not run it, else 0. */
int rollout_context_set_kernel(RolloutContext *rollout, int kernel);
/* Has its motions examined from now on where they are by the scheme `event` (sim_workspace_examine); problem: the rollout's own, which
 * outlives it; NULL: no more. The rollout stays where it is. Returns 0, or EXIT_INTERNAL after reporting it. */
int rollout_context_examine(RolloutContext *rollout, const Problem *problem, Diagnostics *diagnostics);
void rollout_context_release(RolloutContext *rollout);

/* x(T) and v(T) of all rows [2][d] of a rollout that has ended, borrowed from it; NULL but on the first rank. Collective over
 * the problem's group. */
const double *rollout_context_state(RolloutContext *rollout, const SimProblem *problem);

/* Runs control [p S] (NULL: 0), writes the files of trajectory.h, and fills x, v, final, energy, misses and solver_error of the
 * summary (borrowed from the rollout; x and v NULL beyond SUMMARY_STATE_MAX and but on the first rank). A rollout that fails is not an error here: see final->status. Returns
 * 0, EXIT_STOPPED on a signal, or EXIT_INTERNAL when files could not be written. */
int rollout_context_run(RolloutContext *rollout, const Results *results, const Problem *problem, const double *control,
                        Summary *summary);

/* The end of one that was run in pieces (sim_rollout_begin): likewise; closes the trajectory. */
int rollout_context_end(RolloutContext *rollout, const Problem *problem, Trajectory *trajectory, Summary *summary);

/* A whole motion with its files and summary.json, which has the summary's problem and control and is written at ctl_seconds() - begun of the run.
 * why: how the motion has failed; empty if it has not. Returns 0, EXIT_STOPPED on a signal, or EXIT_USAGE or EXIT_INTERNAL after reporting. */
int rollout_context_write(const Results *results, Summary *summary, double begun, char why[MOTION_FAILURE_SIZE]);

/* What `solver: fixed_point` has left unsolved. It stops when x hardly changes from iteration to iteration, which where
 * thresholds differ by much is long before it has converged, and what that leaves adds up from step to step: no residual of a
 * single step tells. So the run is made again with each step solved exactly, which takes less time than it did. */

/* Of a rollout of this control [variables] (NULL: 0) that has ended well; of other solvers nothing is done. Unknown remains what
 * a signal stops, or what fails. Collective over the problem's group. Returns 0, or EXIT_INTERNAL. */
int solver_error(const RolloutContext *rollout, const Problem *problem, const double *control, SolverError *error);

#endif
